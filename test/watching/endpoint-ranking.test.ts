import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecentActivity } from '#delivery/watch/recent-activity.js';
import { HOUR_MS, MINUTE_MS } from '#domain/durations.js';
import type { Queryable } from '#storage/database.js';
import { AdminApi } from '../support/admin-api.js';

let api: AdminApi;
const endpoints: Record<string, string> = {};

const get = (path: string, key?: string) => api.call('GET', path, undefined, key);
const ranked = (answer: { body: { items: { id: string }[] } }) =>
  answer.body.items.map(({ id }) => Object.keys(endpoints).find((name) => endpoints[name] === id));

/** Attempts of an endpoint, so many minutes ago. */
async function minute(name: string, minutesAgo: number, succeeded: number, failed: number): Promise<void> {
  await api.platform.sql(
    `INSERT INTO endpoint_minutes (endpoint_id, minute, succeeded, failed, duration_ms_sum)
     VALUES ($1, date_trunc('minute', now()) - $2 * interval '1 min', $3, $4, 10 * ($3::int + $4::int))`,
    [endpoints[name], minutesAgo, succeeded, failed],
  );
}

async function delivery(name: string, sql: string): Promise<void> {
  await api.platform.sql(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at, last_http_status,
                             last_error_code, last_error_message)
     SELECT 1, application_id, id, 'x', ${sql} FROM endpoints WHERE id = $1`,
    [endpoints[name]],
  );
}

beforeAll(async () => {
  api = await AdminApi.start();
  for (const name of ['busy', 'failing', 'late', 'quiet', 'other']) {
    await api.addApplication(name);
    endpoints[name] = await api.addWebhook(name, `http://127.0.0.1:9/${name}`);
  }
  await minute('busy', 1, 900, 1);
  await minute('busy', 2, 100, 0);
  await minute('failing', 1, 5, 15);
  await minute('late', 3, 1, 2);
  await minute('other', 150, 0, 500);
  await delivery(
    'late',
    `'pending', now_ms() - interval '5 min', now_ms() - interval '5 min', 503, NULL, NULL`,
  );
  await delivery(
    'failing',
    `'pending', now_ms() - interval '9 s', now_ms() - interval '9 s', NULL, 'ECONNREFUSED', 'refused'`,
  );
  await delivery('failing', `'delivered', NULL, NULL, 200, NULL, NULL`);
  await delivery(
    'quiet',
    `'pending', now_ms() + interval '1 h', now_ms() + interval '1 h', NULL, NULL, NULL`,
  );
});
afterAll(() => api.stop());

describe('endpoints that stand out', () => {
  it('are those with most failures of the last hour, with what an operator asks next', async () => {
    const answer = await get('/v1/stats?by=endpoint');
    expect(ranked(answer)).toEqual(['failing', 'late', 'busy']);
    expect(answer.body).toMatchObject({ order: 'failures', window: '1h' });
    expect(answer.body.items[0]).toEqual({
      id: endpoints['failing'],
      application: 'failing',
      url: 'http://127.0.0.1:9/failing',
      state: 'active',
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
      succeeded: 5,
      failed: 15,
      successShare: 0.25,
      averageDurationMs: 10,
      pending: 1,
      oldestDueAt: expect.stringMatching(/Z$/),
      lastHttpStatus: null,
      lastError: { code: 'ECONNREFUSED', message: 'refused' },
    });
    expect(answer.body.items[1]).toMatchObject({ lastHttpStatus: 503, lastError: null });
  });

  it('are ordered by lag and by volume, over other windows, up to a limit', async () => {
    expect(ranked(await get('/v1/stats?by=endpoint&order=lag'))).toEqual(['late', 'failing']);
    expect(ranked(await get('/v1/stats?by=endpoint&order=volume&limit=2'))).toEqual(['busy', 'failing']);
    const day = await get('/v1/stats?by=endpoint&window=24h');
    expect(ranked(day)).toEqual(['other', 'failing', 'late', 'busy']);
    expect(day.body.items[0]).toMatchObject({ succeeded: 0, failed: 500, successShare: 0 });
    expect(ranked(await get('/v1/stats?by=endpoint&window=5m&order=volume'))).toEqual([
      'busy',
      'failing',
      'late',
    ]);
  });

  it('are those of the applications asked for that the key covers', async () => {
    expect(ranked(await get('/v1/stats?by=endpoint&application=late,quiet'))).toEqual(['late']);
    const key = await api.key('operator', ['busy']);
    expect(ranked(await get('/v1/stats?by=endpoint', key))).toEqual(['busy']);
    expect(ranked(await get('/v1/stats?by=endpoint&application=late', key))).toEqual([]);
    expect((await get('/v1/stats?by=endpoint', await api.key('producer'))).status).toBe(403);
  });

  it.each([
    'by=application',
    'order=lag',
    'by=endpoint&order=size',
    'by=endpoint&window=2h',
    'by=endpoint&limit=201',
    'by=endpoint&cursor=x',
  ])('are not asked for by %s', async (query) => {
    expect((await get(`/v1/stats?${query}`)).status).toBe(422);
  });
});

