import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const RETENTION_DAYS = 3;
const NOW = new Date('2026-05-20T12:00:00Z');

let testDatabase: TestDatabase;
let database: Database;
let keeper: PartitionKeeper;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, poolSize: 4, applicationName: 'test' });
  keeper = new PartitionKeeper(database);
  for (let day = 0; day < 8; day++) await keeper.makeAhead(new Date(NOW.getTime() - day * DAY_MS));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await database.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  // The template database was migrated today: its own days are not of interest.
  return rows.rows.map((row) => row.name.slice(-8)).filter((day) => day < '20260601');
}

async function insertEvent(day: string, publicId: string): Promise<number> {
  const id = firstIdAt(new Date(`${day}T06:00:00Z`));
  await database.pool.query(
    `WITH key AS (INSERT INTO event_keys VALUES ('acme', substring(sha256(convert_to($2, 'UTF8')) FROM 1 FOR 16), '', $1, 1, 0))
     INSERT INTO events (id, application_id, public_id, type, occurred_at, body) VALUES ($1, 'acme', $2, 'x', now(), '')`,
    [id, publicId],
  );
  return id;
}

async function insertDelivery(day: string, state: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO deliveries (id, event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
     VALUES ($1, 1, 'acme', 1, 'x', $2, CASE WHEN $2 = 'pending' THEN now() END, CASE WHEN $2 = 'pending' THEN now() END)`,
    [firstIdAt(new Date(`${day}T07:00:00Z`)), state],
  );
}

describe('partitions', () => {
  it('of attempts keep rows with headers of some kilobytes in their pages', async () => {
    const { rows } = await database.pool.query<{ options: string[] }>(
      `SELECT DISTINCT reloptions AS options FROM pg_class WHERE relkind = 'r' AND relname ~ '^attempts_2026052'`,
    );
    expect(rows).toEqual([{ options: ['toast_tuple_target=8160'] }]);
  });

  it('are made from yesterday to three days ahead, and only once', async () => {
    expect((await partitionsOf('deliveries')).slice(-5)).toEqual([
      '20260519',
      '20260520',
      '20260521',
      '20260522',
      '20260523',
    ]);
    expect(await keeper.makeAhead(NOW)).toEqual([]);
  });

  it('attach while a long reader and a writer are at work', async () => {
    const reader = await database.pool.connect();
    try {
      await reader.query('BEGIN');
      await reader.query('SELECT count(*) FROM deliveries');
      const made = await keeper.makeAhead(new Date(NOW.getTime() + DAY_MS));
      expect(made).toContain('deliveries_20260524');
      await insertDelivery('2026-05-20', 'delivered');
    } finally {
      await reader.query('ROLLBACK');
      reader.release();
    }
  });

  it('past retention are dropped whole, events a day after deliveries, with their keys', async () => {
    const oldEvent = await insertEvent('2026-05-13', 'old');
    const keptEvent = await insertEvent('2026-05-18', 'kept');
    await insertDelivery('2026-05-13', 'delivered');
    const report = await keeper.dropExpired(NOW, RETENTION_DAYS);
    expect(report.kept).toEqual([]);
    expect((await partitionsOf('deliveries'))[0]).toBe('20260517');
    expect((await partitionsOf('attempts'))[0]).toBe('20260517');
    expect((await partitionsOf('events'))[0]).toBe('20260516');
    expect((await partitionsOf('endpoint_minutes'))[0]).toBe('20260517');
    const keys = await database.pool.query<{ event_id: number }>('SELECT event_id FROM event_keys');
    expect(keys.rows.map((row) => row.event_id)).toEqual([keptEvent]);
    expect(keys.rows).not.toContainEqual({ event_id: oldEvent });
  });

  it('with pending deliveries stay, their events too, and are reported', async () => {
    await insertDelivery('2026-05-17', 'pending');
    const later = new Date(NOW.getTime() + 3 * DAY_MS);
    const report = await keeper.dropExpired(later, RETENTION_DAYS);
    expect(report.kept).toEqual(
      expect.arrayContaining(['deliveries_20260517', 'attempts_20260517', 'events_20260517']),
    );
    expect(await partitionsOf('deliveries')).toEqual(expect.arrayContaining(['20260517', '20260520']));
    expect(await partitionsOf('deliveries')).not.toContain('20260518');
  });

  it('that were detached and not dropped, or half detached, are finished by the next run', async () => {
    await database.pool.query('ALTER TABLE deliveries DETACH PARTITION deliveries_20260520');
    const before = await database.pool.query(`SELECT FROM pg_class WHERE relname = 'deliveries_20260520'`);
    expect(before.rows).toHaveLength(1);
    await keeper.dropExpired(NOW, RETENTION_DAYS);
    const after = await database.pool.query(`SELECT FROM pg_class WHERE relname = 'deliveries_20260520'`);
    expect(after.rows).toHaveLength(0);
  });

  it('are dropped by one process at a time', async () => {
    const later = new Date(NOW.getTime() + 6 * DAY_MS);
    const reports = await Promise.all([
      keeper.dropExpired(later, RETENTION_DAYS),
      new PartitionKeeper(database).dropExpired(later, RETENTION_DAYS),
    ]);
    const dropped = reports.flatMap((report) => report.dropped);
    expect(new Set(dropped).size).toBe(dropped.length);
  });
});
