import type { Consumer, EachBatchPayload } from 'kafkajs';
import { KafkaClient } from './kafka-client.js';
import type { KafkaSettings, TransportLog } from './kafka-settings.js';
import { KafkajsLog } from './kafkajs-log.js';
import { Supervisor } from './supervisor.js';
import { within } from './time-limit.js';
import { createMissingTopics } from './topics.js';

const CONNECT_LIMIT_MS = 5_000;
const CREATE_LIMIT_MS = 10_000;
const DISCONNECT_LIMIT_MS = 4_000;
const SESSION_TIMEOUT_MS = 10_000;
const REBALANCE_TIMEOUT_MS = 15_000;
export const HEARTBEAT_MS = 2_000;
/** How long a fetch waits for news, and so how long a stop may wait for a fetch. */
const FETCH_WAIT_MS = 500;
/** Longer than a rebalance may take. */
const SILENCE_MS = 25_000;
const LOOK_MS = 100;
/** Where one message alone may be larger, Kafka still hands it out. */
const MAX_FETCH_BYTES = 4 * 1024 * 1024;
const MAX_FETCH_BYTES_PER_PARTITION = 512 * 1024;

export interface ConsumerOptions {
  readonly settings: KafkaSettings;
  /** Names the process in the brokers' logs. */
  readonly clientId: string;
  readonly log: TransportLog;
  /** Both without the prefix. */
  readonly topic: string;
  readonly group: string;
  /** Batches of so many partitions at once; the order within one is kept. */
  readonly partitionsAtOnce: number;
  /** Whether more is wanted now. Partitions are paused while it is not, and nothing is held for later. */
  readonly hasRoom?: () => boolean;
  /**
   * Processes a batch, commits and resolves its offsets. What it did not resolve comes again, here or at another
   * consumer. Throws what a commit or a heartbeat threw.
   */
  readonly onBatch: (payload: EachBatchPayload, ending: AbortSignal) => Promise<void>;
}

/**
 * A member of a consumer group that never stays away: when it crashes, or gives no sign of life for longer than
 * a rebalance takes, a new one is built. It starts at the earliest record where the group has committed nothing.
 */
export class SupervisedConsumer {
  private readonly supervisor: Supervisor;
  private readonly kafkajsLog: KafkajsLog;

  constructor(private readonly options: ConsumerOptions) {
    this.kafkajsLog = new KafkajsLog(options.log);
    this.supervisor = new Supervisor(`consumer of ${options.topic}`, options.log, (up, ending) =>
      this.session(up, ending),
    );
  }

  /** Whether it is a member of its group. */
  get connected(): boolean {
    return this.supervisor.up;
  }

  start(): void {
    this.supervisor.start();
  }

  stop(): Promise<void> {
    return this.supervisor.stop();
  }

  private async session(up: () => void, ending: AbortSignal): Promise<void> {
    const { settings, clientId, group, partitionsAtOnce } = this.options;
    const topic = settings.topicPrefix + this.options.topic;
    const client = new KafkaClient(settings, clientId, this.kafkajsLog);
    const over = Promise.withResolvers<void>();
    over.promise.catch(() => undefined);
    const life = new AbortController();
    const end = () => over.resolve();
    ending.addEventListener('abort', end);
    const consumer = client.kafka.consumer({
      groupId: settings.topicPrefix + group,
      sessionTimeout: SESSION_TIMEOUT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      maxBytes: MAX_FETCH_BYTES,
      maxBytesPerPartition: MAX_FETCH_BYTES_PER_PARTITION,
      allowAutoTopicCreation: false,
      // Enough for a broker to restart: a member that rides that out keeps its partitions. It never starts
      // itself again after a crash; that is the supervisor's part.
      retry: { initialRetryTime: 200, maxRetryTime: 2_000, retries: 8, restartOnFailure: async () => false },
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => over.reject(payload.error));
    consumer.on(consumer.events.GROUP_JOIN, up);
    const watches = [this.watchSilence(consumer, over.reject), this.watchRoom(consumer, topic)];
    try {
      await this.createTopics(client, ending);
      await within(consumer.connect(), CONNECT_LIMIT_MS, 'Connecting to Kafka', ending);
      const subscribed = consumer.subscribe({ topic, fromBeginning: true });
      await within(subscribed, CONNECT_LIMIT_MS, `Subscribing to ${topic}`, ending);
      // Comes back when the group was joined. Until then silence is watched.
      void consumer
        .run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: partitionsAtOnce,
          eachBatch: (payload) => this.take(payload, consumer, topic, life.signal),
        })
        .catch(over.reject);
      await over.promise;
    } finally {
      for (const watch of watches) clearInterval(watch);
      ending.removeEventListener('abort', end);
      life.abort();
      await within(consumer.disconnect(), DISCONNECT_LIMIT_MS, 'Leaving the group').catch(() => undefined);
      client.cut();
    }
  }

  private async createTopics(client: KafkaClient, ending: AbortSignal): Promise<void> {
    const admin = client.kafka.admin();
    try {
      await within(admin.connect(), CONNECT_LIMIT_MS, 'Connecting to Kafka', ending);
      const work = createMissingTopics(admin, this.options.settings);
      const created = await within(work, CREATE_LIMIT_MS, 'Creating topics', ending);
      if (created.length > 0) this.options.log.info({ topics: created }, 'kafka.topics-created');
    } finally {
      void admin.disconnect().catch(() => undefined);
    }
  }

  private async take(payload: EachBatchPayload, consumer: Consumer, topic: string, life: AbortSignal) {
    if (life.aborted || !payload.isRunning() || payload.isStale()) return;
    if (this.options.hasRoom && !this.options.hasRoom()) return consumer.pause([{ topic }]);
    await this.options.onBatch(payload, life);
  }

  private watchRoom(consumer: Consumer, topic: string): NodeJS.Timeout {
    return setInterval(() => {
      if (this.options.hasRoom?.() && consumer.paused().length > 0) consumer.resume([{ topic }]);
    }, LOOK_MS);
  }

  /** Every fetch, heartbeat and commit is a sign of life, and a fetch comes twice a second even when all is quiet. */
  private watchSilence(consumer: Consumer, fail: (error: Error) => void): NodeJS.Timeout {
    let last = performance.now();
    const { FETCH, HEARTBEAT, COMMIT_OFFSETS, GROUP_JOIN } = consumer.events;
    for (const event of [FETCH, HEARTBEAT, COMMIT_OFFSETS, GROUP_JOIN] as const) {
      consumer.on(event as typeof FETCH, () => {
        last = performance.now();
      });
    }
    return setInterval(() => {
      const silentMs = Math.round(performance.now() - last);
      if (silentMs > SILENCE_MS) fail(new Error(`The consumer gave no sign of life for ${silentMs} ms.`));
    }, LOOK_MS);
  }
}