describe('the last hour by minute', () => {
  it('has an entry for each minute, and follows the attempts of the last one', async () => {
    const read = async (query = '') =>
      (await get(`/v1/stats${query}`)).body.minutes as {
        minute: string;
        succeeded: number;
        failed: number;
      }[];
    const sum = (minutes: { succeeded: number; failed: number }[]) =>
      minutes.reduce((total, one) => total + one.succeeded + one.failed, 0);
    const before = await read();
    expect(before).toHaveLength(60);
    expect(sum(before)).toBe(1_024);
    expect(sum(await read('?application=late'))).toBe(3);
    await minute('quiet', 0, 7, 0);
    expect(sum(await read())).toBe(1_031);
    const starts = (await read()).map((one) => Date.parse(one.minute));
    expect(new Set(starts.slice(1).map((start, index) => start - starts[index]!))).toEqual(
      new Set([MINUTE_MS]),
    );
  });
});

describe('sums of what is past', () => {
  const recorded = () => {
    const spans: [number, number][] = [];
    const database: Queryable = {
      query: <Row>(_: unknown, values: readonly unknown[]) => {
        const [from, until] = values as [Date, Date];
        spans.push([from.getTime(), until.getTime()]);
        return Promise.resolve([{ endpointId: 1, succeeded: 1, failed: 0, durationMs: 5 }] as Row[]);
      },
    };
    return { spans, activity: new RecentActivity(database) };
  };
  const NOON = Date.UTC(2025, 0, 31, 12);

  it('are read once, and then only those of the latest minutes', async () => {
    const { spans, activity } = recorded();
    const { since } = await activity.ofEndpoints('24h', new Date(NOON + 32 * MINUTE_MS));
    expect(since.getTime()).toBe(NOON - 24 * HOUR_MS);
    // Without a gap or an overlap: an hour each until noon, five minutes each until half past, the settled minute, the rest.
    expect(spans).toHaveLength(24 + 6 + 1 + 1);
    spans.slice(1).forEach(([from], index) => expect(from).toBe(spans[index]![1]));
    spans.length = 0;
    const { activity: sums } = await activity.ofEndpoints('24h', new Date(NOON + 33 * MINUTE_MS));
    expect(spans.map(([from]) => (from - NOON) / MINUTE_MS)).toEqual([31, 32]);
    expect(sums.get(1)).toEqual({ succeeded: 33, failed: 0, durationMs: 165 });
    spans.length = 0;
    await activity.ofEndpoints('24h', new Date(NOON + 62 * MINUTE_MS));
    expect(spans.map(([from]) => (from - NOON) / MINUTE_MS)).toEqual([0, 60, 61]);
  });

  it('are not kept of a minute that results may still be written to', async () => {
    const { spans, activity } = recorded();
    const ofNoon = () => spans.filter(([from]) => from === NOON).length;
    for (const ageMs of [60_000, 119_999]) await activity.ofEndpoints('1h', new Date(NOON + ageMs));
    expect(ofNoon()).toBe(2);
    for (const ageMs of [120_000, 120_001]) await activity.ofEndpoints('1h', new Date(NOON + ageMs));
    expect(ofNoon()).toBe(3);
  });

  it('by minute has what a minute had in the end, whenever it was asked for before', async () => {
    let succeeded = 0;
    const activity = new RecentActivity({
      query: <Row>() => Promise.resolve([{ minute: new Date(NOON), succeeded, failed: 0 }] as Row[]),
    });
    const ofNoon = async (ageMs: number) =>
      (await activity.byMinute(null, new Date(NOON + ageMs))).find(({ minute }) => minute.getTime() === NOON);
    for (const [ageMs, attempts] of [
      [10_000, 7],
      [119_999, 59],
      [300_000, 60],
    ] as const) {
      succeeded = attempts;
      expect(await ofNoon(ageMs)).toMatchObject({ succeeded });
    }
    succeeded = 61;
    expect(await ofNoon(300_001)).toMatchObject({ succeeded: 60 });
  });
});
