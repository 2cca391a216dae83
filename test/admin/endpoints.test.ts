import { createHash } from 'node:crypto';
import { acceptEvents } from '#storage/sql/accept-events.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const MAX_ENDPOINTS = 4;

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  [api, receiver] = await Promise.all([
    AdminApi.start({ maxEndpointsPerApplication: MAX_ENDPOINTS }),
    RecordingReceiver.start(),
  ]);
  await api.platform.startWorker();
});
afterEach(() => {
  receiver.answer = () => ({ status: 200 });
  receiver.received.length = 0;
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const create = (application: string, body: object) =>
  api.call('POST', `/v1/applications/${application}/endpoints`, {
    url: receiver.url,
    credentials: { token: 'token-1' },
    ...body,
  });
const get = async (id: string) => (await api.call('GET', `/v1/endpoints/${id}`)).body;
const act = (id: string, action: string, body?: object, key?: string) =>
  api.call('POST', `/v1/endpoints/${id}/${action}`, body, key);
const deliveriesOf = async (endpoint: string) =>
  (await api.call('GET', `/v1/deliveries?endpoint=${endpoint}`)).body.items as Record<string, unknown>[];
const header = (index: number, name: string) => receiver.headerValues(name)[index];

/** Sessions of this test's database that wait for a lock at this moment. */
async function waitingForLocks(): Promise<number> {
  const [row] = await api.platform.sql<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.waiting;
}

function eventToAccept(applicationId: string, publicId: string) {
  const digest = createHash('sha256').update(publicId).digest().subarray(0, 16);
  return {
    applicationId,
    contract: 'tf-fiscal',
    publicId,
    digest,
    contentHash: digest,
    type: 'cte.event.registered',
    occurredAt: new Date(),
    body: Buffer.from('{}'),
    reserved: false,
    delayFrom: 'occurrence' as const,
    firstAttemptDelayMs: 3_600_000,
    keepsUrl: false,
    traceContext: null,
  };
}

describe('several targets of one application (TF-02)', () => {
  it('get the same event, each under a delivery id of its own that stays the same on every attempt', async () => {
    await api.addApplication('fan-out', { retryWaits: ['10ms'] });
    await api.addWebhook('fan-out', `${receiver.url}/webhook`);
    const answer = await create('fan-out', { url: `${receiver.url}/beside` });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/endpoints/${answer.body.id}`);
    expect(answer.body).toMatchObject({ webhook: false, eventTypes: null, state: 'active', warnings: [] });
    receiver.answer = (_, index) => ({ status: index < 2 ? 500 : 200 });
    const { id } = await api.platform.publish('fan-out');
    await until(() => receiver.received.length === 4);
    expect(new Set(receiver.headerValues('X-Tffiscal-Event-Id'))).toEqual(new Set([id]));
    const deliveryIds = new Map<string, Set<string | undefined>>();
    for (const [index, { path }] of receiver.received.entries()) {
      const ids = deliveryIds.get(path) ?? new Set();
      deliveryIds.set(path, ids.add(header(index, 'X-Tffiscal-Delivery-Id')));
    }
    expect([...deliveryIds.values()].map((ids) => ids.size)).toEqual([1, 1]);
    expect(new Set([...deliveryIds.values()].flatMap((ids) => [...ids])).size).toBe(2);
  });

  it('may filter types; each needs a token', async () => {
    await api.addApplication('filtered');
    const filtered = await create('filtered', { eventTypes: ['cte.authorized', 'cte.authorized'] });
    expect(filtered.body.eventTypes).toEqual(['cte.authorized']);
    expect(await api.platform.publish('filtered')).toMatchObject({ deliveryCount: 0 });
    await api.call('PATCH', `/v1/endpoints/${filtered.body.id}`, { eventTypes: ['cte.event.registered'] });
    expect(await api.platform.publish('filtered')).toMatchObject({ deliveryCount: 1 });
    await api.call('PATCH', `/v1/endpoints/${filtered.body.id}`, { eventTypes: null });
    expect(await get(filtered.body.id)).toMatchObject({ eventTypes: null });
    const untokened = await create('filtered', { credentials: undefined });
    expect(untokened.body).toMatchObject({ status: 422, errors: [{ pointer: '/credentials/token' }] });
  });

  it('are disabled by the breaker each on its own (TF-40)', async () => {
    await api.addApplication('apart', { breakerThreshold: 2, retryWaits: ['10ms'] });
    const good = await api.addWebhook('apart', `${receiver.url}/good`);
    const bad = (await create('apart', { url: `${receiver.url}/bad` })).body.id as string;
    receiver.answer = ({ path }) => ({ status: path.endsWith('bad') ? 500 : 200 });
    await api.platform.publish('apart');
    await until(async () => (await get(bad)).state === 'disabled');
    expect(await get(good)).toMatchObject({ state: 'active', consecutiveFailures: 0 });
  });
});

describe('an endpoint that an operator disables (TF-41)', () => {
  it('gets no new event, each of which is kept suppressed, while what was queued goes on', async () => {
    await api.addApplication('switched', { retryWaits: ['300ms'] });
    const id = await api.addWebhook('switched', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await api.platform.publish('switched', 'queued-before');
    await until(() => receiver.received.length === 1);
    const disabled = await act(id, 'disable', { reason: 'maintenance until noon' });
    expect(disabled.body).toMatchObject({ state: 'disabled', disabledReason: 'maintenance until noon' });
    expect(Date.parse(disabled.body.disabledAt)).toBeGreaterThan(Date.now() - 60_000);
    receiver.answer = () => ({ status: 200 });
    expect(await api.platform.publish('switched', 'kept')).toMatchObject({
      deliveryCount: 0,
      suppressedCount: 1,
    });
    await until(async () => (await deliveriesOf(id)).some(({ state }) => state === 'delivered'));
    expect(await deliveriesOf(id)).toMatchObject([
      { event: 'kept', state: 'suppressed', attemptCount: 0, maxAttempts: 2, nextAttemptAt: null },
      { event: 'queued-before', state: 'delivered', attemptCount: 2 },
    ]);
    expect(receiver.headerValues('X-Tffiscal-Event-Id')).toEqual(['queued-before', 'queued-before']);
    expect(await get(id)).toMatchObject({ state: 'disabled', consecutiveFailures: 0 });

    const enabled = await act(id, 'enable');
    expect(enabled.body).toMatchObject({ state: 'active', disabledReason: null, suppressedCount: 1 });
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'suppressed' }, { state: 'delivered' }]);
    expect(await api.platform.publish('switched')).toMatchObject({ deliveryCount: 1 });
  });

  it('keeps its first reason when it is disabled again, and each change is announced once', async () => {
    await api.addApplication('twice');
    const id = await api.addWebhook('twice', receiver.url);
    await act(id, 'disable', { reason: 'first' });
    expect((await act(id, 'disable', { reason: 'second' })).body.disabledReason).toBe('first');
    await act(id, 'enable');
    await act(id, 'enable');
    const types = () =>
      api.platform.announced.filter(({ key }) => key === id).map(({ payload }) => payload['type']);
    await until(() => types().length >= 2);
    expect(types()).toEqual(['endpoint.disabled', 'endpoint.restored']);
  });

  it('has its counter set to 0 by enable (TF-43)', async () => {
    await api.addApplication('counted', { retryWaits: ['1h'] });
    const id = await api.addWebhook('counted', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await api.platform.publish('counted');
    await until(async () => (await get(id)).consecutiveFailures === 1);
    expect((await act(id, 'enable')).body).toMatchObject({ state: 'active', consecutiveFailures: 0 });
  });
});

describe('revoking an endpoint', () => {
  it('cancels what waits, and what is in flight is delivered if it is acknowledged', async () => {
    await api.addApplication('revoked', { retryWaits: ['1h'] });
    const id = await api.addWebhook('revoked', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await api.platform.publish('revoked', 'waits');
    await until(async () => (await deliveriesOf(id))[0]?.['attemptCount'] === 1);
    receiver.answer = () => ({ status: 200, delayMs: 300 });
    await api.platform.publish('revoked', 'in-flight');
    await until(() => receiver.received.length === 2);
    expect((await api.call('DELETE', `/v1/endpoints/${id}`)).status).toBe(204);
    await until(async () => (await deliveriesOf(id))[0]?.['state'] === 'delivered');
    expect(await deliveriesOf(id)).toMatchObject([
      { event: 'in-flight', state: 'delivered' },
      { event: 'waits', state: 'canceled', nextAttemptAt: null, finishedAt: expect.any(String) },
    ]);
    expect(await api.platform.publish('revoked')).toMatchObject({ deliveryCount: 0, suppressedCount: 0 });
  });

  it('cannot be undone, is listed only on request, and may be repeated', async () => {
    await api.addApplication('final');
    const id = (await create('final', {})).body.id as string;
    const revoke = () => api.call('DELETE', `/v1/endpoints/${id}`);
    expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 204]);
    for (const action of ['enable', 'disable', 'verify']) {
      expect((await act(id, action)).body).toMatchObject({ status: 409, code: 'ENDPOINT_REVOKED' });
    }
    const patched = await api.call('PATCH', `/v1/endpoints/${id}`, { description: 'x' });
    expect(patched.body.code).toBe('ENDPOINT_REVOKED');
    const list = async (query: string) =>
      (await api.call('GET', `/v1/applications/final/endpoints${query}`)).body.items.length as number;
    expect([await list(''), await list('?state=revoked')]).toEqual([0, 1]);
  });

  it.each([
    ['overtaken', (id: string) => `/v1/endpoints/${id}`],
    ['overtaken-too', () => '/v1/applications/overtaken-too'],
  ])(
    'waits for an acceptance that began before it, and cancels what that one added: %s',
    async (application, path) => {
      await api.addApplication(application, { firstAttemptDelay: '1h' });
      const id = await api.addWebhook(application, receiver.url);
      let revoking: Promise<unknown> | undefined;
      let answered = false;
      await api.platform.database.transaction(async (connection) => {
        const [accepted] = await acceptEvents(
          { query: connection.query, transaction: (work) => work(connection) },
          [[eventToAccept(application, 'accepted-before')]],
          null,
        );
        expect(accepted).toMatchObject({ deliveryCount: 1 });
        revoking = api.call('DELETE', path(id)).then(() => (answered = true));
        // Either it waits for our lock, as it must, or it has overtaken us and the delivery below is never canceled.
        await until(async () => answered || (await waitingForLocks()) > 0);
      });
      await revoking;
      expect(await deliveriesOf(id)).toMatchObject([{ event: 'accepted-before', state: 'canceled' }]);
    },
  );

  it('leaves nothing pending however many wait', async () => {
    await api.addApplication('busy');
    const id = await api.addWebhook('busy', receiver.url);
    await api.platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
       SELECT 1, 'busy', $1, 'cte.event.registered', 'pending', at, at
         FROM generate_series(1, 5000) AS n, LATERAL (SELECT now_ms() + (1 + n % 7) * interval '1 hour' AS at)`,
      [id],
    );
    await api.call('DELETE', `/v1/endpoints/${id}`);
    const rows = await api.platform.sql<{ state: string; count: number }>(
      'SELECT state, count(*) FROM deliveries WHERE endpoint_id = $1 GROUP BY state',
      [id],
    );
    expect(rows).toEqual([{ state: 'canceled', count: 5_000 }]);
  });
});

describe('the endpoints of an application', () => {
  it('are listed with the webhook first, page by page', async () => {
    await api.addApplication('listed');
    const first = (await create('listed', {})).body.id as string;
    const second = (await create('listed', { description: 'second' })).body.id as string;
    const webhook = await api.addWebhook('listed', receiver.url);
    const list = async (query: string) =>
      (await api.call('GET', `/v1/applications/listed/endpoints${query}`)).body;
    const page = await list('?limit=1');
    expect(page.items).toMatchObject([{ id: webhook, webhook: true }]);
    const rest = await list(`?limit=2&cursor=${page.nextCursor}`);
    expect(rest).toMatchObject({
      items: [{ id: first }, { id: second, description: 'second' }],
      nextCursor: null,
    });
    await act(first, 'disable');
    expect((await list('?state=disabled')).items).toMatchObject([{ id: first }]);
    expect((await list(`?limit=2&state=active&cursor=${page.nextCursor}`)).status).toBe(422);
  });

  it('are limited in number, also when many come at once', async () => {
    await api.addApplication('crowded');
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('crowded', {})));
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(MAX_ENDPOINTS);
    const refused = answers.find(({ status }) => status !== 201)!;
    expect(refused.body).toMatchObject({ status: 409, code: 'TOO_MANY_ENDPOINTS' });
    await api.call('DELETE', `/v1/endpoints/${created[0]!.body.id}`);
    expect((await create('crowded', {})).status).toBe(201);
  });

  it('take another token without showing it, at the next attempt (TF-33)', async () => {
    await api.addApplication('retokened');
    const id = (await create('retokened', {})).body.id as string;
    const patched = await api.call('PATCH', `/v1/endpoints/${id}`, { credentials: { token: 'token-2' } });
    expect(patched.body.credentials).toEqual({ token: { set: true } });
    expect(patched.text).not.toContain('token-2');
    await api.platform.publish('retokened');
    await until(() => receiver.received.length === 1);
    expect(receiver.headerValues('token')).toEqual(['token-2']);
  });

  it('are verified before a change is saved, when that is asked for', async () => {
    await api.addApplication('careful', { timeout: '200ms' });
    const id = (await create('careful', {})).body.id as string;
    const patch = { url: `${receiver.url}/new`, credentials: { token: 'token-2' }, verify: true };
    receiver.answer = () => ({ status: 401 });
    const before = await api.registrations();
    const refused = await api.call('PATCH', `/v1/endpoints/${id}`, patch);
    expect(refused.body).toMatchObject({ code: 'VERIFICATION_FAILED', attempt: { outcome: 'http_auth' } });
    expect(await api.registrations()).toEqual(before);
    receiver.answer = () => ({ status: 200 });
    expect((await api.call('PATCH', `/v1/endpoints/${id}`, patch)).body.url).toBe(`${receiver.url}/new`);
    expect(receiver.headerValues('token')).toEqual(['token-2', 'token-2']);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/new', '/hook/new']);
  });

  it.each([
    [{ eventTypes: [] }, '/eventTypes'],
    [{ eventTypes: ['invoice.nonsense'] }, '/eventTypes/0'],
    [{ eventTypes: 'cte.authorized' }, '/eventTypes'],
    [{ state: 'active' }, '/state'],
    [{ description: 'two\nlines' }, '/description'],
    [{ verify: 'yes' }, '/verify'],
    [{ credentials: { token: null } }, '/credentials/token'],
    [{ credentials: [] }, '/credentials'],
  ])('refuse the change %j, and stay as they are', async (patch, pointer) => {
    await api.call('PUT', '/v1/applications/bad-patch', { name: 'x', contract: 'tf-fiscal' });
    const id = (await create('bad-patch', {})).body.id as string;
    const before = await api.registrations();
    const answer = await api.call('PATCH', `/v1/endpoints/${id}`, patch);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await api.registrations()).toEqual(before);
    await api.call('DELETE', `/v1/endpoints/${id}`);
  });

  it('that do not exist are not found', async () => {
    for (const path of ['/v1/endpoints/1', '/v1/endpoints/abc', '/v1/applications/nobody/endpoints']) {
      expect((await api.call('GET', path)).status).toBe(404);
    }
    expect((await create('nobody', {})).status).toBe(404);
    expect((await api.call('PUT', '/v1/applications/nobody/webhook', { url: receiver.url })).status).toBe(
      404,
    );
  });
});

