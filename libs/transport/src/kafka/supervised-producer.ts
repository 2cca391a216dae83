import { type Admin, Partitioners, type Message, type Producer } from 'kafkajs';
import { KafkaClient } from './kafka-client.js';
import type { KafkaSettings, TransportLog } from './kafka-settings.js';
import { KafkajsLog } from './kafkajs-log.js';
import { Supervisor } from './supervisor.js';
import { pause, within } from './time-limit.js';
import { createMissingTopics } from './topics.js';

const CONNECT_LIMIT_MS = 5_000;
const CREATE_LIMIT_MS = 10_000;
const DISCONNECT_LIMIT_MS = 2_000;
const PROBE_EVERY_MS = 2_000;
const PROBE_LIMIT_MS = 3_000;
/** So many failed sends in a row, and a new producer may do better although the brokers answer. */
const MAX_FAILURES = 3;

/** There is no connection to the brokers; nothing was sent. */
export class KafkaAway extends Error {
  override readonly name = 'KafkaAway';

  constructor() {
    super('Kafka is away.');
  }
}

export interface SendOptions {
  /** -1: all replicas that are in sync have it; 1: the leader has it. */
  readonly acks: -1 | 1;
  readonly limitMs: number;
}

interface Live {
  readonly producer: Producer;
  /** A send failed: nothing more is sent until a look has shown that the brokers answer. Set by each look anew. */
  suspicion: AbortController;
}

/** What else the regular look at the brokers is good for. */
export type Look = (admin: Admin) => Promise<void>;

/**
 * The producer of a process, a plain one: an idempotent one of kafkajs retries for ever, and nothing here needs
 * it, for references may be lost or doubled and announcements may be repeated. It is watched by a request every
 * two seconds, since a broker that hangs says nothing by itself, and replaced when it fails.
 */
export class SupervisedProducer {
  private readonly supervisor: Supervisor;
  private readonly kafkajsLog: KafkajsLog;
  private live: Live | undefined;
  private failures = 0;

  constructor(
    private readonly settings: KafkaSettings,
    private readonly clientId: string,
    private readonly log: TransportLog,
    private readonly look: Look,
  ) {
    this.kafkajsLog = new KafkajsLog(log);
    this.supervisor = new Supervisor('producer', log, (up, ending) => this.session(up, ending));
  }

  get connected(): boolean {
    return this.live !== undefined && !this.live.suspicion.signal.aborted;
  }

  start(): void {
    this.supervisor.start();
  }

  stop(): Promise<void> {
    return this.supervisor.stop();
  }

  /**
   * One quick retry at most. After an error the messages may have arrived all the same.
   *
   * @param topic without the prefix
   * @throws KafkaAway, TimeLimitExceeded, or what kafkajs threw
   */
  async send(topic: string, messages: Message[], { acks, limitMs }: SendOptions): Promise<void> {
    const { live } = this;
    if (!live || !this.connected) throw new KafkaAway();
    const record = { topic: this.settings.topicPrefix + topic, messages, acks, timeout: limitMs };
    try {
      await within(live.producer.send(record), limitMs, `Sending to ${topic}`);
      this.failures = 0;
    } catch (error) {
      // That a message is too large is the fault of the message.
      if (!isOfType(error, TOO_LARGE)) {
        this.failures++;
        live.suspicion.abort();
      }
      throw error;
    }
  }

  private async session(up: () => void, ending: AbortSignal): Promise<void> {
    const client = new KafkaClient(this.settings, this.clientId, this.kafkajsLog);
    const admin = client.kafka.admin();
    const producer = client.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 100, maxRetryTime: 200, retries: 1 },
    });
    try {
      await within(admin.connect(), CONNECT_LIMIT_MS, 'Connecting to Kafka', ending);
      const created = await within(
        createMissingTopics(admin, this.settings),
        CREATE_LIMIT_MS,
        'Creating topics',
        ending,
      );
      if (created.length > 0) this.log.info({ topics: created }, 'kafka.topics-created');
      await within(producer.connect(), CONNECT_LIMIT_MS, 'Connecting to Kafka', ending);
      this.failures = 0;
      const live: Live = { producer, suspicion: new AbortController() };
      await this.probe(admin, ending);
      this.live = live;
      up();
      while (!ending.aborted) {
        await pause(PROBE_EVERY_MS, AbortSignal.any([ending, live.suspicion.signal]));
        if (ending.aborted) return;
        await this.probe(admin, ending);
        if (live.suspicion.signal.aborted) live.suspicion = new AbortController();
      }
    } finally {
      this.live = undefined;
      const ends = Promise.allSettled([producer.disconnect(), admin.disconnect()]);
      await within(ends, DISCONNECT_LIMIT_MS, 'Disconnecting').catch(() => undefined);
      client.cut();
    }
  }

  private async probe(admin: Admin, ending: AbortSignal): Promise<void> {
    if (this.failures >= MAX_FAILURES) throw new Error(`${this.failures} sends failed in a row.`);
    const looks = admin.describeCluster().then(() => this.look(admin));
    await within(looks, PROBE_LIMIT_MS, 'A look at the brokers', ending);
  }
}

/** Kafka's own name for a message, or all that was sent with it, that is beyond what the topic takes. */
export const TOO_LARGE = 'MESSAGE_TOO_LARGE';

/** Whether an error of kafkajs is, or wraps, one that the brokers call by this name. */
export function isOfType(error: unknown, type: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('type' in cause && cause.type === type) return true;
  }
  return false;
}
