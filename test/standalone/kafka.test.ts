import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageVersion } from '#config/build.js';
import { LOOPS } from '#observability/metrics/loop-metrics.js';
import { freePort } from '../support/free-port.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander } from '../support/kafka-topics.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { figureIn } from '../support/metrics-text.js';
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
  const readiness = async (origin: string) => {
    const response = await fetch(`${origin}/readyz`);
    return { status: response.status, body: (await response.json()) as { status: string; checks: object } };
  };

  it('dispatches over Kafka and takes events from its topic, and tells of both on OPS_PORT', async () => {
    const brokers = await testBrokers();
    const prefix = testTopicPrefix();
    const opsPort = await freePort();
    const ops = `http://127.0.0.1:${opsPort}`;
    const process = await start({
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: prefix,
      KAFKA_PARTITIONS: '2',
      OPS_PORT: String(opsPort),
      BUILD_REVISION: '4e2a227',
    });
    await until(async () => (await readiness(ops)).body.status === 'ready', patience);
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
    const metrics = async () => (await fetch(`${ops}/metrics`)).text();
    expect((await process.call('GET', '/metrics')).status).toBe(404);
    const build = { version: packageVersion(), revision: '4e2a227', role: 'standalone' };
    expect(figureIn(await metrics(), 'entrega_build_info', build)).toBe(1);
    for (const client of ['producer', 'events-consumer', 'references-consumer'])
      expect(figureIn(await metrics(), 'entrega_kafka_connected', { role: 'standalone', client })).toBe(1);
    for (const loop of LOOPS) {
      const finishedAt = figureIn(await metrics(), 'entrega_loop_last_success_timestamp_seconds', { loop });
      expect([loop, finishedAt]).toEqual([loop, expect.any(Number)]);
    }
    expect(figureIn(await metrics(), 'entrega_events_accepted_total', { via: 'kafka' })).toBe(1);
    expect(
      figureIn(await metrics(), 'entrega_dispatch_references_total', { result: 'published' }),
    ).toBeGreaterThan(0);
    await until(
      async () =>
        figureIn(await metrics(), 'entrega_kafka_consumer_lag_records', { topic: 'events.v1' }) === 0 &&
        figureIn(await metrics(), 'entrega_kafka_consumer_lag_records', { topic: 'deliveries.v1' }) === 0,
      patience,
    );
    expect(await process.end('SIGTERM')).toBe(0);
  }, 90_000);

  it('takes and delivers events without it, is degraded, and ends in time', async () => {
    const process = await start({ KAFKA_BROKERS: '127.0.0.1:1' });
    expect(await readiness(process.url)).toMatchObject({
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
