import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { EventRecordIntake } from '#delivery/accept/event-record-intake.js';
import type { EventRecord, RejectedRecord } from '#domain/event-record.js';
import { validated } from '#http/validation.js';
import { createLogger } from '#observability/logger.js';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';
import { headerOf, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PRODUCER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PRODUCER}-01`;

const event = (application: string, id: string) => ({
  application,
  type: 'cte.event.registered',
  id,
  data: { event_code: '110180', n_seq: '1', protocolo: '1' },
});

let receiver: RecordingReceiver;
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});

async function publish(
  api: AdminApi,
  body: object,
  headers: Record<string, string> = {},
  path = '/v1/events',
): Promise<number> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

const lines = (api: AdminApi, msg: string) => api.platform.logged.filter((line) => line['msg'] === msg);
const attemptLines = (api: AdminApi, event: string) =>
  lines(api, 'delivery.attempted').filter((line) => line['event'] === event);

describe('with traces exported', () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  }).getTracer('test');
  let api: AdminApi;

  beforeAll(async () => {
    api = await AdminApi.start({ tracer, logLevel: 'info' });
    for (const [id, settings] of [
      ['acme', { retryWaits: ['10ms'] }],
      ['asking', { retryWaits: ['10ms'], sendTraceparent: true }],
    ] as const) {
      await api.addApplication(id, settings);
      await api.addWebhook(id, receiver.urlOf('/hook-of-secret-path?token=secret-token'));
    }
    await api.platform.startWorker();
  });
  afterAll(() => api.stop());
  beforeEach(() => exporter.reset());

  const spans = () => exporter.getFinishedSpans();
  const idOf = (span: ReadableSpan) => span.spanContext().spanId;
  const named = (name: string, where: Record<string, unknown> = {}) =>
    spans().filter(
      (span) =>
        span.name === name && Object.entries(where).every(([key, value]) => span.attributes[key] === value),
    );
  const attemptsOf = (event: string) => named('deliver webhook', { 'entrega.event': event });

  it('has publish, first attempt and retry in the trace of the publisher', async () => {
    receiver.answer = (_, index) => ({ status: index === 0 ? 503 : 200 });
    await publish(api, event('acme', 'traced'), { traceparent: TRACEPARENT, tracestate: 'vendor=1' });
    await until(() => attemptLines(api, 'traced').length === 2);

    const [server] = named('POST /v1/events');
    expect(server!.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PRODUCER });
    expect(server!.attributes).toMatchObject({
      'http.route': '/v1/events',
      'http.response.status_code': 202,
    });
    const [first, retry] = attemptsOf('traced');
    for (const attempt of [first, retry]) {
      expect(attempt!.spanContext().traceId).toBe(TRACE);
      expect(attempt!.spanContext().traceState?.serialize()).toBe('vendor=1');
      expect(attempt!.parentSpanContext?.spanId).toBe(idOf(server!));
    }
    expect(first!.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': receiver.port,
      'entrega.application': 'acme',
      'entrega.attempt': 1,
      'entrega.trigger': 'first',
      'entrega.outcome': 'http_5xx',
      'http.response.status_code': 503,
      'error.type': '503',
    });
    expect(retry!.attributes).toMatchObject({
      'entrega.attempt': 2,
      'entrega.trigger': 'retry',
      'entrega.outcome': 'success',
      'entrega.delivery': first!.attributes['entrega.delivery'],
    });
    expect(attemptLines(api, 'traced').map((line) => line['traceId'])).toEqual([TRACE, TRACE]);
  });

  it('joins that trace though the first attempt is made by a worker that sweeps the delivery up later', async () => {
    await api.platform.stopWorker();
    await publish(api, event('acme', 'swept'), { traceparent: TRACEPARENT });
    api.platform.worker = api.platform.newWorker();
    await api.platform.startWorker();
    await until(() => attemptsOf('swept').length === 1);
    const [server] = named('POST /v1/events');
    expect(attemptsOf('swept')[0]!.parentSpanContext).toMatchObject({
      traceId: TRACE,
      spanId: idOf(server!),
    });
  });

  it('begins a trace where the publisher has none, or none that is valid', async () => {
    for (const [id, headers] of [
      ['untraced', {}],
      ['invalid', { traceparent: `00-${'0'.repeat(32)}-${PRODUCER}-01` }],
    ] as const) {
      exporter.reset();
      await publish(api, event('acme', id), headers);
      await until(() => attemptsOf(id).length === 1);
      const [server] = named('POST /v1/events');
      expect(server!.parentSpanContext).toBeUndefined();
      expect(attemptsOf(id)[0]!.parentSpanContext?.spanId).toBe(idOf(server!));
    }
  });

  it('records nothing of a trace that its publisher does not sample, and passes its context on', async () => {
    const traceparent = `00-${TRACE}-${PRODUCER}-00`;
    await publish(api, event('asking', 'unsampled'), { traceparent });
    await until(() => receiver.received.length === 1);
    await until(() => attemptLines(api, 'unsampled').length === 1);
    expect(spans()).toEqual([]);
    expect(headerOf(receiver.received[0]!, 'traceparent')).toMatch(
      new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`),
    );
  });

  it('tells the receiver of the attempt where its application asks for that, last and as kept, and else nothing', async () => {
    await publish(api, event('asking', 'told'), { traceparent: TRACEPARENT, tracestate: 'vendor=1' });
    await until(() => attemptsOf('told').length === 1);
    const expected = ['traceparent', `00-${TRACE}-${idOf(attemptsOf('told')[0]!)}-01`];
    const names = receiver.received[0]!.headers.map(([name]) => name);
    expect(receiver.received[0]!.headers).toContainEqual(expected);
    expect(headerOf(receiver.received[0]!, 'tracestate')).toBe('vendor=1');
    expect(names.indexOf('traceparent')).toBeGreaterThan(names.indexOf('X-TFFiscal-Signature'));

    await publish(api, event('acme', 'untold'), { traceparent: TRACEPARENT, tracestate: 'vendor=1' });
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]!.headers.filter(([name]) => /^trace/i.test(name))).toEqual([]);
  });

  it('links the statement that made publishes durable to each of them', async () => {
    const publishes = ['first', 'second', 'third'].map((id) => publish(api, event('acme', `linked-${id}`)));
    expect(await Promise.all(publishes)).toEqual([202, 202, 202]);
    const servers = named('POST /v1/events').map(idOf);
    const batches = named('accept events');
    expect(batches.flatMap(({ links }) => links.map(({ context }) => context.spanId)).sort()).toEqual(
      servers.sort(),
    );
    for (const batch of batches)
      expect(batch.attributes).toMatchObject({ 'entrega.via': 'http', 'entrega.rejected': 0 });
  });

  it('holds a span for each record of a topic, in the trace that its header names', async () => {
    const rejected: RejectedRecord[] = [];
    const intake = new EventRecordIntake({
      acceptor: api.platform.acceptor,
      check: validated,
      logger: createLogger({ role: 'test', level: 'silent', format: 'json' }),
      metrics: api.platform.metrics,
      reject: (records) => Promise.resolve(void rejected.push(...records)),
      tracer,
    });
    const record = (offset: string, value: object, headers: EventRecord['headers']): EventRecord => ({
      topic: 'events.v1',
      partition: 3,
      offset,
      timestampMs: Date.now(),
      key: null,
      value: Buffer.from(JSON.stringify(value)),
      headers,
    });
    const header = ['traceparent', Buffer.from(TRACEPARENT)] as const;
    await intake.take([
      record('7', event('acme', 'record'), [['other', Buffer.from('x')], header]),
      record('8', event('acme', 'twice-told'), [header, header]),
      record('9', { no: 'event' }, [header]),
    ]);
    await until(() => attemptsOf('record').length + attemptsOf('twice-told').length === 2);
    const [traced, untraced, refused] = named('process events.v1');
    expect(traced!.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PRODUCER });
    expect(untraced!.parentSpanContext).toBeUndefined();
    expect(refused!.attributes).toMatchObject({
      'messaging.kafka.offset': 9,
      'error.type': 'VALIDATION_FAILED',
    });
    expect(attemptsOf('record')[0]!.parentSpanContext?.spanId).toBe(idOf(traced!));
    expect(rejected).toHaveLength(1);
    expect(lines(api, 'events.accepted').at(-1)).toMatchObject({
      via: 'kafka',
      events: 3,
      rejected: 1,
      records: ['events.v1/3/7-9'],
    });
  });

  it('gives the calls of operators a span by their route, and health and metrics none', async () => {
    await api.call('GET', '/v1/deliveries/1');
    for (const path of ['/healthz', '/metrics', '/openapi.json']) await fetch(api.url + path);
    expect(spans().map(({ name }) => name)).toEqual(['GET /v1/deliveries/:id']);
    expect(spans()[0]!.attributes['http.response.status_code']).toBe(404);
  });

  it('holds no secret: neither key, nor credentials, nor path or query of a webhook', async () => {
    await publish(api, event('acme', 'secretive'));
    await until(() => attemptsOf('secretive').length === 1);
    const told = JSON.stringify(
      spans().map(({ attributes, events, name, status }) => [name, attributes, events, status]),
    );
    for (const secret of [ADMIN_KEY, 'token-1', 'secret-path', 'secret-token'])
      expect(told).not.toContain(secret);
  });
});

