import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Kafka, logLevel, type Message, type Producer } from 'kafkajs';
import { eventRecordConsumer } from '#apps/ingest/src/publishing/event-record-consumer.js';
import { createLogger } from '#observability/logger.js';
import { RejectionRepository } from '#storage/rejection.repository.js';
import type { KafkaEventConsumer } from '#transport/kafka/kafka-event-consumer.js';
import type { KafkaSettings } from '#transport/kafka/kafka-settings.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

/** A consumer joins its group, and a stopped one leaves it, within seconds. */
const JOINED = { timeoutMs: 20_000 };

const logger = createLogger({ role: 'test', level: 'silent', format: 'json' });

interface Rejected {
  key: string | undefined;
  value: string | undefined;
  headers: Record<string, string>;
}

let platform: Platform;
let receiver: RecordingReceiver;
let settings: KafkaSettings;
let transport: KafkaTransport;
let kafka: Kafka;
let producer: Producer;
let consumer: KafkaEventConsumer;
const rejected: Rejected[] = [];
let stopReadingRejected: () => Promise<void>;

beforeAll(async () => {
  const brokers = await testBrokers();
  [platform, receiver] = await Promise.all([Platform.create(), RecordingReceiver.start()]);
  await platform.addApplication('acme');
  await platform.addEndpoint('acme', receiver.url);
  await platform.startWorker();
  settings = {
    brokers: [brokers],
    topicPrefix: testTopicPrefix(),
    sasl: null,
    ssl: null,
    partitions: 2,
    replication: 1,
  };
  transport = new KafkaTransport(settings, 'test', logger);
  await until(() => transport.ready, JOINED);
  kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  stopReadingRejected = await readRejected();
}, 60_000);
beforeEach(() => {
  consumer = newConsumer();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await consumer.stop();
});
afterAll(async () => {
  await stopReadingRejected();
  await producer.disconnect();
  await transport.close();
  await platform.destroy();
  await receiver.stop();
});

function newConsumer(): KafkaEventConsumer {
  const { acceptor, metrics } = platform;
  const meter = metrics.loops.meter('consumer', 1_000);
  return eventRecordConsumer({ acceptor, transport, settings, clientId: 'test', logger, metrics, meter });
}

async function readRejected(): Promise<() => Promise<void>> {
  const reader = kafka.consumer({ groupId: `${settings.topicPrefix}reader`, maxWaitTimeInMs: 100 });
  await reader.connect();
  await reader.subscribe({ topic: `${settings.topicPrefix}events.rejected.v1`, fromBeginning: true });
  await reader.run({
    eachMessage: ({ message: { key, value, headers } }) => {
      const texts = Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)]);
      rejected.push({
        key: key?.toString(),
        value: value?.toString(),
        headers: Object.fromEntries(texts) as Record<string, string>,
      });
      return Promise.resolve();
    },
  });
  return () => reader.disconnect();
}

/** Puts records on one partition, so that each stands behind those before it. */
async function produce(...messages: Omit<Message, 'partition'>[]): Promise<void> {
  await producer.send({
    topic: `${settings.topicPrefix}events.v1`,
    messages: messages.map((message) => ({ partition: 1, ...message })),
  });
}

function event(protocolo: string, fields: object = {}): { value: string } {
  const data = { event_code: '110180', n_seq: '1', protocolo };
  return { value: JSON.stringify({ application: 'acme', type: 'cte.event.registered', data, ...fields }) };
}

function received(protocolo: string) {
  return receiver.received.filter(({ body }) => body.includes(`"protocolo":"${protocolo}"`));
}

async function storedIds(protocolo: string): Promise<string[]> {
  const rows = await platform.sql<{ id: string }>(
    `SELECT public_id AS id FROM events WHERE position($1 IN convert_from(body, 'UTF8')) > 0`,
    [`"protocolo":"${protocolo}"`],
  );
  return rows.map(({ id }) => id);
}

async function waitingRecords(): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topic = `${settings.topicPrefix}events.v1`;
    const [ends, [committed]] = await Promise.all([
      admin.fetchTopicOffsets(topic),
      admin.fetchOffsets({ groupId: `${settings.topicPrefix}ingest`, topics: [topic] }),
    ]);
    const offsetOf = (partition: number) =>
      Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? -1);
    return ends.reduce((sum, end) => sum + Number(end.high) - Math.max(0, offsetOf(end.partition)), 0);
  } finally {
    await admin.disconnect();
  }
}

