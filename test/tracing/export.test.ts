import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander } from '../support/kafka-topics.js';
import { otlpSpans } from '../support/otlp-spans.js';
import { headerOf, RecordingReceiver } from '../support/recording-receiver.js';
import { ADMIN_KEY, StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const patience = { timeoutMs: 30_000 };
const OVER_HTTP = 'a'.repeat(32);
const OVER_KAFKA = 'b'.repeat(32);
const PRODUCER = '00f067aa0ba902b7';
const traceparent = (traceId: string) => `00-${traceId}-${PRODUCER}-01`;

describe('the traces of a process', () => {
  let testDatabase: TestDatabase;
  let dataDir: string;
  let receiver: RecordingReceiver;
  let collector: RecordingReceiver;
  let running: StandaloneProcess | undefined;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'entrega-traces-test-'));
    receiver = await RecordingReceiver.start();
    collector = await RecordingReceiver.start();
  });
  afterEach(async () => {
    await running?.end('SIGKILL');
    await receiver.stop();
    await collector.stop();
    await rm(dataDir, { recursive: true, force: true });
    await testDatabase.drop();
  });

  async function start(env: Record<string, string>): Promise<StandaloneProcess> {
    running = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir, env });
    const settings = { retryWaits: ['50ms'], sendTraceparent: true };
    await running.call('PUT', '/v1/applications/acme', { name: 'Acme', contract: 'tf-fiscal', settings });
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
  async function publish(process: StandaloneProcess, id: string, traceId: string): Promise<void> {
    const response = await fetch(`${process.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        'content-type': 'application/json',
        traceparent: traceparent(traceId),
      },
      body: JSON.stringify(event(id)),
    });
    expect(response.status).toBe(202);
  }
  const spans = () => collector.received.flatMap(({ body }) => otlpSpans(body));
  const lines = (msg: string) => running!.lines.filter((line) => line['msg'] === msg);

  it('reach the collector: a publish over HTTP and one over Kafka, each with its attempts', async () => {
    const [brokers, prefix] = [await testBrokers(), testTopicPrefix()];
    const seen = new Map<string, number>();
    receiver.answer = (received) => {
      const id = headerOf(received, 'x-tffiscal-event-id')!;
      seen.set(id, (seen.get(id) ?? 0) + 1);
      return { status: seen.get(id) === 1 ? 503 : 200 };
    };
    const process = await start({
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: prefix,
      KAFKA_PARTITIONS: '2',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
      OTEL_RESOURCE_ATTRIBUTES: 'team=payments',
      // Longer than the test: what comes, comes as the process ends.
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    await until(
      async () => ((await process.call('GET', '/readyz')).body as { status: string }).status === 'ready',
      patience,
    );
    await publish(process, 'over-http', OVER_HTTP);
    const record = {
      value: JSON.stringify(event('over-kafka')),
      headers: { traceparent: traceparent(OVER_KAFKA) },
    };
    await new KafkaBystander(brokers).send(`${prefix}events.v1`, [record]);
    await until(
      () => lines('delivery.attempted').filter(({ outcome }) => outcome === 'success').length === 2,
      patience,
    );
    expect(collector.received).toEqual([]);
    expect(await process.end('SIGTERM')).toBe(0);

    expect(collector.received.length).toBeGreaterThan(0);
    for (const request of collector.received) {
      expect(request).toMatchObject({ method: 'POST', path: '/v1/traces' });
      expect(headerOf(request, 'content-type')).toBe('application/x-protobuf');
      expect(headerOf(request, 'authorization')).toBe('Bearer of-the-collector');
    }
    expect(new Set(spans().map(({ service }) => service))).toEqual(new Set(['entrega-standalone']));
    for (const [traceId, begins, id] of [
      [OVER_HTTP, 'POST /v1/events', 'over-http'],
      [OVER_KAFKA, `process ${prefix}events.v1`, 'over-kafka'],
    ] as const) {
      const trace = spans().filter((span) => span.traceId === traceId);
      const [publish, ...others] = trace.filter(({ name }) => name === begins);
      expect(others).toEqual([]);
      expect(publish!.parentSpanId).toBe(PRODUCER);
      const attempts = trace.filter(({ name }) => name === 'deliver webhook');
      expect(
        attempts.map(({ parentSpanId, attributes }) => [
          parentSpanId,
          attributes['entrega.event'],
          attributes['entrega.attempt'],
          attributes['entrega.outcome'],
        ]),
      ).toEqual([
        [publish!.spanId, id, 1, 'http_5xx'],
        [publish!.spanId, id, 2, 'success'],
      ]);
      expect(
        spans().filter(({ name, links }) => name === 'accept events' && links.includes(publish!.spanId)),
      ).toHaveLength(1);
      const told = receiver.received
        .filter((received) => headerOf(received, 'x-tffiscal-event-id') === id)
        .map((received) => headerOf(received, 'traceparent'));
      expect(told).toEqual(attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`));
    }
  }, 90_000);

  it('are lost while the collector is away, which is said once, holds nothing up and ends the process in time', async () => {
    const { port } = collector;
    await collector.stop();
    const process = await start({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    });
    for (let n = 0; lines('traces.not-exported').length === 0; n++)
      await publish(process, `away-${n}`, OVER_HTTP);
    for (let n = 0; n < 50; n++) await publish(process, `still-away-${n}`, OVER_HTTP);
    await until(() => receiver.received.length >= 51, patience);
    const stopped = performance.now();
    expect(await process.end('SIGTERM')).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(6_000);
    expect(lines('traces.not-exported')).toHaveLength(1);
  }, 60_000);

  it('are not there unless a collector is set, and OTEL_SDK_DISABLED takes them away', async () => {
    const process = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_SDK_DISABLED: 'true',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    });
    await publish(process, 'untraced', OVER_HTTP);
    await until(() => receiver.received.length === 1, patience);
    expect(await process.end('SIGTERM')).toBe(0);
    expect(collector.received).toEqual([]);
    expect(headerOf(receiver.received[0]!, 'traceparent')).toBe(traceparent(OVER_HTTP));
  }, 60_000);
});
