import { Kafka, logLevel, Partitioners, type Producer } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosApplication, HANGING_SHARE } from './applications.js';
import type { PlatformCluster } from './platform-cluster.js';
import type { SeededRandom } from './seeded-random.js';

export interface ChaosEvent {
  readonly id: string;
  readonly application: string;
  readonly via: 'http' | 'kafka';
  readonly number: number;
}

export interface AcceptedEvent extends ChaosEvent {
  /** Its first publish began, and its acceptance was told; by the monotonic clock of this process. */
  readonly begunAtMs: number;
  readonly acceptedAtMs: number;
}

export interface EventLoadOptions {
  readonly cluster: PlatformCluster;
  readonly applications: readonly ChaosApplication[];
  readonly random: SeededRandom;
  readonly perSecond: number;
}

const TICK_MS = 50;
/** Processes that have just started are slow at first: the full load comes after this. */
const RAMP_MS = 4_000;
/** Events begun and not accepted yet; while there are more the load waits, so that an outage stays bounded. */
const MAX_OPEN = 3_000;
const REQUEST_TIMEOUT_MS = 4_000;
const MAX_KAFKA_BATCH = 200;
const MAX_UNEXPECTED = 50;

/**
 * A steady load, half of it over HTTP to all ingests and half by a Kafka producer. A producer as the reference
 * asks for: after a 503 or no answer it publishes the same event again. An event counts once it was answered 202,
 * or acknowledged by the broker (acks = all), and never before.
 */
export class EventLoad {
  readonly accepted: AcceptedEvent[] = [];
  /** Answers that no producer should get, whatever is away. */
  readonly unexpected: string[] = [];
  /** Publishes that had to be repeated. */
  repeatedPublishes = 0;
  private begun = 0;
  private open = 0;
  private stopped = false;
  private ended = false;
  private toKafka: (ChaosEvent & { begunAtMs: number })[] = [];
  private producing: Promise<void> | undefined;
  private ticking: Promise<void> | undefined;

  constructor(private readonly options: EventLoadOptions) {}

  get waiting(): number {
    return this.open;
  }

  start(): void {
    this.producing = this.produce();
    this.ticking = this.tick();
  }

  /** No new events; those begun go on until they are accepted. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.ticking;
  }

  /** Gives up what is not accepted. */
  async end(): Promise<void> {
    await this.stop();
    this.ended = true;
    await this.producing;
  }

  private async tick(): Promise<void> {
    const { perSecond, random, applications } = this.options;
    const hanging = applications.filter(({ manner }) => manner === 'hanging');
    const others = applications.filter(({ manner }) => manner !== 'hanging');
    let owed = 0;
    const beganAt = performance.now();
    let last = beganAt;
    while (!this.stopped) {
      await sleep(TICK_MS);
      const now = performance.now();
      const ramp = Math.min(1, (now - beganAt) / RAMP_MS);
      // A tick that comes late does not become a burst.
      owed = Math.min(perSecond, owed + ((now - last) * perSecond * ramp) / 1_000);
      last = now;
      for (; owed >= 1; owed--) {
        if (this.open >= MAX_OPEN) break;
        const number = this.begun++;
        const via = number % 2 === 0 ? 'http' : 'kafka';
        const application = random.pick(random.next() < HANGING_SHARE ? hanging : others).id;
        const event = { id: `e-${number}`, application, via, number } as const;
        this.open++;
        if (via === 'kafka') this.toKafka.push({ ...event, begunAtMs: now });
        else void this.publish(event, now);
      }
    }
  }

  private accept(event: ChaosEvent, begunAtMs: number): void {
    this.open--;
    this.accepted.push({ ...event, begunAtMs, acceptedAtMs: performance.now() });
  }

  private async publish(event: ChaosEvent, begunAtMs: number): Promise<void> {
    const { cluster } = this.options;
    const ingests = cluster.of('ingest');
    for (let attempt = 0; !this.ended; attempt++) {
      const ingest = ingests[(event.number / 2 + attempt) % ingests.length]!;
      const answer = await cluster
        .call(ingest, 'POST', '/v1/events', bodyOf(event), REQUEST_TIMEOUT_MS)
        .catch(() => null);
      if (answer?.status === 202) return this.accept(event, begunAtMs);
      if (answer !== null && answer.status !== 503) {
        if (this.unexpected.length < MAX_UNEXPECTED)
          this.unexpected.push(`POST /v1/events: ${answer.status} ${JSON.stringify(answer.body)}`);
      } else if (answer !== null && !answer.headers.has('retry-after')) {
        this.unexpected.push('POST /v1/events: 503 without Retry-After');
      }
      this.repeatedPublishes++;
      await sleep(250 + 250 * Math.min(4, attempt));
    }
  }

  private async produce(): Promise<void> {
    const { cluster } = this.options;
    const topic = `${cluster.topicPrefix}events.v1`;
    let producer: Producer | undefined;
    while (!this.ended) {
      const batch = this.toKafka.slice(0, MAX_KAFKA_BATCH);
      if (batch.length === 0) {
        await sleep(TICK_MS);
        continue;
      }
      try {
        producer ??= await connectedProducer(cluster.kafka.brokers);
        const messages = batch.map((event) => ({
          key: event.application,
          value: JSON.stringify(bodyOf(event)),
        }));
        await producer.send({ topic, messages, acks: -1, timeout: 5_000 });
        this.toKafka = this.toKafka.slice(batch.length);
        for (const event of batch) this.accept(event, event.begunAtMs);
        await sleep(TICK_MS);
      } catch {
        this.repeatedPublishes += batch.length;
        void producer?.disconnect().catch(() => undefined);
        producer = undefined;
        await sleep(500);
      }
    }
    await producer?.disconnect().catch(() => undefined);
  }
}

function bodyOf({ id, application, number }: ChaosEvent) {
  return {
    application,
    type: 'cte.event.registered',
    id,
    data: { event_code: '110180', n_seq: '1', protocolo: String(number) },
  };
}

async function connectedProducer(brokers: string): Promise<Producer> {
  const kafka = new Kafka({
    clientId: 'chaos-producer',
    brokers: [brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 2_000,
    requestTimeout: 5_000,
    retry: { retries: 1, initialRetryTime: 100 },
  });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
  });
  await producer.connect();
  return producer;
}
