import { AttemptHeaders1764979200000 } from '#migrations/1764979200000-attempt-headers.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({
    url: testDatabase.url,
    poolSize: 2,
    applicationName: 'test',
    statementTimeoutMs: 0,
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

it('reaches attempts that are there, in partitions that are attached or not yet, and may be run again', async () => {
  const migration = new AttemptHeaders1764979200000();
  const runner = database.dataSource.createQueryRunner();
  const sql = (text: string) => runner.query(text) as Promise<Record<string, unknown>[]>;
  try {
    await new PartitionKeeper(database).makeAhead(new Date());
    await migration.down(runner);
    const today = firstIdAt(new Date()) + 1;
    await sql(
      `INSERT INTO attempts (delivery_id, number, cycle, superseded, trigger, started_at, duration_ms, url, outcome,
                             response_summary)
       VALUES (${today}, 1, 1, false, 'first', now(), 1, 'http://127.0.0.1:9/', 'success', 'kept')`,
    );
    const [from, to] = ['2027-06-01', '2027-06-02'].map((day) => firstIdAt(new Date(day)));
    await sql('CREATE TABLE attempts_20270601 (LIKE attempts INCLUDING ALL)');

    await migration.up(runner);
    await migration.up(runner);

    expect(await sql('SELECT response_summary, request_headers, response_headers FROM attempts')).toEqual([
      { response_summary: 'kept', request_headers: null, response_headers: null },
    ]);
    await sql(`ALTER TABLE attempts ATTACH PARTITION attempts_20270601 FOR VALUES FROM (${from}) TO (${to})`);
    expect(
      await sql(
        `SELECT indisvalid AS valid, (SELECT count(*) FROM pg_inherits WHERE inhparent = indexrelid) AS parts,
                (SELECT count(*) FROM pg_inherits WHERE inhparent = 'attempts'::regclass) AS partitions
           FROM pg_index WHERE indexrelid = 'attempts_written'::regclass`,
      ),
    ).toEqual([{ valid: true, parts: 6, partitions: 6 }]);
  } finally {
    await runner.release();
  }
});

it('waits for a backup that takes longer than locks are waited for', async () => {
  const migration = new AttemptHeaders1764979200000();
  const runner = database.dataSource.createQueryRunner();
  const backup = new Client({ connectionString: testDatabase.url });
  await backup.connect();
  try {
    await migration.down(runner);
    await backup.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await backup.query('SELECT count(*) FROM applications');
    const up = migration.up(runner);
    const [settings] = await database.dataSource.query<[{ lock_timeout: string }]>('SHOW lock_timeout');
    await until(
      async () => {
        // Not by the backup's own connection: a transaction sees the same activity until its end.
        const waiting = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%'
              AND datname = current_database() AND clock_timestamp() - query_start > $1::interval + interval '1 s'`,
          [settings.lock_timeout],
        );
        return waiting.rowCount === 1;
      },
      { timeoutMs: 15_000, describe: 'the build to wait for longer than that' },
    );
    await backup.query('COMMIT');
    await up;
  } finally {
    await backup.end();
    await runner.release();
  }
});
