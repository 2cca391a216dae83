import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';
import type { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let platform: Platform;
let api: AdminApi;
let url: string;
let receiver: RecordingReceiver;

beforeAll(async () => {
  api = await AdminApi.start();
  platform = api.platform;
  receiver = await RecordingReceiver.start();
  url = api.url;
  await platform.addApplication('acme');
  await platform.addEndpoint('acme', receiver.url);
  await platform.startWorker();
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json', ...headers },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, never>,
  };
}

function publish(event: unknown, headers?: Record<string, string>) {
  return post('/v1/events', typeof event === 'string' ? event : JSON.stringify(event), headers);
}

const DATA = { event_code: '110180', n_seq: '1', protocolo: '1' };
const EVENT = { application: 'acme', type: 'cte.event.registered', data: DATA };

async function eventCount(): Promise<number> {
  return (await platform.sql<{ count: number }>('SELECT count(*) FROM events'))[0]!.count;
}

describe('POST /v1/events', () => {
  it('answers 202 with the counts once the event is durable', async () => {
    const answer = await publish({ ...EVENT, id: 'evt-202', occurredAt: '2026-09-06T13:00:00.999Z' });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      application: 'acme',
      id: 'evt-202',
      duplicate: false,
      reserved: false,
      deliveryCount: 1,
      suppressedCount: 0,
    });
    const [row] = await platform.sql<{ body: Buffer }>(`SELECT body FROM events WHERE public_id = 'evt-202'`);
    expect(JSON.parse(row!.body.toString())).toMatchObject({
      event_id: 'evt-202',
      occurred_at: '2026-09-06T13:00:00Z',
    });
  });

  it('makes an id where the producer sends none', async () => {
    const answer = await publish(EVENT);
    expect(answer.status).toBe(202);
    expect(answer.body['id']).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/);
  });

  it('makes one event of 20 concurrent publishes of one id, and all 20 answers name it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => publish({ ...EVENT, id: 'evt-20' })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(202));
    expect(answers.map((answer) => answer.body['id'])).toEqual(Array(20).fill('evt-20'));
    expect(answers.filter((answer) => answer.body['duplicate'] === false)).toHaveLength(1);
    await until(() => receiver.headerValues('X-Tffiscal-Event-Id').includes('evt-20'));
    expect(receiver.headerValues('X-Tffiscal-Event-Id').filter((id) => id === 'evt-20')).toHaveLength(1);
  });

  it('passes values on as the exact slices that were published, whitespace removed (TF-21)', async () => {
    const data = `{ "event_code":"110180", "n_seq":"1", "protocolo":"caf\\u00e9",
      "extra": { "2": 1.50, "1": 1e3, "nul": "\\u0000", "lone": "\\ud800" } }`;
    const answer = await publish(
      `{"application":"acme","type":"cte.event.registered","id":"evt-raw","data":${data}}`,
    );
    expect(answer.status).toBe(202);
    const received = await until(() => receiver.received.find((one) => one.body.includes('evt-raw')));
    expect(received.body.toString()).toContain(
      '"data":{"event_code":"110180","n_seq":"1","protocolo":"caf\\u00e9",' +
        '"extra":{"2":1.50,"1":1e3,"nul":"\\u0000","lone":"\\ud800"}}',
    );
  });
});

const NFE = {
  empresaId: '1',
  nfeId: 'n-1',
  nfeDataEmissao: '2024-12-04T17:44:26Z',
  nfeMotivoStatus: '778 - Rejeicao',
};

