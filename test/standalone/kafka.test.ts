import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander } from '../support/kafka-topics.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const patience = { timeoutMs: 30_000 };

describe('the all-in-one process with KAFKA_BROKERS', () => {
  let testDatabase: TestDatabase;
  let dataDir: string;
  let receiver: RecordingReceiver;
  let running: StandaloneProcess | undefined;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'entrega-kafka-test-'));
    receiver = await RecordingReceiver.start();
  });
  afterEach(async () => {
    await running?.end('SIGKILL');
    await receiver.stop();
    await rm(dataDir, { recursive: true, force: true });
    await testDatabase.drop();
  });

  async function start(env: Record<string, string>): Promise<StandaloneProcess> {
    running = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir, env });
    await running.call('PUT', '/v1/applications/acme', { name: 'Acme', contract: 'tf-fiscal' });
    const webhook = { url: receiver.url, credentials: { token: 'token' } };
    expect((await running.call('PUT', '/v1/applications/acme/webhook', webhook)).status).toBe(201);
    return running;
  }

  const event = (id: string) => ({
    application: 'acme',
    type: 'cte.event.registered',
    id,
    data: { event_code: '110180', n_seq: '1', protocolo: '1' },
  });
  const received = () => receiver.headerValues('x-tffiscal-event-id');
  const readiness = async (process: StandaloneProcess) => {
    const { status, body } = await process.call('GET', '/readyz');
    return { status, body: body as { status: string; checks: object } };
  };

  it('dispatches over Kafka and takes events from its topic', async () => {
    const brokers = await testBrokers();
    const prefix = testTopicPrefix();
    const process = await start({
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: prefix,
      KAFKA_PARTITIONS: '2',
    });
    await until(async () => (await readiness(process)).body.status === 'ready', patience);
    const bystander = new KafkaBystander(brokers);
    await bystander.send(`${prefix}events.v1`, [{ value: JSON.stringify(event('over-kafka')) }]);
    await until(() => received().includes('over-kafka'), patience);
    // Until the workers' group stands, what is due is left to the sweep, and nothing lies on the topic.
    await until(async () => {
      await process.call('POST', '/v1/events', event(`over-http-${received().length}`));
      const offsets = await bystander.admin((admin) => admin.fetchTopicOffsets(`${prefix}deliveries.v1`));
      return offsets.some(({ high }) => Number(high) > 0);
    }, patience);
    await until(() => received().some((id) => id.startsWith('over-http')), patience);
    expect(await process.end('SIGTERM')).toBe(0);
  }, 90_000);

  it('takes and delivers events without it, is degraded, and ends in time', async () => {
    const process = await start({ KAFKA_BROKERS: '127.0.0.1:1' });
    expect(await readiness(process)).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { transport: 'failed' } },
    });
    const published = performance.now();
    expect((await process.call('POST', '/v1/events', event('without'))).status).toBe(202);
    await until(() => received().includes('without'), patience);
    expect(performance.now() - published).toBeLessThan(5_000);
    const stopped = performance.now();
    expect(await process.end('SIGTERM')).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(15_000);
  }, 60_000);
});
