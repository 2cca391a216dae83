import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;
let webhook: string;
let afterFirst: string;

const get = (path: string, key?: string) => api.call('GET', path, undefined, key);
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id);
const eventsOf = (answer: { body: { items: { event: string }[] } }) =>
  answer.body.items.map(({ event }) => event);

/** Follows the cursors of a list to its end. */
async function pages(path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor: string | null = null; ;) {
    const { body } = await get(cursor === null ? path : `${path}&cursor=${cursor}`);
    items.push(...(body.items as Record<string, unknown>[]));
    cursor = body.nextCursor as string | null;
    if (cursor === null) return items;
  }
}

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
  const { platform } = api;
  await api.addApplication('acme', { retryWaits: ['20ms'] });
  await api.addApplication('other');
  webhook = await api.addWebhook('acme', receiver.url);
  receiver.answer = (received) => {
    const refused = received.body.includes('"protocolo":"refuse-');
    return refused
      ? { status: 503, body: 'closed\u0000today', headers: { 'retry-after': '2' } }
      : { status: 200 };
  };
  await platform.startWorker();
  await platform.publish('acme', 'ev-1');
  afterFirst = await until(async () => {
    const [row] = await platform.sql<{ now: Date }>(
      `SELECT now_ms() AS now WHERE (SELECT max(id) FROM deliveries) < (extract(epoch FROM now_ms()) * 1000 - 1735689600000) * 4096`,
    );
    return row?.now.toISOString();
  });
  await platform.publish('acme', 'ev-2', 'refuse-2');
  await platform.publish('acme', 'ev-3', 'refuse-3');
  await platform.publish('other', 'ev-1');
  await until(async () => {
    const states = await platform.states();
    return states['dead'] === 2 && states['delivered'] === 1;
  });
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

describe('events', () => {
  it('are listed newest first, under each filter', async () => {
    const all = await get('/v1/events');
    expect(ids(all)).toEqual(['ev-1', 'ev-3', 'ev-2', 'ev-1']);
    expect(all.body.items[1]).toEqual({
      id: 'ev-3',
      application: 'acme',
      type: 'cte.event.registered',
      occurredAt: expect.stringMatching(/Z$/),
      acceptedAt: expect.stringMatching(/Z$/),
      reserved: false,
      deliveryCount: 1,
      suppressedCount: 0,
      bodyBytes: expect.any(Number),
      bodyErasedAt: null,
    });
    expect(ids(await get('/v1/events?application=acme'))).toEqual(['ev-3', 'ev-2', 'ev-1']);
    expect(ids(await get('/v1/events?application=acme,other&id=ev-1,ev-2'))).toEqual([
      'ev-1',
      'ev-2',
      'ev-1',
    ]);
    expect(ids(await get('/v1/events?id=ev-3'))).toEqual(['ev-3']);
    expect(ids(await get('/v1/events?type=cte.authorized'))).toEqual([]);
    expect(ids(await get(`/v1/events?application=acme&until=${afterFirst}`))).toEqual(['ev-1']);
    expect(ids(await get(`/v1/events?application=acme&since=${afterFirst}`))).toEqual(['ev-3', 'ev-2']);
  });

  it('show their exact bytes, their digest and their deliveries', async () => {
    const { body } = await get('/v1/applications/acme/events/ev-2');
    const bytes = receiver.received.find((received) => received.body.includes('refuse-2'))!.body;
    expect(body).toMatchObject({
      id: 'ev-2',
      body: bytes.toString(),
      bodySha256: createHash('sha256').update(bytes).digest('hex'),
      deliveries: [{ event: 'ev-2', endpoint: webhook, state: 'dead' }],
    });
    const raw = await get('/v1/applications/acme/events/ev-2/body');
    expect([raw.headers.get('content-type'), raw.text]).toEqual([
      'application/json; charset=utf-8',
      bytes.toString(),
    ]);
  });

  it('that do not exist are not found', async () => {
    for (const path of [
      'acme/events/nothing',
      'nobody/events/ev-1',
      'other/events/ev-2',
      'acme/events/nothing/body',
    ]) {
      expect((await get(`/v1/applications/${path}`)).status).toBe(404);
    }
  });
});