describe('bad input gets its 4xx with code and pointer, and changes nothing', () => {
  const cases: [what: string, body: unknown, status: number, code: string, pointer: string | undefined][] = [
    ['not JSON', '{"application":', 400, 'NOT_JSON', undefined],
    ['an empty body', '', 400, 'NOT_JSON', undefined],
    ['an array', [], 422, 'VALIDATION_FAILED', ''],
    ['a key twice', '{"application":"acme","application":"acme"}', 422, 'VALIDATION_FAILED', '/application'],
    ['a wrong type', { ...EVENT, application: 7 }, 422, 'VALIDATION_FAILED', '/application'],
    ['an id that cannot be one', { ...EVENT, id: '../x' }, 422, 'VALIDATION_FAILED', '/id'],
    ['an unknown field', { ...EVENT, extra: 1 }, 422, 'VALIDATION_FAILED', '/extra'],
    [
      '__proto__ as a field',
      `{"application":"acme","type":"x","data":{},"__proto__":{}}`,
      422,
      'VALIDATION_FAILED',
      '/__proto__',
    ],
    ['no data', { application: 'acme', type: 'cte.event.registered' }, 422, 'VALIDATION_FAILED', '/data'],
    ['data that is no object', { ...EVENT, data: [] }, 422, 'VALIDATION_FAILED', '/data'],
    ['a time that is none', { ...EVENT, occurredAt: 'yesterday' }, 422, 'VALIDATION_FAILED', '/occurredAt'],
    [
      'a time with an offset',
      { ...EVENT, occurredAt: '2026-01-01T00:00:00+03:00' },
      422,
      'VALIDATION_FAILED',
      '/occurredAt',
    ],
    [
      'a time more than a day ahead',
      { ...EVENT, occurredAt: '2199-01-01T00:00:00Z' },
      422,
      'VALIDATION_FAILED',
      '/occurredAt',
    ],
    [
      'an unknown application',
      { ...EVENT, application: 'nobody' },
      422,
      'UNKNOWN_APPLICATION',
      '/application',
    ],
    ['an unknown type (TF-10)', { ...EVENT, type: 'invoice.lost' }, 422, 'VALIDATION_FAILED', '/type'],
    [
      'a number for a text (TF-14)',
      { ...EVENT, data: { ...DATA, n_seq: 1 } },
      422,
      'VALIDATION_FAILED',
      '/data/n_seq',
    ],
    [
      'a missing field (TF-19)',
      { ...EVENT, data: { event_code: '1' } },
      422,
      'VALIDATION_FAILED',
      '/data/n_seq',
    ],
    [
      'a contradiction (TF-15)',
      { application: 'acme', type: 'invoice.rejected', data: { ...NFE, nfeStatus: 'Autorizada' } },
      422,
      'VALIDATION_FAILED',
      '/data/nfeStatus',
    ],
    [
      'a value where the contract has none (TF-16)',
      { application: 'acme', type: 'invoice.rejected', data: { ...NFE, nfeLinkXml: 'https://x' } },
      422,
      'VALIDATION_FAILED',
      '/data/nfeLinkXml',
    ],
    [
      'a CT-e that failed (TF-18)',
      {
        application: 'acme',
        type: 'cte.rejected',
        data: {
          empresaId: '1',
          cteId: 'c',
          cteStatus: 'Falha',
          cteMotivoStatus: 'x',
          cteDataEmissao: '2026-09-06T12:00:00Z',
        },
      },
      422,
      'VALIDATION_FAILED',
      '/data/cteStatus',
    ],
    [
      'data over 256 KiB',
      { ...EVENT, data: { ...DATA, big: 'x'.repeat(256 * 1024) } },
      413,
      'PAYLOAD_TOO_LARGE',
      '/data',
    ],
    ['a body over 1 MiB', 'x'.repeat(1024 * 1024 + 1), 413, 'PAYLOAD_TOO_LARGE', undefined],
    [
      'nesting without end',
      `{"application":"acme","type":"cte.event.registered","data":${'['.repeat(200)}${']'.repeat(200)}}`,
      422,
      'VALIDATION_FAILED',
      undefined,
    ],
  ];
  for (const [what, body, status, code, pointer] of cases) {
    it(what, async () => {
      const before = await eventCount();
      const answer = await publish(body);
      expect({ status: answer.status, code: answer.body['code'], type: answer.type }).toEqual({
        status,
        code,
        type: expect.stringContaining('application/problem+json') as unknown,
      });
      if (pointer !== undefined) {
        const errors = answer.body['errors'] as unknown as { pointer: string }[];
        expect(errors.map((error) => error.pointer)).toContain(pointer);
      }
      expect(await eventCount()).toBe(before);
    });
  }

  it('a type that is not JSON: 415', async () => {
    expect((await publish('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  it('an unknown query parameter: 422, for nothing is silently ignored', async () => {
    const answer = await post('/v1/events?sync=true', JSON.stringify(EVENT));
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ parameter: 'sync', code: 'UNKNOWN_PARAMETER' }] },
    });
  });

  it('no key, a wrong role, or an application outside the key: 401, 403, 403', async () => {
    expect((await publish(EVENT, { authorization: '' })).status).toBe(401);
    const keyOf = async (fields: object) =>
      (
        (await post('/v1/api-keys', JSON.stringify({ name: 'k', ...fields }))).body as unknown as {
          key: string;
        }
      ).key;
    const operator = await keyOf({ role: 'operator' });
    expect((await publish(EVENT, { authorization: `Bearer ${operator}` })).status).toBe(403);
    const other = await keyOf({ role: 'producer', applications: ['globex'] });
    expect(await publish(EVENT, { authorization: `Bearer ${other}` })).toMatchObject({
      status: 403,
      body: { code: 'APPLICATION_NOT_ALLOWED' },
    });
  });
});

describe('POST /v1/events/batch', () => {
  it('answers 207 in order; a bad event does not spoil the others', async () => {
    const answer = await post(
      '/v1/events/batch',
      JSON.stringify({
        events: [
          { ...EVENT, id: 'b-1' },
          { ...EVENT, id: 'b-2', type: 'nothing' },
          { ...EVENT, id: 'b-1' },
          { ...EVENT, id: 'b-3', surplus: true },
          { ...EVENT, id: 'b-4', application: 'nobody' },
        ],
      }),
    );
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({ accepted: 1, duplicates: 1, rejected: 3 });
    expect(answer.body['results']).toMatchObject([
      { status: 202, id: 'b-1', duplicate: false },
      { status: 422, code: 'VALIDATION_FAILED', errors: [{ pointer: '/type' }] },
      { status: 202, id: 'b-1', duplicate: true },
      { status: 422, code: 'VALIDATION_FAILED', errors: [{ pointer: '/surplus' }] },
      { status: 422, code: 'UNKNOWN_APPLICATION' },
    ]);
  });

  it('takes 1 to 1,000 events', async () => {
    const batch = (count: number) =>
      post(
        '/v1/events/batch',
        JSON.stringify({ events: Array.from({ length: count }, (_, n) => ({ ...EVENT, id: `n-${n}` })) }),
      );
    expect((await batch(0)).status).toBe(422);
    expect((await batch(1_001)).status).toBe(422);
    expect((await batch(1_000)).body).toMatchObject({ accepted: 1_000 });
  });

  it('answers 503 for all with Retry-After when the database does not answer, and keeps nothing', async () => {
    const query = platform.database.query.bind(platform.database);
    const before = await eventCount();
    platform.database.query = () =>
      Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01', severity: 'FATAL' }));
    try {
      const response = await fetch(`${url}/v1/events/batch`, {
        method: 'POST',
        body: JSON.stringify({
          events: [
            { ...EVENT, id: 'away-1' },
            { ...EVENT, id: 'away-2' },
          ],
        }),
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      platform.database.query = query;
    }
    expect(await eventCount()).toBe(before);
  });
});
