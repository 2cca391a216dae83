import type { Admin } from 'kafkajs';
import type { KafkaSettings } from './kafka-settings.js';
import { within } from './time-limit.js';

const LOOK_EVERY_MS = 10_000;
const LOOK_LIMIT_MS = 5_000;
/** What was seen longer ago says nothing any more. */
const KNOWN_FOR_MS = 60_000;

/** A consumer group and the topic that it reads, both without the prefix. */
export interface ConsumerGroup {
  readonly topic: string;
  readonly group: string;
}

/** How far a group is behind, in one partition. */
export interface PartitionLag {
  /** Without the prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly records: number;
}

/**
 * How far consumer groups are behind, by what they have committed: as the brokers see it, so that a consumer which has
 * stopped reading lags too.
 */
export class ConsumerLag {
  private lags: readonly PartitionLag[] = [];
  private lookedAtMs = -Infinity;
  private seenAtMs = -Infinity;

  constructor(
    private readonly settings: KafkaSettings,
    private readonly groups: readonly ConsumerGroup[],
  ) {}

  /** As of some seconds ago; none where the brokers have not said for a minute. */
  get partitions(): readonly PartitionLag[] {
    return performance.now() - this.seenAtMs < KNOWN_FOR_MS ? this.lags : [];
  }

  /** Looks again, if it is time. Waits for nothing: whoever lends the connection has other things to watch. */
  look(admin: Admin): void {
    if (this.groups.length === 0 || performance.now() - this.lookedAtMs < LOOK_EVERY_MS) return;
    this.lookedAtMs = performance.now();
    const looks = Promise.all(this.groups.map((group) => this.lagOf(admin, group)));
    within(looks, LOOK_LIMIT_MS, 'A look at consumer groups').then(
      (lags) => {
        this.lags = lags.flat();
        this.seenAtMs = performance.now();
      },
      () => undefined,
    );
  }

  private async lagOf(admin: Admin, { topic, group }: ConsumerGroup): Promise<PartitionLag[]> {
    const { topicPrefix } = this.settings;
    const [ends, [committed]] = await Promise.all([
      admin.fetchTopicOffsets(topicPrefix + topic),
      admin.fetchOffsets({ groupId: topicPrefix + group, topics: [topicPrefix + topic] }),
    ]);
    const next = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    return ends.map(({ partition, high, low }) => {
      // Where nothing is committed yet (-1), a consumer begins with the earliest record.
      const from = Math.max(next.get(partition) ?? -1, Number(low));
      return { topic, partition, records: Math.max(0, Number(high) - from) };
    });
  }
}
