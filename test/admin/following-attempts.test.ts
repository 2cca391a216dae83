import { type ClientRequest, request } from 'node:http';
import { AttemptFeed } from '#delivery/follow/attempt-feed.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';
import { addDelivery, writeAttempt } from '../support/attempt-writer.js';
import { until } from '../support/until.js';

let api: AdminApi;
let endpoint: string;

beforeAll(async () => {
  api = await AdminApi.start();
  for (const application of ['acme', 'other']) await api.addApplication(application);
  endpoint = await api.addWebhook('acme', 'http://127.0.0.1:9/');
  await api.addWebhook('other', 'http://127.0.0.1:9/');
});
afterAll(() => api.stop());

interface Item {
  readonly delivery: string;
  readonly outcome: string;
  readonly application: string;
}
const follow = (query: string, key?: string) => api.call('GET', `/v1/attempts?${query}`, undefined, key);
const feed = (of = api) => of.provided(AttemptFeed);
const now = async () => (await follow('')).body.nextCursor as string;
const write = async (application: string, fields: Parameters<typeof writeAttempt>[2] = {}) => {
  const held = await addDelivery(api.platform, application);
  await writeAttempt(api.platform.database, held, fields);
  return String(held.deliveryId);
};
/** A caller on a connection of his own, who can hang up. */
function waitingCaller(query: string, of = api, key = ADMIN_KEY): ClientRequest {
  const headers = { authorization: `Bearer ${key}` };
  const caller = request(`${of.url}/v1/attempts?${query}`, { agent: false, headers });
  return caller.on('error', () => undefined).end();
}

/** Follows until so many have come; gives their deliveries in order. */
async function followed(cursor: string, count: number, filter = ''): Promise<string[]> {
  const items: Item[] = [];
  let after = cursor;
  await until(async () => {
    const { body } = await follow(`after=${after}${filter}`);
    items.push(...(body.items as Item[]));
    after = body.nextCursor as string;
    return items.length >= count;
  });
  return items.map(({ delivery }) => delivery);
}

describe('attempts that are followed', () => {
  it('begin now, and come in the order in which they were written, with whose they are', async () => {
    await write('acme');
    const cursor = await now();
    const failed = { outcome: 'http_5xx', httpStatus: 503, retryInMs: 60_000 } as const;
    const written = [await write('acme'), await write('other', failed), await write('acme', failed)];
    expect(await followed(cursor, 3)).toEqual(written);
    const { body } = await follow(`after=${cursor}&outcome=http_5xx&endpoint=${endpoint}`);
    expect(body.items).toEqual([
      expect.objectContaining({
        delivery: written[2],
        application: 'acme',
        endpoint,
        event: expect.any(String),
        type: 'cte.event.registered',
        outcome: 'http_5xx',
        number: 1,
        nextAttemptAt: expect.stringMatching(/Z$/),
      }),
    ]);
    expect(await followed(cursor, 1, '&application=other')).toEqual([written[1]]);
    expect(await followed(cursor, 3, '&limit=1')).toEqual(written);
    expect((await follow(`after=${body.nextCursor}`)).body.items).toEqual([]);
  });

  it('of other applications are not for a key that does not cover them, nor any for a manager', async () => {
    const cursor = await now();
    await write('acme');
    const theirs = await write('other');
    const key = await api.key('operator', ['other']);
    const seen = async (query: string) => (await follow(`after=${cursor}${query}`, key)).body.items as Item[];
    await until(async () => (await follow(`after=${cursor}`)).body.items.length === 2);
    expect((await seen('')).map(({ delivery }) => delivery)).toEqual([theirs]);
    expect(await seen('&application=acme')).toEqual([]);
    expect((await follow('', await api.key('manager'))).status).toBe(403);
  });

  it('are neither missed nor doubled where one commits late that was written early', async () => {
    const cursor = await now();
    // Of two endpoints, for batches of one wait for each other.
    const [early, late] = [await addDelivery(api.platform, 'acme'), await addDelivery(api.platform, 'other')];
    const seen: string[] = [];
    let after = cursor;
    const look = async () => {
      const { body } = await follow(`after=${after}`);
      seen.push(...(body.items as Item[]).map(({ delivery }) => delivery));
      after = body.nextCursor as string;
    };
    await api.platform.database.transaction(async (connection) => {
      await writeAttempt(connection, early);
      await writeAttempt(api.platform.database, late);
      await look();
      await look();
      expect(seen).toEqual([]);
    });
    await until(async () => {
      await look();
      return seen.length > 1;
    });
    await look();
    expect(seen).toEqual([String(early.deliveryId), String(late.deliveryId)]);
  });

  it('refuse a cursor that is none, and a wait that is too long', async () => {
    expect((await follow('after=bm9uZQ')).body.errors).toMatchObject([
      { parameter: 'after', code: 'INVALID_CURSOR' },
    ]);
    expect((await follow('wait=31')).body.errors).toMatchObject([{ parameter: 'wait' }]);
    expect((await follow('since=2025-01-01T00:00:00Z')).body.errors).toMatchObject([
      { code: 'UNKNOWN_PARAMETER' },
    ]);
  });
});

