import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oweOverdue } from '#storage/sql/owe-overdue.js';
import { Platform } from '../support/platform.js';

let platform: Platform;
let endpoint: number;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
  endpoint = await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
});
afterAll(() => platform.destroy());

/** Pending deliveries; `scheduled` and `due` are SQL over `n`, which counts from 1. */
async function pending(scheduled: string, due = scheduled, count = 1): Promise<number[]> {
  const rows = await platform.sql<{ id: number }>(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
     SELECT 1, 'acme', $1, 'x', 'pending', ${scheduled}, ${due} FROM generate_series(1, $2) AS n RETURNING id`,
    [endpoint, count],
  );
  return rows.map((row) => row.id);
}

const timesOf = (ids: readonly number[]) =>
  platform.sql<{ scheduled_at: Date; due_at: Date }>(
    'SELECT scheduled_at, due_at FROM deliveries WHERE id = ANY ($1) ORDER BY array_position($1, id)',
    [ids],
  );

describe('owing what is overdue', () => {
  it('goes page by page, the longest overdue first, and leaves the rest alone', async () => {
    const untouched = [
      ...(await pending(`now_ms() + interval '1 h'`)),
      ...(await pending(`now_ms() - interval '1 s'`, `now_ms() + interval '1 min'`)),
      ...(await pending(`now_ms() - interval '1 d'`, `'infinity'`)),
    ];
    const before = await timesOf(untouched);
    const overdue = await pending(`now_ms() - interval '1 h' - n * interval '1 s'`, undefined, 4_500);
    expect(await oweOverdue(platform.database, endpoint)).toBe(4_500);
    expect(await timesOf(untouched)).toEqual(before);
    const times = await timesOf(overdue.reverse());
    const now = Date.now();
    expect(times.every(({ scheduled_at, due_at }) => scheduled_at.getTime() === due_at.getTime())).toBe(true);
    expect(times.every(({ due_at }) => now - due_at.getTime() < 60_000)).toBe(true);
    const dueAt = times.map(({ due_at }) => due_at.getTime());
    expect(dueAt).toEqual([...dueAt].sort((a, b) => a - b));
    expect(new Set(dueAt).size).toBe(3);
  });
});
