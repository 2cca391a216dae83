import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PartitionMaintenance } from '#apps/worker/src/partition-maintenance.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { EventRecordIntake } from '#delivery/accept/event-record-intake.js';
import { systemClock } from '#domain/clock.js';
import { DAY_MS } from '#domain/durations.js';
import type { Role } from '#domain/principal.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { validated } from '#http/validation.js';
import { createLogger } from '#observability/logger.js';
import type { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { keepRejections } from '#storage/sql/rejections.js';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';
import type { Platform } from '../support/platform.js';
import { until } from '../support/until.js';

interface Rejection {
  id: string;
  at: string;
  via: string;
  application: string | null;
  type: string | null;
  event: string | null;
  code: string;
  detail: string;
  origin: string;
}

let platform: Platform;
let api: AdminApi;
let url: string;

beforeAll(async () => {
  api = await AdminApi.start({ logLevel: 'info' });
  platform = api.platform;
  url = api.url;
  await platform.addApplication('acme');
  await platform.addApplication('globex');
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await api.stop();
});

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id')!,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const publish = (event: unknown, headers?: Record<string, string>) =>
  call('POST', '/v1/events', event, headers);

async function keyOf(role: Role, applications?: readonly string[]): Promise<string> {
  const { body } = await call('POST', '/v1/api-keys', { name: `${role} key`, role, applications });
  return `Bearer ${String(body['key'])}`;
}

async function list(query = '', headers: Record<string, string> = {}) {
  const { status, body } = await call('GET', `/v1/rejections${query}`, undefined, headers);
  return { status, items: body['items'] as Rejection[], nextCursor: body['nextCursor'] as string | null };
}

/** The rejection of the request with that id, once it is listed. */
function rejectionOf(origin: string): Promise<Rejection> {
  return until(async () => (await list('?limit=200')).items.find((one) => one.origin === origin));
}

const DATA = { event_code: '110180', n_seq: '1', protocolo: 'a-word-that-is-nowhere-else' };
const EVENT = { application: 'acme', type: 'cte.event.registered', data: DATA };

describe('what publishers are refused over HTTP', () => {
  it('is listed with what it said of itself, the reason and the request, and never with its data', async () => {
    const answer = await publish({ ...EVENT, id: 'r-1', data: { ...DATA, n_seq: 1 } });
    expect(answer.status).toBe(422);
    const rejection = await rejectionOf(answer.requestId);
    expect(rejection).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/Z$/),
      via: 'http',
      application: 'acme',
      type: 'cte.event.registered',
      event: 'r-1',
      code: 'VALIDATION_FAILED',
      detail: answer.body['detail'],
      origin: answer.requestId,
    });
    expect(Math.abs(Date.parse(rejection.at) - Date.now())).toBeLessThan(60_000);
    const [row] = await platform.sql<{ row: string }>('SELECT rejections::text AS row FROM rejections');
    expect(row!.row).not.toContain('nowhere-else');
  });

  it('is listed whatever it was refused for, also before its body was read', async () => {
    await publish({ ...EVENT, id: 'taken' });
    const operator = await keyOf('operator');
    const refusals: [refused: Awaited<ReturnType<typeof publish>>, code: string][] = [
      [await publish('{"application":'), 'NOT_JSON'],
      [await publish(''), 'NOT_JSON'],
      [await publish(Buffer.from([0x7b, 0xff])), 'NOT_JSON'],
      [await publish('x'.repeat(1024 * 1024 + 1)), 'PAYLOAD_TOO_LARGE'],
      [await publish({ ...EVENT, data: { big: 'x'.repeat(256 * 1024) } }), 'PAYLOAD_TOO_LARGE'],
      [await publish('a=b', { 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE'],
      [await publish({ ...EVENT, application: 'nobody' }), 'UNKNOWN_APPLICATION'],
      [await publish({ ...EVENT, id: 'taken', type: 'cte.authorized' }), 'VALIDATION_FAILED'],
      [await publish({ ...EVENT, id: 'taken', data: { ...DATA, n_seq: '2' } }), 'EVENT_ID_REUSED'],
      [await call('POST', '/v1/events?sync=1', EVENT), 'VALIDATION_FAILED'],
      [await call('POST', '/v1/events/batch', { events: [] }), 'VALIDATION_FAILED'],
      [await publish(EVENT, { authorization: operator }), 'FORBIDDEN'],
    ];
    for (const [{ requestId, body }, code] of refusals) {
      expect(body['code']).toBe(code);
      expect(await rejectionOf(requestId)).toMatchObject({ via: 'http', code, detail: body['detail'] });
    }
  });

  it('is listed event by event of a batch, by their place in it', async () => {
    const { requestId, body } = await call('POST', '/v1/events/batch', {
      events: [
        { ...EVENT, id: 'ok' },
        { ...EVENT, id: 'no', type: 'nothing' },
        { ...EVENT, application: 'nobody' },
        7,
      ],
    });
    expect(body['rejected']).toBe(3);
    const second = await rejectionOf(`${requestId}/events/1`);
    expect(second).toMatchObject({
      application: 'acme',
      event: 'no',
      type: 'nothing',
      code: 'VALIDATION_FAILED',
    });
    expect(await rejectionOf(`${requestId}/events/2`)).toMatchObject({
      application: 'nobody',
      code: 'UNKNOWN_APPLICATION',
    });
    expect(await rejectionOf(`${requestId}/events/3`)).toMatchObject({
      application: null,
      type: null,
      event: null,
    });
    expect((await list()).items.map(({ origin }) => origin)).not.toContain(`${requestId}/events/0`);
  });

  it('is listed even where it named a field or a type that the database cannot hold', async () => {
    const field = await publish({ ...EVENT, 'a\u0000b': 1 });
    expect((await rejectionOf(field.requestId)).detail).toContain('a\ufffdb');
    const type = await publish({ ...EVENT, type: 'a\u0000b' });
    expect((await rejectionOf(type.requestId)).type).toBe('a\ufffdb');
  });

  it('is not listed where nobody was known, where it may succeed later, or where it was no publish', async () => {
    const unknown = await publish(EVENT, { authorization: 'Bearer who-knows-whose-key-this-is' });
    const watching = await call('GET', '/v1/events?limit=0');
    const path = await call('POST', '/v1/events/%E0%A4%A', EVENT);
    const query = platform.database.query.bind(platform.database);
    jest.spyOn(platform.database, 'query').mockImplementation((statement, values) => {
      if (statement.name !== 'accept-events') return query(statement, values);
      return Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }));
    });
    const outage = await publish(EVENT);
    jest.restoreAllMocks();
    expect([unknown.status, watching.status, path.status, outage.status]).toEqual([401, 422, 400, 503]);
    // What came later is listed, so what came before would be.
    await rejectionOf((await publish('{')).requestId);
    const origins = (await list('?limit=200')).items.map(({ origin }) => origin);
    for (const { requestId } of [unknown, watching, path, outage]) expect(origins).not.toContain(requestId);
  });
});