describe('deliveries', () => {
  it('are listed newest first, under each filter', async () => {
    const all = await get('/v1/deliveries');
    expect(eventsOf(all)).toEqual(['ev-3', 'ev-2', 'ev-1']);
    expect(all.body.items[0]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      event: 'ev-3',
      application: 'acme',
      endpoint: webhook,
      type: 'cte.event.registered',
      state: 'dead',
      cycle: 1,
      attemptCount: 2,
      maxAttempts: 2,
      nextAttemptAt: null,
      createdAt: expect.stringMatching(/Z$/),
      deliveredAt: null,
      finishedAt: expect.stringMatching(/Z$/),
      lastHttpStatus: 503,
      lastError: null,
    });
    expect(eventsOf(await get('/v1/deliveries?state=dead,closed'))).toEqual(['ev-3', 'ev-2']);
    expect(eventsOf(await get('/v1/deliveries?state=delivered&application=acme'))).toEqual(['ev-1']);
    expect(eventsOf(await get('/v1/deliveries?application=other'))).toEqual([]);
    expect(eventsOf(await get(`/v1/deliveries?endpoint=${webhook}&type=cte.event.registered`))).toHaveLength(
      3,
    );
    expect(eventsOf(await get(`/v1/deliveries?endpoint=${webhook}&application=other`))).toEqual([]);
    expect(eventsOf(await get('/v1/deliveries?application=acme&event=ev-1,ev-3'))).toEqual(['ev-3', 'ev-1']);
    expect(eventsOf(await get(`/v1/deliveries?application=acme&event=ev-1&endpoint=${webhook}`))).toEqual([
      'ev-1',
    ]);
    expect(eventsOf(await get('/v1/deliveries?application=acme&event=unheard-of'))).toEqual([]);
    expect(eventsOf(await get(`/v1/deliveries?until=${afterFirst}`))).toEqual(['ev-1']);
    expect(eventsOf(await get(`/v1/deliveries?endpoint=${webhook}&since=${afterFirst}`))).toEqual([
      'ev-3',
      'ev-2',
    ]);
  });

  it.each([
    ['/v1/deliveries?limit=1'],
    ['/v1/deliveries?limit=2&application=acme'],
    ['/v1/events?limit=1&application=acme'],
    ['/v1/dead-letters?limit=1'],
  ])('and other lists are paged without skipping or repeating: %s', async (path) => {
    const whole = await get(path.replace(/limit=\d/, 'limit=200'));
    expect((whole.body.items as unknown[]).length).toBeGreaterThan(1);
    expect(await pages(path)).toEqual(whole.body.items);
  });

  it('are read one by one', async () => {
    const [first] = (await get('/v1/deliveries?state=delivered')).body.items as { id: string }[];
    expect((await get(`/v1/deliveries/${first!.id}`)).body).toEqual(first);
    expect((await get('/v1/deliveries/1')).status).toBe(404);
    expect((await get('/v1/deliveries/one')).status).toBe(404);
  });

  it.each([
    ['/v1/deliveries?event=ev-1', 'event'],
    ['/v1/deliveries?state=lost', 'state'],
    ['/v1/deliveries?endpoint=x', 'endpoint'],
    ['/v1/deliveries?since=yesterday', 'since'],
    ['/v1/deliveries?limit=0', 'limit'],
    ['/v1/deliveries?colour=red', 'colour'],
    ['/v1/dead-letters?state=pending', 'state'],
    ['/v1/events?cursor=x', 'cursor'],
  ])('refuse a filter that cannot be: %s', async (path, parameter) => {
    expect((await get(path)).body).toMatchObject({ status: 422, errors: [{ parameter }] });
  });
});

describe('attempts', () => {
  it('are logged with number, time, URL, status, duration and response summary (TF-36)', async () => {
    const [dead] = (await get('/v1/deliveries?application=acme&event=ev-2')).body.items as { id: string }[];
    const { body } = await get(`/v1/deliveries/${dead!.id}/attempts`);
    expect(body.nextCursor).toBeNull();
    expect(body.items).toHaveLength(2);
    expect(body.items[0]).toEqual({
      number: 1,
      cycle: 1,
      trigger: 'first',
      superseded: false,
      startedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      url: receiver.url,
      remoteAddress: expect.stringContaining('127.0.0.1'),
      outcome: 'http_5xx',
      httpStatus: 503,
      error: null,
      responseSummary: expect.stringMatching(/^closed.today$/),
      retryAfterSeconds: 2,
      nextAttemptAt: expect.stringMatching(/Z$/),
    });
    expect(body.items[1]).toMatchObject({ number: 2, trigger: 'retry', nextAttemptAt: null });
    expect((await get(`/v1/deliveries/${dead!.id}/attempts/2`)).body).toMatchObject(body.items[1] as object);
    for (const number of ['3', '0', 'x']) {
      expect((await get(`/v1/deliveries/${dead!.id}/attempts/${number}`)).status).toBe(404);
    }
    const page = await get(`/v1/deliveries/${dead!.id}/attempts?limit=1`);
    const rest = await get(`/v1/deliveries/${dead!.id}/attempts?limit=1&cursor=${page.body.nextCursor}`);
    expect([page.body.items[0].number, rest.body.items[0].number]).toEqual([1, 2]);
  });
});

