import type { EachBatchPayload } from 'kafkajs';
import type { ReferenceReceiver } from '../transport.js';
import type { ConsumerGroup } from './consumer-lag.js';
import type { KafkaSettings, TransportLog } from './kafka-settings.js';
import { decodeReferences } from './reference-sender.js';
import { SupervisedConsumer } from './supervised-consumer.js';
import { TOPICS } from './topics.js';

export const WORKER_GROUP = 'worker';
/** What the workers read. */
export const REFERENCES: ConsumerGroup = { topic: TOPICS.deliveries, group: WORKER_GROUP };
/** More than a worker is ever given: batches of all its partitions then share one commit. */
const PARTITIONS_AT_ONCE = 64;

/**
 * Receives references. Their offsets are committed before the receiver gets any: a reference that another
 * worker could read as well would be sent in two places. When the commit fails none is handed on; if it took
 * effect all the same, their lease brings them back.
 */
export function referenceConsumer(
  settings: KafkaSettings,
  clientId: string,
  log: TransportLog,
  receiver: ReferenceReceiver,
): SupervisedConsumer {
  const commits = new SharedCommit();
  return new SupervisedConsumer({
    settings,
    clientId,
    log,
    ...REFERENCES,
    partitionsAtOnce: PARTITIONS_AT_ONCE,
    hasRoom: () => receiver.hasRoom(),
    onBatch: async (payload) => {
      const { messages } = payload.batch;
      const last = messages.at(-1);
      if (!last) return;
      await commits.commit(payload, nextOffset(last.offset));
      payload.resolveOffset(last.offset);
      const references = messages.flatMap(({ key, value }) => decodeReferences(key, value));
      if (references.length > 0) receiver.receive(references);
    },
  });
}

/** What a commit says: the record to go on with. */
export function nextOffset(offset: string): string {
  return String(BigInt(offset) + 1n);
}

interface Commit {
  readonly payload: EachBatchPayload;
  readonly offset: string;
  readonly settle: PromiseWithResolvers<void>;
}

/** Batches that are processed at the same time are committed in one request, not one each. */
class SharedCommit {
  private gathered: Commit[] = [];

  commit(payload: EachBatchPayload, offset: string): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.gathered.push({ payload, offset, settle });
    if (this.gathered.length === 1) setImmediate(() => void this.flush());
    return settle.promise;
  }

  private async flush(): Promise<void> {
    const commits = this.gathered;
    this.gathered = [];
    const { payload } = commits[0]!;
    const partitions = commits.map((commit) => ({
      partition: commit.payload.batch.partition,
      offset: commit.offset,
    }));
    try {
      await payload.commitOffsetsIfNecessary({ topics: [{ topic: payload.batch.topic, partitions }] });
      for (const { settle } of commits) settle.resolve();
    } catch (error) {
      for (const { settle } of commits) settle.reject(error);
    }
  }
}
