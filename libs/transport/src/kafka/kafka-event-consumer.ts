import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { EventRecord } from '#domain/event-record.js';
import type { ConsumerGroup } from './consumer-lag.js';
import type { KafkaSettings, TransportLog } from './kafka-settings.js';
import { nextOffset } from './reference-consumer.js';
import { HEARTBEAT_MS, SupervisedConsumer } from './supervised-consumer.js';
import { pause } from './time-limit.js';
import { TOPICS } from './topics.js';

/** What producers publish, and who takes it in. */
export const PUBLISHED_EVENTS: ConsumerGroup = { topic: TOPICS.events, group: 'ingest' };

/** As many as one accept statement takes. */
const MAX_RECORDS = 500;
const PARTITIONS_AT_ONCE = 4;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Makes records durable, in the order given, valid or not. It rejects only when it could not, and then gets
 * the same records again until it can.
 */
export type EventRecordHandler = (records: readonly EventRecord[]) => Promise<void>;

export interface KafkaEventConsumerOptions {
  readonly settings: KafkaSettings;
  readonly clientId: string;
  readonly log: TransportLog;
  readonly handle: EventRecordHandler;
}

/**
 * Reads the events topic for a handler, which may see a record twice and never misses one: an offset is
 * committed only after its record was handled, and a batch that fails is tried again, with longer and longer
 * pauses, until it succeeds or its partition goes to another process.
 */
export class KafkaEventConsumer {
  private readonly consumer: SupervisedConsumer;

  constructor(private readonly options: KafkaEventConsumerOptions) {
    this.consumer = new SupervisedConsumer({
      ...options,
      ...PUBLISHED_EVENTS,
      partitionsAtOnce: PARTITIONS_AT_ONCE,
      onBatch: (payload, ending) => this.takeBatch(payload, ending),
    });
  }

  get connected(): boolean {
    return this.consumer.connected;
  }

  /** Returns at once; connecting goes on in the background for as long as it takes. */
  start(): void {
    this.consumer.start();
  }

  /** Bounded. What is being handled may still come to its end; what is not committed comes again elsewhere. */
  stop(): Promise<void> {
    return this.consumer.stop();
  }

  private async takeBatch(payload: EachBatchPayload, ending: AbortSignal): Promise<void> {
    const { topic, partition, messages } = payload.batch;
    for (let start = 0; start < messages.length; start += MAX_RECORDS) {
      const part = messages.slice(start, start + MAX_RECORDS);
      const records = part.map((message) => toRecord(topic, partition, message));
      if (!(await this.handleUntilDone(records, payload, ending))) return;
      const { offset } = part.at(-1)!;
      await payload.commitOffsetsIfNecessary({
        topics: [{ topic, partitions: [{ partition, offset: nextOffset(offset) }] }],
      });
      payload.resolveOffset(offset);
      if (ending.aborted) return;
    }
  }

  /**
   * True when the handler has succeeded, false when the consumer ended before. The group hears of us meanwhile;
   * when it says that it is being shared out anew, a handler that fails is not tried again here.
   */
  private async handleUntilDone(
    records: readonly EventRecord[],
    payload: EachBatchPayload,
    ending: AbortSignal,
  ): Promise<boolean> {
    let lost: Error | undefined;
    const heartbeats = setInterval(() => {
      payload.heartbeat().catch((error: Error) => (lost ??= error));
    }, HEARTBEAT_MS);
    const assertMember = () => {
      if (lost !== undefined) throw lost;
    };
    const silence = () => clearInterval(heartbeats);
    ending.addEventListener('abort', silence);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
        try {
          await this.options.handle(records);
          return true;
        } catch (error) {
          assertMember();
          if (pauseMs === FIRST_PAUSE_MS) this.complain(error, payload);
        }
        await pause(pauseMs, ending);
        assertMember();
        if (ending.aborted || !payload.isRunning()) return false;
      }
    } finally {
      silence();
      ending.removeEventListener('abort', silence);
    }
  }

  private complain(error: unknown, { batch }: EachBatchPayload): void {
    const { partition } = batch;
    this.options.log.warn({ err: error, partition, offset: batch.firstOffset() }, 'events.not-taken-yet');
  }
}

function toRecord(topic: string, partition: number, message: KafkaMessage): EventRecord {
  return {
    topic,
    partition,
    offset: message.offset,
    timestampMs: Number(message.timestamp),
    key: message.key,
    value: message.value,
    headers: Object.entries(message.headers ?? {}).flatMap(([name, values]) =>
      [values ?? []].flat().map((value) => [name, Buffer.from(value)] as const),
    ),
  };
}