describe('keys', () => {
  it('of operators switch and verify but do not change; of producers do neither', async () => {
    await api.addApplication('guarded');
    const id = await api.addWebhook('guarded', receiver.url);
    const [operator, producer] = await Promise.all([api.key('operator'), api.key('producer')]);
    for (const action of ['disable', 'enable', 'verify']) {
      expect((await act(id, action, undefined, operator)).status).toBe(200);
      expect((await act(id, action, undefined, producer)).status).toBe(403);
    }
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { description: 'x' } : undefined;
      expect((await api.call(method, `/v1/endpoints/${id}`, body, operator)).status).toBe(403);
    }
    expect((await api.call('GET', `/v1/endpoints/${id}`, undefined, operator)).status).toBe(200);
    expect((await api.call('GET', `/v1/endpoints/${id}`, undefined, producer)).status).toBe(403);
  });

  it('of other applications find nothing and change nothing', async () => {
    await api.addApplication('hidden');
    const id = await api.addWebhook('hidden', receiver.url);
    const [manager, operator] = await Promise.all([
      api.key('manager', ['elsewhere']),
      api.key('operator', ['elsewhere']),
    ]);
    const before = await api.registrations();
    const webhook = { url: receiver.url, credentials: { token: 'mine-now' } };
    const statuses = [
      await api.call('GET', `/v1/endpoints/${id}`, undefined, manager),
      await api.call('PATCH', `/v1/endpoints/${id}`, { url: `${receiver.url}/mine` }, manager),
      await api.call('DELETE', `/v1/endpoints/${id}`, undefined, manager),
      await api.call('PUT', '/v1/applications/hidden/webhook', webhook, manager),
      await api.call('DELETE', '/v1/applications/hidden/webhook', undefined, manager),
      await api.call('POST', '/v1/applications/hidden/endpoints', webhook, manager),
      await api.call('GET', '/v1/applications/hidden/endpoints', undefined, operator),
      await act(id, 'disable', undefined, operator),
      await act(id, 'verify', undefined, operator),
    ].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(await api.registrations()).toEqual(before);
    expect(receiver.received).toHaveLength(0);
  });
});
