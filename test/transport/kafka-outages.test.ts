import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { startTestKafka, type TestKafka, testTopicPrefix } from '../support/kafka.js';
import { kafkaSettings, RememberingLog } from '../support/kafka-topics.js';
import { until } from '../support/until.js';
import { CollectingReceiver, referencesOf } from './conformance.js';

const patience = { timeoutMs: 40_000 };
const ANNOUNCEMENT = { topic: 'dead-letters.v1', key: 'k', payload: {} };

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const started = performance.now();
  return { result: await work, ms: performance.now() - started };
}

describe('KafkaTransport in an outage', () => {
  let kafka: TestKafka;
  let transport: KafkaTransport;
  let receiver: CollectingReceiver;
  let log: RememberingLog;

  beforeAll(async () => {
    kafka = await startTestKafka();
  }, 60_000);
  afterAll(() => kafka.remove());
  afterEach(async () => {
    await transport.close();
    await kafka.start();
    await kafka.resume();
  }, 60_000);

  /** A transport with a worker, of topics of their own. */
  async function connect(): Promise<void> {
    log = new RememberingLog();
    transport = new KafkaTransport(kafkaSettings(kafka.brokers, testTopicPrefix()), 'test', log);
    receiver = new CollectingReceiver();
    await transport.receiveReferences(receiver);
    await until(() => transport.connected && transport.ready, patience);
  }

  /** References of several endpoints, and so of all partitions, arrive. */
  async function flows(round: number): Promise<void> {
    await until(() => transport.connected && transport.ready, patience);
    const references = referencesOf(
      Array.from({ length: 16 }, (_, index) => 100 * round + index),
      2,
    );
    expect(await transport.sendReferences(references)).toEqual([]);
    const sent = new Set(references.map(({ deliveryId }) => deliveryId));
    const arrived = () => receiver.received.filter(({ deliveryId }) => sent.has(deliveryId));
    await until(() => arrived().length >= references.length, patience);
    expect(arrived()).toHaveLength(references.length);
  }

  it('returns references and refuses announcements while the broker is gone, and comes back by itself', async () => {
    await connect();
    await flows(1);
    await kafka.stop();
    const { result, ms } = await timed(transport.sendReferences(referencesOf([2], 3)));
    expect(result).toEqual(referencesOf([2], 3));
    expect(ms).toBeLessThan(3_000);
    await until(() => !transport.connected && !transport.ready, patience);
    await expect(transport.announce([ANNOUNCEMENT])).rejects.toThrow('Kafka is away');
    await kafka.start();
    await flows(3);
    await transport.announce([ANNOUNCEMENT]);
    // An outage is news when it begins and when it ends, however many attempts lie between.
    for (const client of ['producer', 'consumer of deliveries.v1']) {
      const news = log.lines.filter(
        (line) => line.level !== 'debug' && 'client' in line.fields && line.fields.client === client,
      );
      expect(news.map(({ message }) => message)).toEqual(['kafka.connected', 'kafka.away', 'kafka.back']);
    }
  }, 120_000);

  it('waits for a broker that hangs no longer than two seconds, and comes back by itself', async () => {
    await connect();
    await kafka.pause();
    const sends = Array.from({ length: 10 }, (_, index) => referencesOf([10 + index], 1));
    const { result, ms } = await timed(Promise.all(sends.map((one) => transport.sendReferences(one))));
    expect(result).toEqual(sends);
    expect(ms).toBeLessThan(3_000);
    await until(() => !transport.ready, patience);
    await kafka.resume();
    await flows(4);
  }, 120_000);

  it('holds no more than a bounded number of references for a broker that hangs', async () => {
    await connect();
    await kafka.pause();
    const batch = referencesOf([40], 500);
    let returnedAtOnce = 0;
    const sends: Promise<readonly DeliveryReference[]>[] = [];
    for (let round = 0; round < 200; round++) {
      const send = transport.sendReferences(batch);
      sends.push(send);
      void send.then((unsent) => (returnedAtOnce += unsent.length));
    }
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(returnedAtOnce).toBe(200 * 500 - 10_000);
    const { result, ms } = await timed(Promise.all(sends));
    expect(result.flat()).toHaveLength(200 * 500);
    expect(ms).toBeLessThan(4_000);
  }, 120_000);

  it.each([
    ['gone', () => kafka.kill()],
    ['hanging', () => kafka.pause()],
  ])(
    'ends within six seconds with the broker %s',
    async (_, break_) => {
      await connect();
      await break_();
      void transport.sendReferences(referencesOf([1], 1));
      void transport.announce([ANNOUNCEMENT]).catch(() => undefined);
      const { ms } = await timed(transport.close());
      expect(ms).toBeLessThan(6_000);
    },
    60_000,
  );

  it('ends at once while it tries to connect', async () => {
    await kafka.stop();
    log = new RememberingLog();
    transport = new KafkaTransport(kafkaSettings(kafka.brokers, testTopicPrefix()), 'test', log);
    await transport.receiveReferences(new CollectingReceiver());
    await until(() => log.count('kafka.still-away') > 0, patience);
    const { ms } = await timed(transport.close());
    expect(ms).toBeLessThan(3_000);
  }, 60_000);

  it('gets a new consumer after a fault that kafkajs does not get over', async () => {
    await connect();
    let faults = 0;
    const receive = receiver.receive.bind(receiver);
    receiver.receive = (references) => {
      // Of a TypeError kafkajs believes that trying again is of no use, and ends its consumer for good.
      if (faults++ === 0) throw new TypeError('a fault of ours');
      receive(references);
    };
    await transport.sendReferences(referencesOf([1], 1));
    const crashes = () =>
      log.lines.filter(
        ({ message, fields }) =>
          message === 'kafka.away' && 'err' in fields && /a fault of ours/.test(String(fields.err)),
      );
    await until(() => crashes().length > 0, patience);
    await flows(5);
    expect(crashes()).toHaveLength(1);
  }, 60_000);

  it('gets a new consumer when one gives no sign of life for longer than a rebalance takes', async () => {
    await connect();
    await kafka.pause();
    const gaveUp = () =>
      log.lines.some(({ fields }) => 'err' in fields && /no sign of life/.test(String(fields.err)));
    await until(gaveUp, { timeoutMs: 35_000 });
    expect(transport.ready).toBe(false);
    await kafka.resume();
    await flows(6);
  }, 90_000);

  it('leaves what is due to the sweep while no worker listens', async () => {
    log = new RememberingLog();
    const settings = kafkaSettings(kafka.brokers, testTopicPrefix());
    transport = new KafkaTransport(settings, 'test', log);
    await until(() => transport.ready, patience);
    expect(transport.connected).toBe(false);
    expect(await transport.sendReferences(referencesOf([1], 1))).toEqual(referencesOf([1], 1));
    const worker = new KafkaTransport(settings, 'worker', log);
    await worker.receiveReferences(new CollectingReceiver());
    await until(() => transport.connected, patience);
    await worker.close();
    await until(() => !transport.connected, patience);
    expect(transport.ready).toBe(true);
  }, 60_000);

  it('keeps no timers running while nothing happens', async () => {
    await connect();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      const started = performance.now();
      await until(() => performance.now() - started > 1_000, { intervalMs: 200 });
      // Two fetches and a look or two; kafkajs by itself sets a thousand for each connection.
      expect(timers.mock.calls.length).toBeLessThan(100);
    } finally {
      timers.mockRestore();
    }
  }, 60_000);
});