describe('events on the topic', () => {
  it('that were there before anybody read are delivered, and their offsets committed', async () => {
    await produce({ key: 'any', ...event('early', { id: 'early-1' }) }, event('early-nameless'));
    consumer.start();
    await until(() => received('early').length === 1, JOINED);
    expect(receiver.headerValues('X-Tffiscal-Event-Id')).toContain('early-1');
    await until(() => received('early-nameless').length === 1);
    expect(await storedIds('early-nameless')).toEqual([expect.stringMatching(/^k-[0-9a-f]{32}$/)]);
    await until(async () => (await waitingRecords()) === 0);
  }, 40_000);

  it('that are none go to the rejected topic unchanged, with their reason, and hold up nothing', async () => {
    consumer.start();
    await produce(
      { key: 'k-1', value: '{"application":', headers: { 'x-trace': 'of the producer' } },
      event('behind-1'),
      { key: 'k-2', value: null },
      event('unknown', { application: 'nobody' }),
      event('behind-2'),
    );
    await until(() => received('behind-1').length + received('behind-2').length === 2, JOINED);
    await until(() => rejected.length === 3);
    const [notJson, tombstone, unknown] = [...rejected].sort((a, b) => offsetOf(a) - offsetOf(b));
    expect(notJson).toMatchObject({
      key: 'k-1',
      value: '{"application":',
      headers: {
        'x-trace': 'of the producer',
        'entrega-error-code': 'NOT_JSON',
        'entrega-error-detail': expect.stringContaining('Expected'),
        'entrega-origin': expect.stringMatching(/^test-[0-9a-f]+\.events\.v1\/1\/\d+$/),
      },
    });
    expect(tombstone).toMatchObject({ key: 'k-2', value: undefined });
    expect(tombstone?.headers['entrega-error-code']).toBe('NOT_JSON');
    expect(unknown?.headers).toMatchObject({
      'entrega-error-code': 'UNKNOWN_APPLICATION',
      'entrega-error-detail': expect.stringContaining('There is no application "nobody"'),
    });
    const listed = () => new RejectionRepository(platform.database).list({ applications: null }, null, 10);
    const rows = await until(async () => {
      const found = await listed();
      return found.length === 3 && found;
    });
    expect(rows.map(({ via, origin }) => [via, origin]).sort()).toEqual(
      rejected.map(({ headers }) => ['kafka', headers['entrega-origin']]).sort(),
    );
  }, 40_000);

  it('read again after a crash before the commit make no second event', async () => {
    const publishAll = platform.acceptor.publishAll.bind(platform.acceptor);
    const death = Promise.withResolvers<never>();
    let accepted = 0;
    jest.spyOn(platform.acceptor, 'publishAll').mockImplementation(async (events) => {
      accepted += (await publishAll(events)).length;
      // As if the process died here: what comes after the commit in the database never happens.
      return death.promise;
    });
    await produce(event('crash'), event('crash', { id: 'crash-1' }));
    consumer.start();
    await until(() => accepted === 2, JOINED);
    await consumer.stop();
    death.reject(new Error('dead'));
    expect(await waitingRecords()).toBe(2);
    jest.restoreAllMocks();

    consumer = newConsumer();
    consumer.start();
    await until(async () => (await waitingRecords()) === 0, JOINED);
    expect(new Set(await storedIds('crash')).size).toBe(2);
    await until(() => received('crash').length === 2);
    expect(
      await platform.sql(`SELECT FROM deliveries d JOIN events v ON v.id = d.event_id
                                WHERE position('"crash"' IN convert_from(v.body, 'UTF8')) > 0`),
    ).toHaveLength(2);
  }, 60_000);

  it('wait while the database is away: nothing is rejected, and all is accepted when it is back', async () => {
    const before = rejected.length;
    const query = platform.database.query.bind(platform.database);
    let refused = 0;
    jest.spyOn(platform.database, 'query').mockImplementation((statement, values) => {
      if (statement.name !== 'accept-events') return query(statement, values);
      refused++;
      return Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }));
    });
    await produce(event('outage'), { value: 'poison' });
    consumer.start();
    await until(() => refused >= 2, JOINED);
    expect(await waitingRecords()).toBe(2);
    jest.restoreAllMocks();
    await until(() => received('outage').length === 1, JOINED);
    await until(() => rejected.length === before + 1);
    await until(async () => (await waitingRecords()) === 0);
  }, 60_000);
});

function offsetOf({ headers }: Rejected): number {
  return Number(headers['entrega-origin']?.split('/').at(-1));
}