describe('a request that waits', () => {
  it('is answered when an attempt is written that it asks for, and by no other', async () => {
    const cursor = await now();
    let answered = false;
    const answer = follow(`after=${cursor}&application=acme&wait=20`).finally(() => (answered = true));
    await write('other');
    await until(async () => (await follow(`after=${cursor}`)).body.items.length === 1);
    const waitedFrom = performance.now();
    await until(() => performance.now() - waitedFrom > 600);
    expect(answered).toBe(false);
    const written = await write('acme');
    const { body } = await answer;
    expect(performance.now() - waitedFrom).toBeLessThan(5_000);
    expect(body.items).toMatchObject([{ delivery: written }]);
    expect((await follow(`after=${body.nextCursor}`)).body.items).toEqual([]);
  });

  it('from now is answered with what comes', async () => {
    const answer = follow('wait=20');
    await until(() => feed().waiters === 1);
    const written = await write('acme');
    expect((await answer).body.items).toMatchObject([{ delivery: written }]);
  });

  it('is answered with nothing when its time is over, and can go on from there', async () => {
    const cursor = await now();
    const startedAt = performance.now();
    const { body } = await follow(`after=${cursor}&wait=1`);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(body.items).toEqual([]);
    const written = await write('acme');
    expect(await followed(body.nextCursor as string, 1)).toEqual([written]);
  });

  it('is one of 64 at most, and makes room when its caller is gone', async () => {
    const cursor = await now();
    const callers = Array.from({ length: 64 }, () => waitingCaller(`after=${cursor}&wait=30`));
    await until(() => feed().waiters === 64);
    const refusal = await follow(`after=${cursor}&wait=1`);
    expect(refusal.status).toBe(503);
    expect(refusal.headers.get('retry-after')).toBe('5');
    expect((await follow(`after=${cursor}`)).status).toBe(200);
    for (const caller of callers) caller.destroy();
    await until(() => feed().waiters === 0);
  });

  it('does not hold up the end of the process, and has its answer', async () => {
    const stopping = await AdminApi.start();
    const answer = stopping.call('GET', '/v1/attempts?wait=30');
    await until(() => feed(stopping).waiters === 1);
    const from = performance.now();
    const closed = stopping.close().then(() => performance.now() - from);
    expect(await answer).toMatchObject({ status: 200, body: { items: [] } });
    expect(await closed).toBeLessThan(2_000);
    await stopping.stop();
  });

  it('holds up no end either where its caller hung up while his key was looked up', async () => {
    const stopping = await AdminApi.start();
    const key = await stopping.key('operator');
    await stopping.platform.database.transaction(async (connection) => {
      await connection.query({ name: 'no-look-ups', text: 'LOCK TABLE api_keys' }, []);
      const caller = waitingCaller('wait=30', stopping, key);
      await until(() => {
        const { total, idle } = stopping.platform.database.connections;
        return total - idle === 2;
      });
      const hungUp = new Promise((resolve) => caller.once('close', resolve));
      caller.destroy();
      await hungUp;
      // What comes after it on another connection is answered once its end was seen.
      await stopping.call('GET', '/v1/contracts');
    });
    expect((await stopping.call('GET', '/v1/attempts', undefined, key)).status).toBe(200);
    const from = performance.now();
    await stopping.close();
    expect(performance.now() - from).toBeLessThan(2_000);
    await stopping.stop();
  });
});