describe('records that were refused', () => {
  it('are listed by their place once they are on the rejected topic, and once', async () => {
    let isAway = true;
    const intake = new EventRecordIntake({
      acceptor: platform.acceptor,
      check: validated,
      logger: createLogger({ role: 'test', level: 'silent', format: 'json' }),
      metrics: platform.metrics,
      reject: () => (isAway ? Promise.reject(new Error('no broker')) : Promise.resolve()),
    });
    const record = {
      topic: 'entrega.events.v1',
      partition: 7,
      offset: '9007199254740993',
      timestampMs: Date.now(),
      key: null,
      value: Buffer.from(JSON.stringify({ ...EVENT, id: 'k-1', type: 'nothing' })),
      headers: [],
    };
    await expect(intake.take([record])).rejects.toThrow('no broker');
    isAway = false;
    await intake.take([record]);
    const rejection = await rejectionOf('entrega.events.v1/7/9007199254740993');
    expect(rejection).toMatchObject({
      via: 'kafka',
      application: 'acme',
      event: 'k-1',
      code: 'VALIDATION_FAILED',
    });
    expect((await list('?via=kafka')).items).toEqual([rejection]);
  });
});

describe('GET /v1/rejections', () => {
  it('is for operators, each within the applications of its key', async () => {
    const mine = await publish({ ...EVENT, application: 'globex', type: 'nothing' });
    const nameless = await publish('{');
    await rejectionOf(mine.requestId);
    await rejectionOf(nameless.requestId);
    for (const role of ['producer', 'manager'] as const) {
      expect((await list('', { authorization: await keyOf(role) })).status).toBe(403);
    }
    const globex = { authorization: await keyOf('operator', ['globex']) };
    expect((await list('', globex)).items.map(({ origin }) => origin)).toEqual([mine.requestId]);
    expect((await list('?application=acme', globex)).items).toEqual([]);
    const all = await list('?limit=200', { authorization: await keyOf('operator') });
    expect(all.items.map(({ origin }) => origin)).toContain(nameless.requestId);
  });

  it('shows an application nothing that strangers publish in its name', async () => {
    const stranger = await keyOf('producer', ['globex']);
    const refused = await publish({ ...EVENT, id: 'strange' }, { authorization: stranger });
    expect(refused.body['code']).toBe('APPLICATION_NOT_ALLOWED');
    expect(await rejectionOf(refused.requestId)).toMatchObject({ application: null, event: 'strange' });
  });

  it('is a list like any other: newest first, filters, cursors', async () => {
    await platform.sql('TRUNCATE rejections');
    const ids = Array.from({ length: 5 }, (_, n) => `page-${n}`);
    for (const id of ids) await rejectionOf((await publish({ ...EVENT, id, type: 'nothing' })).requestId);
    await rejectionOf((await publish({ ...EVENT, application: 'nobody', id: 'page-5' })).requestId);
    const events = (items: Rejection[]) => items.map(({ event }) => event);
    const pages: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`?limit=2&type=nothing${cursor && `&cursor=${cursor}`}`);
      pages.push(...events(page.items));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([...ids].reverse());
    expect(events((await list('?code=UNKNOWN_APPLICATION')).items)).toEqual(['page-5']);
    expect(events((await list('?event=page-1,page-3')).items)).toEqual(['page-3', 'page-1']);
    expect(events((await list('?application=acme&via=http')).items)).toEqual([...ids].reverse());
    expect((await list('?via=kafka')).items).toEqual([]);
    const { at } = (await list('?event=page-2')).items[0]!;
    expect(events((await list(`?since=${at}`)).items)).toContain('page-2');
    expect(events((await list(`?until=${at}`)).items)).not.toContain('page-2');
    for (const query of ['?code=LOST', '?via=post', '?since=today', '?endpoint=1', '?limit=0']) {
      expect((await list(query)).status).toBe(422);
    }
  });
});