describe('dead letters', () => {
  it('are listed by when they finished, the latest first, under each filter', async () => {
    const { items } = (await get('/v1/dead-letters')).body as {
      items: { finishedAt: string; state: string }[];
    };
    expect(items).toHaveLength(2);
    expect(items.map(({ finishedAt }) => finishedAt)).toEqual(
      items
        .map(({ finishedAt }) => finishedAt)
        .sort()
        .reverse(),
    );
    const count = async (query: string) =>
      (await get(`/v1/dead-letters?${query}`)).body.items.length as number;
    expect(await count('application=acme&state=dead')).toBe(2);
    expect(await count('state=closed')).toBe(0);
    expect(await count('application=other')).toBe(0);
    expect(await count(`endpoint=${webhook}&type=cte.event.registered`)).toBe(2);
    expect(await count('application=acme&event=ev-2')).toBe(1);
    expect(await count(`until=${afterFirst}`)).toBe(0);
    expect(await count(`since=${afterFirst}`)).toBe(2);
  });
});

describe('stats', () => {
  it('count what is unresolved and waits, and name disabled endpoints', async () => {
    await api.addApplication('stats', { firstAttemptDelay: '1h' });
    const id = await api.addWebhook('stats', receiver.url);
    await api.platform.publish('stats');
    const canceled = (await get(`/v1/deliveries?endpoint=${id}`)).body.items[0].id as string;
    expect((await api.call('POST', `/v1/deliveries/${canceled}/cancel`)).body.state).toBe('canceled');
    await api.platform.publish('stats');
    await api.call('POST', `/v1/endpoints/${id}/disable`, { reason: 'noon' });
    await api.platform.publish('stats');
    const { body } = await get('/v1/stats');
    expect(body).toMatchObject({
      deliveries: { pending: 1, dead: 2, closed: 0, suppressed: 1, canceled: 1 },
      backlog: { due: 0, scheduled: 1, oldestDueAt: null },
      attempts: { succeeded: 1, failed: 4 },
      endpoints: { active: 1, paused: 0, disabled: 1 },
      disabledEndpoints: [
        { id, application: 'stats', disabledReason: 'noon', disabledAt: expect.any(String) },
      ],
    });
    // Those of the last ten seconds, of which the three of this test are some.
    expect(body.accepted.events).toBeGreaterThanOrEqual(3);
    expect((await get('/v1/stats?application=stats')).body.accepted.events).toBe(3);
    expect((await get('/v1/stats?application=other')).body.deliveries).toEqual({
      pending: 0,
      dead: 0,
      closed: 0,
      suppressed: 0,
      canceled: 0,
    });
    const limited = await get('/v1/stats', await api.key('operator', ['acme']));
    expect(limited.body).toMatchObject({ deliveries: { pending: 0, dead: 2 }, endpoints: { disabled: 0 } });
    expect((await get('/v1/stats?by=colour')).status).toBe(422);
    const endpoint = (await get(`/v1/endpoints/${webhook}`)).body;
    expect(endpoint.stats).toMatchObject({
      pending: 0,
      oldestDueAt: null,
      lastSuccessAt: expect.any(String),
      lastFailureAt: expect.any(String),
    });
  });
});

describe('keys', () => {
  it('limited to other applications see none of it', async () => {
    const key = await api.key('operator', ['other']);
    const [delivery] = (await get('/v1/deliveries?application=acme')).body.items as { id: string }[];
    expect(ids(await get('/v1/events', key))).toEqual(['ev-1']);
    expect(ids(await get('/v1/events?id=ev-3', key))).toEqual([]);
    for (const list of [
      'events?application=acme',
      'deliveries',
      'deliveries?application=acme',
      'dead-letters',
    ]) {
      expect((await get(`/v1/${list}`, key)).body).toEqual({ items: [], nextCursor: null });
    }
    expect(eventsOf(await get(`/v1/deliveries?endpoint=${webhook}`, key))).toEqual([]);
    for (const path of [
      '/v1/applications/acme/events/ev-1',
      '/v1/applications/acme/events/ev-1/body',
      `/v1/deliveries/${delivery!.id}`,
      `/v1/deliveries/${delivery!.id}/attempts`,
      `/v1/deliveries/${delivery!.id}/attempts/1`,
    ]) {
      expect((await get(path, key)).status).toBe(404);
    }
  });

  it('of producers read events, deliveries and attempts, of managers none, without one nobody', async () => {
    const [producer, manager] = await Promise.all([api.key('producer'), api.key('manager')]);
    for (const path of ['/v1/events', '/v1/deliveries', '/v1/dead-letters']) {
      expect([(await get(path, producer)).status, (await get(path, manager)).status]).toEqual([200, 403]);
      expect((await get(path, 'unknown-key')).status).toBe(401);
    }
    expect((await get('/v1/stats', producer)).status).toBe(403);
  });
});
