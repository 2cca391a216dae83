import { type EachMessagePayload, Kafka, type Message, Partitioners } from 'kafkajs';
import { type KafkaSettings } from '#transport/kafka/kafka-settings.js';

/** Settings for a test's own topics; few partitions, for they cost the broker files. */
export function kafkaSettings(brokers: string, topicPrefix: string, partitions = 4): KafkaSettings {
  return { brokers: [brokers], topicPrefix, sasl: null, ssl: null, partitions, replication: 1 };
}

/** A log that remembers what it was told. */
export class RememberingLog {
  readonly lines: { level: string; message: string; fields: object }[] = [];
  readonly debug = this.level('debug');
  readonly info = this.level('info');
  readonly warn = this.level('warn');

  count(message: string): number {
    return this.lines.filter((line) => line.message === message).length;
  }

  private level(level: string) {
    return (fields: object, message: string) => void this.lines.push({ level, message, fields });
  }
}

/** Somebody else's client, as a producer or a person on call would use it. */
export class KafkaBystander {
  private readonly kafka: Kafka;
  private readonly ends: (() => Promise<void>)[] = [];

  constructor(brokers: string) {
    this.kafka = new Kafka({ brokers: [brokers], logLevel: 0, retry: { retries: 10 } });
  }

  /** Collects all records of the topics, from the earliest on. */
  async read(topics: readonly string[]): Promise<EachMessagePayload[]> {
    const read: EachMessagePayload[] = [];
    const groupId = `bystander-${Math.random()}`;
    const consumer = this.kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
    this.ends.push(() => consumer.disconnect());
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      eachMessage: (payload) => {
        read.push(payload);
        return Promise.resolve();
      },
    });
    return read;
  }

  async send(topic: string, messages: Message[]): Promise<void> {
    const producer = this.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    try {
      await producer.send({ topic, messages });
    } finally {
      await producer.disconnect();
    }
  }

  async admin<T>(use: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      return await use(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** The next offset that a group would read, by partition; -1 where it has committed nothing. */
  committed(groupId: string, topic: string): Promise<number[]> {
    return this.admin(async (admin) => {
      const [offsets] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return offsets!.partitions
        .sort((a, b) => a.partition - b.partition)
        .map(({ offset }) => Number(offset));
    });
  }

  async leave(): Promise<void> {
    await Promise.all(this.ends.map((end) => end()));
  }
}
