import type { Admin, Message } from 'kafkajs';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { RejectedRecord } from '#domain/event-record.js';
import type { Announcement, ReferenceReceiver, Transport } from '../transport.js';
import { type ConsumerGroup, ConsumerLag, type PartitionLag } from './consumer-lag.js';
import type { KafkaSettings, TransportLog } from './kafka-settings.js';
import { referenceConsumer, WORKER_GROUP } from './reference-consumer.js';
import { ReferenceSender } from './reference-sender.js';
import { rejectionMessage, withoutValue } from './rejection-message.js';
import type { SupervisedConsumer } from './supervised-consumer.js';
import { isOfType, SupervisedProducer, TOO_LARGE } from './supervised-producer.js';
import { TOPICS } from './topics.js';

const ACKNOWLEDGED = { acks: -1, limitMs: 10_000 } as const;
/** Kafka takes what one request has for a partition as one piece, of 1 MiB at most. */
const MAX_REQUEST_BYTES = 512 * 1024;

/**
 * References and announcements over Kafka. Everything connects in the background and comes back by itself;
 * meanwhile `connected` is false, references are returned unsent, and announcements are refused.
 */
export class KafkaTransport implements Transport {
  private readonly producer: SupervisedProducer;
  private readonly references: ReferenceSender;
  private consumer: SupervisedConsumer | undefined;
  private workersListen = false;
  private readonly lag: ConsumerLag;

  /**
   * @param clientId names the process in the brokers' logs and quotas
   * @param watched groups whose lag is looked at
   */
  constructor(
    private readonly settings: KafkaSettings,
    private readonly clientId: string,
    private readonly log: TransportLog,
    watched: readonly ConsumerGroup[] = [],
  ) {
    this.lag = new ConsumerLag(settings, watched);
    this.producer = new SupervisedProducer(settings, clientId, log, (admin) => {
      this.lag.look(admin);
      return this.lookForWorkers(admin);
    });
    this.references = new ReferenceSender(this.producer);
    this.producer.start();
  }

  /**
   * Whether the brokers answer and workers read what they get. While workers share the partitions out anew,
   * which takes ten seconds after an outage, the sweep is faster.
   */
  get connected(): boolean {
    return this.producer.connected && this.workersListen;
  }

  /** Whether the brokers answer. */
  get sending(): boolean {
    return this.producer.connected;
  }

  /** Whether this process is a member of the workers' group. */
  get receiving(): boolean {
    return this.consumer?.connected ?? false;
  }

  /** Whether all that this process wants of Kafka is there: for its readiness. */
  get ready(): boolean {
    return this.producer.connected && (this.consumer?.connected ?? true);
  }

  /** How far the watched groups are behind. */
  get lags(): readonly PartitionLag[] {
    return this.lag.partitions;
  }

  sendReferences(references: readonly DeliveryReference[]): Promise<readonly DeliveryReference[]> {
    return this.connected ? this.references.send(references) : Promise.resolve(references);
  }

  receiveReferences(receiver: ReferenceReceiver): Promise<() => Promise<void>> {
    if (this.consumer) throw new Error('The Kafka transport has a worker already.');
    const consumer = referenceConsumer(this.settings, this.clientId, this.log, receiver);
    this.consumer = consumer;
    consumer.start();
    return Promise.resolve(async () => {
      await consumer.stop();
      if (this.consumer === consumer) this.consumer = undefined;
    });
  }

  async announce(announcements: readonly Announcement[]): Promise<void> {
    const byTopic = Map.groupBy(announcements, ({ topic }) => topic);
    for (const [topic, of] of byTopic) {
      const messages = of.map(({ key, payload }) => ({ key, value: JSON.stringify(payload) }));
      for (const part of inPieces(messages)) await this.producer.send(topic, part, ACKNOWLEDGED);
    }
  }

  /**
   * Puts records that are no valid events on the topic for those, unchanged, with the reason in their headers.
   * Resolves once all are acknowledged; rejects when that is not sure, and may then be told again.
   */
  async rejectEvents(rejected: readonly RejectedRecord[]): Promise<void> {
    for (const part of inPieces(rejected.map(rejectionMessage))) await this.reject(part);
  }

  async close(): Promise<void> {
    await Promise.all([this.consumer?.stop(), this.producer.stop()]);
  }

  /** Where we may not look at the workers' group, they are taken to listen. */
  private async lookForWorkers(admin: Admin): Promise<void> {
    const groupId = this.settings.topicPrefix + WORKER_GROUP;
    this.workersListen = await admin.describeGroups([groupId]).then(
      ({ groups }) => groups.some(({ state }) => state === 'Stable'),
      (error: unknown) => isOfType(error, 'GROUP_AUTHORIZATION_FAILED'),
    );
  }

  /** One that is too large even alone goes without its value: its origin says where that is to be found. */
  private async reject(messages: Message[]): Promise<void> {
    try {
      await this.producer.send(TOPICS.rejectedEvents, messages, ACKNOWLEDGED);
    } catch (error) {
      const [first, ...others] = messages;
      if (!isOfType(error, TOO_LARGE) || !first || (others.length === 0 && first.value === null)) throw error;
      if (others.length === 0) await this.reject([withoutValue(first)]);
      else for (const message of messages) await this.reject([message]);
    }
  }
}

function inPieces(messages: readonly Message[]): Message[][] {
  const pieces: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = message.value?.length ?? 0;
    if (bytes + size > MAX_REQUEST_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)!.push(message);
    bytes += size;
  }
  return pieces;
}
