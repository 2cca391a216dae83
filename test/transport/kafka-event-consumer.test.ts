import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventRecord } from '#domain/event-record.js';
import { KafkaEventConsumer } from '#transport/kafka/kafka-event-consumer.js';
import { createMissingTopics } from '#transport/kafka/topics.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander, kafkaSettings, RememberingLog } from '../support/kafka-topics.js';
import { until } from '../support/until.js';

const patience = { timeoutMs: 40_000 };
const PARTITIONS = 2;

describe('KafkaEventConsumer', () => {
  let brokers: string;
  let prefix: string;
  let topic: string;
  let group: string;
  let bystander: KafkaBystander;
  let consumers: KafkaEventConsumer[];
  let log: RememberingLog;

  beforeAll(async () => {
    brokers = await testBrokers();
  }, 60_000);
  beforeEach(async () => {
    prefix = testTopicPrefix();
    topic = `${prefix}events.v1`;
    group = `${prefix}ingest`;
    bystander = new KafkaBystander(brokers);
    consumers = [];
    log = new RememberingLog();
    await bystander.admin((admin) => createMissingTopics(admin, kafkaSettings(brokers, prefix, PARTITIONS)));
  }, 60_000);
  afterEach(() => Promise.all(consumers.map((consumer) => consumer.stop())));

  function consume(handle: (records: readonly EventRecord[]) => Promise<void>): KafkaEventConsumer {
    const settings = kafkaSettings(brokers, prefix, PARTITIONS);
    const consumer = new KafkaEventConsumer({ settings, clientId: 'test', log, handle });
    consumers.push(consumer);
    consumer.start();
    return consumer;
  }

  const numbers = (from: number, count: number, partition = 0) =>
    Array.from({ length: count }, (_, index) => ({ partition, value: String(from + index) }));
  const valuesOf = (records: readonly EventRecord[]) => records.map(({ value }) => Number(String(value)));
  const committed = () => bystander.committed(group, topic);

  it('hands over each record as it stands on the topic, from the earliest on', async () => {
    await bystander.send(topic, [
      {
        partition: 1,
        key: Buffer.from([255, 0]),
        value: Buffer.from([254]),
        timestamp: '1760000000123',
        headers: { a: ['1', Buffer.from([253])], b: 'ä' },
      },
      { partition: 1, value: null, timestamp: '1760000000124' },
    ]);
    const seen: EventRecord[] = [];
    consume(async (records) => void seen.push(...records));
    await until(() => seen.length === 2, patience);
    expect(seen).toEqual([
      {
        topic,
        partition: 1,
        offset: '0',
        timestampMs: 1_760_000_000_123,
        key: Buffer.from([255, 0]),
        value: Buffer.from([254]),
        headers: [
          ['a', Buffer.from('1')],
          ['a', Buffer.from([253])],
          ['b', Buffer.from('ä')],
        ],
      },
      {
        topic,
        partition: 1,
        offset: '1',
        timestampMs: 1_760_000_000_124,
        key: null,
        value: null,
        headers: [],
      },
    ]);
    await until(async () => (await committed())[1] === 2, patience);
  });

  it('commits an offset only after its record was handled', async () => {
    const gate = Promise.withResolvers<void>();
    let handed = 0;
    consume(async (records) => {
      handed += records.length;
      await gate.promise;
    });
    await bystander.send(topic, numbers(0, 3));
    await until(() => handed === 3, patience);
    expect(await committed()).toEqual([-1, -1]);
    gate.resolve();
    await until(async () => (await committed())[0] === 3, patience);
  });

  it('keeps the order of a partition in bounded batches, and skips nothing when the handler fails', async () => {
    await bystander.send(topic, [...numbers(0, 1_200), ...numbers(0, 3, 1)]);
    const done: number[] = [];
    const sizes: number[] = [];
    let failures = 0;
    consume(async (records) => {
      if (records[0]!.partition === 1) return;
      if (failures++ < 3) throw new Error('the database is away');
      sizes.push(records.length);
      done.push(...valuesOf(records));
    });
    await until(() => done.length >= 1_200, patience);
    expect(done).toEqual(Array.from({ length: 1_200 }, (_, index) => index));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    await until(async () => (await committed()).join() === '1200,3', patience);
    expect(log.count('events.not-taken-yet')).toBe(1);
  });

  it('stays in its group while a handler takes longer than the session', async () => {
    let handled = 0;
    const slowMs = 13_000;
    const started = performance.now();
    consume(async (records) => {
      handled += records.length;
      await until(() => performance.now() - started > slowMs, { timeoutMs: slowMs + 5_000, intervalMs: 200 });
    });
    await bystander.send(topic, numbers(0, 1));
    await until(async () => (await committed())[0] === 1, patience);
    // One that had been put out of the group would have read it again.
    expect(handled).toBe(1);
    expect(log.count('kafka.away')).toBe(0);
  }, 60_000);

  it('leaves what it cannot handle to another process, and none between them', async () => {
    const failing = consume(() => Promise.reject(new Error('this process is broken')));
    await until(() => failing.connected, patience);
    await bystander.send(topic, [...numbers(0, 5), ...numbers(100, 5, 1)]);
    await until(() => log.count('events.not-taken-yet') > 0, patience);
    const started = performance.now();
    await failing.stop();
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(await committed()).toEqual([-1, -1]);
    const done: number[] = [];
    consume(async (records) => void done.push(...valuesOf(records)));
    await until(() => done.length >= 10, patience);
    expect(done.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 100, 101, 102, 103, 104]);
  }, 60_000);

  it('lets go of a partition that another process joins to take, while its own handler fails', async () => {
    let broken = true;
    const seenBy = [new Set<number>(), new Set<number>()];
    const handler = (index: number) => async (records: readonly EventRecord[]) => {
      if (index === 0 && broken) throw new Error('this process is broken');
      for (const value of valuesOf(records)) seenBy[index]!.add(value);
    };
    const first = consume(handler(0));
    await until(() => first.connected, patience);
    await bystander.send(topic, [...numbers(0, 5), ...numbers(100, 5, 1)]);
    await until(() => log.count('events.not-taken-yet') > 0, patience);
    const second = consume(handler(1));
    await until(() => second.connected && seenBy[1]!.size === 5, patience);
    broken = false;
    await until(() => seenBy[0]!.size + seenBy[1]!.size === 10, patience);
    await until(async () => (await committed()).join() === '5,5', patience);
  }, 60_000);

  it('ends within bounds while a handler hangs, and commits nothing of that', async () => {
    let handed = 0;
    const consumer = consume((records) => {
      handed += records.length;
      return new Promise(() => undefined);
    });
    await bystander.send(topic, numbers(0, 2));
    await until(() => handed === 2, patience);
    const started = performance.now();
    await consumer.stop();
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(await committed()).toEqual([-1, -1]);
  }, 60_000);
});