describe('with nothing exported', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await AdminApi.start({ logLevel: 'info' });
    for (const [id, settings] of [
      ['acme', {}],
      ['asking', { sendTraceparent: true }],
    ] as const) {
      await api.addApplication(id, settings);
      await api.addWebhook(id, receiver.url);
    }
    await api.platform.startWorker();
  });
  afterAll(() => api.stop());

  const storedContexts = () =>
    api.platform.sql<{ id: string; context: string | null }>(
      'SELECT public_id AS id, trace_context AS context FROM events ORDER BY events.id',
    );

  it('keeps what a valid publisher says of its trace, hands it on where asked, and logs its trace', async () => {
    const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE';
    await publish(api, event('asking', 'passed-on'), { traceparent: TRACEPARENT, tracestate });
    await publish(api, event('asking', 'nothing-said'));
    await publish(api, event('asking', 'nonsense'), { traceparent: 'nonsense', tracestate });
    await publish(api, event('acme', 'not-asked'), { traceparent: TRACEPARENT, tracestate });
    await until(() => receiver.received.length === 4);
    expect(await storedContexts()).toEqual([
      { id: 'passed-on', context: `${TRACEPARENT} ${tracestate}` },
      { id: 'nothing-said', context: null },
      { id: 'nonsense', context: null },
      { id: 'not-asked', context: `${TRACEPARENT} ${tracestate}` },
    ]);
    const sent = receiver.received.map(({ headers }) => headers.filter(([name]) => /^trace/i.test(name)));
    expect(sent.filter((headers) => headers.length > 0)).toEqual([
      [
        ['traceparent', TRACEPARENT],
        ['tracestate', tracestate],
      ],
    ]);
    await until(() => attemptLines(api, 'not-asked').length === 1);
    expect(attemptLines(api, 'passed-on')[0]).toMatchObject({ traceId: TRACE });
    expect(attemptLines(api, 'nothing-said')[0]).not.toHaveProperty('traceId');
  });

  it('logs one line for a batch, with what finds it again', async () => {
    api.platform.logged.length = 0;
    const events = [
      event('acme', 'of-a-batch'),
      event('asking', 'of-a-batch'),
      event('asking', 'passed-on'),
      { ...event('acme', 'of-a-batch'), data: { event_code: '110180', n_seq: '2', protocolo: '2' } },
      { no: 'event' },
      event('nobody', 'of-a-batch'),
    ];
    expect(await publish(api, { events }, { traceparent: TRACEPARENT }, '/v1/events/batch')).toBe(207);
    expect(lines(api, 'events.accepted')).toEqual([
      expect.objectContaining({
        level: 'info',
        via: 'http',
        events: 6,
        deliveries: 2,
        suppressed: 0,
        duplicates: 1,
        rejected: 3,
        applications: ['acme', 'asking', 'nobody'],
        requests: [expect.stringMatching(/^[0-9a-f]{12}-[0-9a-z]+$/)],
        traceIds: [TRACE],
        durationMs: expect.any(Number),
      }),
    ]);
  });

  it('names the first ten of many, whatever a batch holds', async () => {
    api.platform.logged.length = 0;
    const events = Array.from({ length: 30 }, (_, index) => event(`unknown-${index}`, 'many'));
    await publish(api, { events }, {}, '/v1/events/batch');
    const [line] = lines(api, 'events.accepted');
    expect(line).toMatchObject({ events: 30, rejected: 30 });
    expect(line!['applications']).toHaveLength(10);
  });
});
