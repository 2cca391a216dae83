import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { giveBackDeliveries, takeDueDeliveries } from '#storage/sql/due-deliveries.js';
import { AdminApi } from '../support/admin-api.js';
import { figureIn, samplesIn } from '../support/metrics-text.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const CONTRACT = { contract: 'tf-fiscal' };
const TYPE = { ...CONTRACT, type: 'cte.event.registered' };

let api: AdminApi;
let receiver: RecordingReceiver;
let before: string;

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
  await api.platform.startWorker();
}, 60_000);
beforeEach(async () => {
  receiver.answer = () => ({ status: 200 });
  before = await scrape();
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

async function scrape(): Promise<string> {
  return (await api.call('GET', '/metrics', undefined, '')).text;
}

/** How much each has risen since the test began; figures without a change are left out. */
async function risen(names: readonly string[]): Promise<Record<string, number>> {
  const text = await scrape();
  const changes = samplesIn(text)
    .filter(({ name }) => names.includes(name))
    .map(({ name, labels, value }) => {
      const rest = Object.entries(labels).filter(([label]) => label !== 'contract');
      const key = [name.replace('entrega_', ''), ...rest.map(([, of]) => of)].join(' ');
      return [key, value - (figureIn(before, name, labels) ?? 0)] as const;
    });
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

function publish(application: string, id: string, type = TYPE.type) {
  return api.call('POST', '/v1/events', {
    application,
    type,
    id,
    data: { event_code: '110180', n_seq: '1', protocolo: '1' },
  });
}

async function stateOf(application: string, id: string): Promise<{ id: string; state: string }> {
  const answer = await api.call('GET', `/v1/deliveries?application=${application}&event=${id}`);
  return (answer.body as { items: { id: string; state: string }[] }).items[0]!;
}

async function untilState(application: string, id: string, state: string): Promise<string> {
  await until(async () => (await stateOf(application, id)).state === state);
  return (await stateOf(application, id)).id;
}

const DELIVERING = [
  'entrega_events_accepted_total',
  'entrega_events_duplicate_total',
  'entrega_events_rejected_total',
  'entrega_events_without_target_total',
  'entrega_deliveries_created_total',
  'entrega_deliveries_finished_total',
  'entrega_deliveries_requeued_total',
  'entrega_attempts_total',
  'entrega_attempt_duration_seconds_count',
  'entrega_attempt_lag_seconds_count',
  'entrega_publish_to_first_attempt_seconds_count',
  'entrega_internal_failures_total',
  'entrega_results_stale_total',
];

it('are open, in the text format of Prometheus', async () => {
  const { status, headers, text } = await api.call('GET', '/metrics', undefined, '');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(text).toContain('# TYPE entrega_attempts_total counter\n');
});

it('tell of deliveries from their publish over their death to redelivery and replay, each exactly once', async () => {
  await api.addApplication('told', { retryWaits: ['10ms'] });
  await api.addWebhook('told', receiver.url);
  before = await scrape();
  receiver.answer = () => ({ status: 500 });
  expect((await publish('told', 'dies')).status).toBe(202);
  expect((await publish('told', 'dies')).body).toMatchObject({ duplicate: true });
  const delivery = await untilState('told', 'dies', 'dead');
  receiver.answer = () => ({ status: 200 });
  await api.call('POST', `/v1/deliveries/${delivery}/redeliver`);
  await untilState('told', 'dies', 'delivered');
  receiver.answer = () => ({ status: 500 });
  await publish('told', 'dies-too');
  await untilState('told', 'dies-too', 'dead');
  receiver.answer = () => ({ status: 200 });
  await api.call('POST', '/v1/dead-letters/redeliver', { application: 'told' });
  await untilState('told', 'dies-too', 'delivered');
  expect(await risen(DELIVERING)).toEqual({
    'events_accepted_total cte.event.registered http': 2,
    'events_duplicate_total cte.event.registered http': 1,
    'deliveries_created_total pending': 2,
    'attempts_total http_5xx first': 2,
    'attempts_total http_5xx retry': 2,
    'attempts_total success redeliver': 1,
    'attempts_total success replay': 1,
    'attempt_duration_seconds_count http_5xx': 4,
    'attempt_duration_seconds_count success': 2,
    attempt_lag_seconds_count: 6,
    publish_to_first_attempt_seconds_count: 2,
    'deliveries_finished_total dead': 2,
    'deliveries_requeued_total redeliver': 1,
    'deliveries_requeued_total replay': 1,
    'deliveries_finished_total delivered': 2,
  });
});

it('tell what was refused, and of events that nobody wants, by names of ours alone', async () => {
  await api.addApplication('nobody');
  before = await scrape();
  const hostile = 'x"} 1\nentrega_evil_total 666';
  expect((await publish('nobody', 'a', hostile)).status).toBe(422);
  expect((await publish('nowhere', 'b')).status).toBe(422);
  expect((await publish('nobody', 'c')).status).toBe(202);
  const reserved = {
    application: 'nobody',
    type: 'invoice.cce.registered',
    id: 'd',
    data: { invoice_id: '1', chave: '1'.repeat(44), n_seq: '1' },
  };
  expect((await api.call('POST', '/v1/events', reserved)).status).toBe(202);
  expect(await risen(DELIVERING)).toEqual({
    'events_rejected_total http VALIDATION_FAILED': 1,
    'events_rejected_total http UNKNOWN_APPLICATION': 1,
    'events_accepted_total cte.event.registered http': 1,
    'events_accepted_total invoice.cce.registered http': 1,
    'events_without_target_total cte.event.registered': 1,
  });
  const text = await scrape();
  for (const name of ['evil', 'nobody', 'nowhere', new URL(receiver.url).port])
    expect(text).not.toContain(name);
});

it('tell of switches, and of what is canceled with them', async () => {
  await api.addApplication('switched', { breakerThreshold: 1, retryWaits: ['1h'] });
  const endpoint = await api.addWebhook('switched', receiver.url);
  before = await scrape();
  receiver.answer = () => ({ status: 503 });
  await publish('switched', 'trips');
  await until(async () => {
    const { body } = await api.call('GET', `/v1/endpoints/${endpoint}`);
    return (body as { state: string }).state === 'disabled';
  });
  await publish('switched', 'suppressed');
  await api.addWebhook('switched', receiver.url);
  const step = (name: string) => api.call('POST', `/v1/endpoints/${endpoint}/${name}`);
  await step('pause');
  await publish('switched', 'erased');
  await api.call('DELETE', '/v1/applications/switched/events/erased/body');
  for (const name of ['resume', 'disable', 'disable', 'enable', 'cancel-pending']) await step(name);
  await api.call('DELETE', `/v1/endpoints/${endpoint}`);
  const changes = await risen([
    'entrega_endpoint_transitions_total',
    'entrega_deliveries_created_total',
    'entrega_deliveries_finished_total',
  ]);
  expect(changes).toEqual({
    'endpoint_transitions_total disabled breaker': 1,
    'endpoint_transitions_total active registration': 1,
    'endpoint_transitions_total paused operator': 1,
    'endpoint_transitions_total active operator': 2,
    'endpoint_transitions_total disabled operator': 1,
    'endpoint_transitions_total revoked operator': 1,
    'deliveries_created_total pending': 2,
    'deliveries_created_total suppressed': 1,
    'deliveries_finished_total canceled': 2,
  });
});

it('tell of all endpoints of an application that is deleted, and of what waited for them', async () => {
  await api.addApplication('deleted');
  const endpoint = await api.addWebhook('deleted', receiver.url);
  await api.call('POST', `/v1/endpoints/${endpoint}/pause`);
  await publish('deleted', 'waits');
  before = await scrape();
  expect((await api.call('DELETE', '/v1/applications/deleted')).status).toBe(204);
  expect(await risen(['entrega_endpoint_transitions_total', 'entrega_deliveries_finished_total'])).toEqual({
    'endpoint_transitions_total revoked operator': 1,
    'deliveries_finished_total canceled': 1,
  });
});

it('tell of results that come when the delivery is in other hands, and of references to it', async () => {
  await api.addApplication('lost', { retryWaits: ['1h'] });
  const endpoint = await api.addWebhook('lost', receiver.url);
  receiver.answer = async () => {
    await api.platform.sql(`UPDATE deliveries SET due_at = due_at + interval '1 ms' WHERE endpoint_id = $1`, [
      endpoint,
    ]);
    return { status: 500 };
  };
  await publish('lost', 'taken');
  const names = ['entrega_results_stale_total', 'entrega_dispatch_references_total'];
  await until(async () => (await risen(names))['results_stale_total'] === 1);
  const [row] = await api.platform.sql<{ id: number }>('SELECT id FROM deliveries WHERE endpoint_id = $1', [
    endpoint,
  ]);
  await api.platform.transport.sendReferences([
    { deliveryId: row!.id, endpointId: Number(endpoint), token: 1 },
  ]);
  await until(async () => (await risen(names))['dispatch_references_total stale'] === 1);
  expect(await risen(names)).toEqual({
    results_stale_total: 1,
    'dispatch_references_total published': 1,
    'dispatch_references_total stale': 1,
  });
});

it('tell of faults of ours, which are no attempts', async () => {
  await api.addApplication('faulty');
  const endpoint = await api.addWebhook('faulty', receiver.url);
  await api.platform.sql(`UPDATE endpoints SET credentials = substring(credentials FOR 20) WHERE id = $1`, [
    endpoint,
  ]);
  await publish('faulty', 'unreadable');
  const names = ['entrega_internal_failures_total', 'entrega_attempts_total'];
  await until(async () => Object.keys(await risen(names)).length > 0);
  await api.call('DELETE', `/v1/endpoints/${endpoint}`);
  expect(Object.keys(await risen(names))).toEqual(['internal_failures_total compose']);
});

it('count a lease that ran out, and none that was given back', async () => {
  await api.addApplication('leased');
  const endpoint = await api.addWebhook('leased', receiver.url);
  await api.platform.stopWorker();
  await publish('leased', 'given-back');
  const [given] = await api.platform.sql<{ id: number }>('SELECT id FROM deliveries WHERE endpoint_id = $1', [
    endpoint,
  ]);
  const rooms = [{ endpointId: Number(endpoint), fromId: given!.id, room: 1 }];
  const { database } = api.platform;
  const taken = await takeDueDeliveries(database, rooms, given!.id + 1, 60_000);
  expect(await giveBackDeliveries(database, taken)).toBe(1);
  await publish('leased', 'left');
  await api.platform.sql(
    `UPDATE deliveries SET scheduled_at = now_ms() - interval '2 s', due_at = now_ms() - interval '1 s'
      WHERE endpoint_id = $1 AND id <> $2`,
    [endpoint, given!.id],
  );
  before = await scrape();
  api.platform.worker = api.platform.newWorker();
  await api.platform.startWorker();
  await untilState('leased', 'left', 'delivered');
  await untilState('leased', 'given-back', 'delivered');
  expect(await risen(['entrega_leases_expired_total'])).toEqual({ leases_expired_total: 1 });
});

it('tell of requests by the template of their route, and of all that have none by one value', async () => {
  for (const path of ['/v1/deliveries/1', '/v1/deliveries/2', '/nothing', '/nowhere/at/all'])
    await api.call('GET', path);
  const requests = await risen(['entrega_http_request_duration_seconds_count']);
  expect(requests).toMatchObject({
    'http_request_duration_seconds_count GET /v1/deliveries/:id 404': 2,
    'http_request_duration_seconds_count GET unknown 404': 2,
  });
});

it('tell of statements, connections, slots and loops', async () => {
  const text = await scrape();
  for (const statement of [
    'accept-events',
    'read-attempt-inputs',
    'record-attempt-results',
    'find-due-endpoints',
  ])
    expect(figureIn(text, 'entrega_db_statement_duration_seconds_count', { statement })).toBeGreaterThan(0);
  expect(figureIn(text, 'entrega_attempt_slots')).toBe(64);
  expect(figureIn(text, 'entrega_attempts_in_flight')).toBe(0);
  expect(figureIn(text, 'entrega_outbound_requests_total')).toBeGreaterThan(0);
  for (const loop of ['sweep', 'results', 'outbox', 'replay', 'erasure']) {
    const ageSeconds =
      Date.now() / 1_000 - figureIn(text, 'entrega_loop_last_success_timestamp_seconds', { loop })!;
    expect([loop, ageSeconds < 5]).toEqual([loop, true]);
    expect(figureIn(text, 'entrega_loop_failures_total', { loop })).toBe(0);
  }
});