describe('the list is bounded', () => {
  const rejection = (origin: string) => ({
    applicationId: 'acme',
    type: null,
    publicId: null,
    via: 'http' as const,
    code: 'NOT_JSON',
    detail: 'x',
    origin,
  });

  it('in number: the newest take the places of the oldest', async () => {
    await platform.sql('TRUNCATE rejections');
    await platform.sql(`SELECT setval('rejection_slots', 99998)`);
    await keepRejections(platform.database, ['r-1', 'r-2', 'r-3'].map(rejection));
    await platform.sql(`SELECT setval('rejection_slots', 99998)`);
    await keepRejections(platform.database, ['r-4', 'r-5'].map(rejection));
    expect((await list()).items.map(({ origin }) => origin)).toEqual(['r-5', 'r-4', 'r-3']);
  });

  it('in time: seven days, or the retention where that is shorter, trimmed in steps by the workers', async () => {
    await platform.sql('TRUNCATE rejections');
    const addOld = (days: number, count: number) =>
      platform.sql(
        `INSERT INTO rejections (id, via, code, detail, origin)
         SELECT $1::bigint + n, 'http', 'NOT_JSON', 'old', $2 FROM generate_series(1, $3::int) AS n`,
        [firstIdAt(new Date(Date.now() - days * DAY_MS)), `${days} days old`, count],
      );
    await addOld(8, 2_500);
    await addOld(6, 1);
    await keepRejections(platform.database, [rejection('new')]);
    const maintain = (retentionDays: number) =>
      new PartitionMaintenance({
        database: platform.database,
        keeper: new PartitionKeeper(platform.database),
        clock: systemClock,
        logger: createLogger({ role: 'test', level: 'silent', format: 'json' }),
        metrics: platform.metrics.loops,
        retentionDays,
      }).maintain();
    await maintain(30);
    expect((await list()).items.map(({ origin }) => origin)).toEqual(['new', '6 days old']);
    await maintain(5);
    expect((await list()).items.map(({ origin }) => origin)).toEqual(['new']);
  });
});

describe('keeping rejections', () => {
  it('holds up no publish and fails none while the database takes them not; they are dropped, counted and said', async () => {
    const logged: Record<string, unknown>[] = [];
    const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
    const { rejections } = new EventAcceptor({
      database: Object.assign(Object.create(platform.database) as Database, {
        query: () => Promise.reject(new Error('away')),
      }),
      transport: platform.transport,
      secretBox: platform.secretBox,
      clock: systemClock,
      logger: createLogger({ role: 'test', level: 'info', format: 'json' }, { write }),
      metrics: platform.metrics,
      leaseMs: 1_000,
    });
    const names = { application: null, type: null, id: null };
    for (let n = 0; n < 1_500; n++) {
      rejections.note({ names, via: 'http', code: 'NOT_JSON', detail: '', origin: String(n) });
    }
    expect(rejections.dropped).toBe(500);
    await until(() => rejections.dropped === 1_500);
    expect(logged.map(({ msg, dropped }) => [msg, dropped])).toEqual([['rejections.dropped', 1]]);
  });

  it('goes on when the database is back', async () => {
    const query = platform.database.query.bind(platform.database);
    const failing = jest.spyOn(platform.database, 'query').mockImplementation((statement, values) => {
      if (statement.name !== 'keep-rejections') return query(statement, values);
      return Promise.reject(new Error('away'));
    });
    const before = platform.acceptor.rejections.dropped;
    const lost = await publish('{');
    expect(lost.status).toBe(400);
    await until(() => platform.acceptor.rejections.dropped === before + 1);
    failing.mockRestore();
    await rejectionOf((await publish('{')).requestId);
  });
});
