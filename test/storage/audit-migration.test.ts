import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Audit1764806400000 } from '#migrations/1764806400000-audit.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, poolSize: 2, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function lastApplied(): Promise<string> {
  const { rows } = await database.pool.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY id DESC LIMIT 1',
  );
  return rows[0]!.name;
}

it('the migration to erasable bodies reaches the partitions that are there, and goes back with bodies erased', async () => {
  const { name } = new Audit1764806400000();
  while ((await lastApplied()) !== name) await database.dataSource.undoLastMigration();
  await database.dataSource.undoLastMigration();
  // As the version before makes one.
  const day = new Date('2026-05-20T12:00:00Z');
  await new PartitionKeeper(database).makeAhead(day);
  await database.pool.query(
    `INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
     VALUES ($1, 'acme', 'event', 'x', now(), 'body')`,
    [firstIdAt(day)],
  );
  const erase = `UPDATE events SET body = NULL`;
  await expect(database.pool.query(erase)).rejects.toMatchObject({ code: '23502' });

  await database.dataSource.runMigrations();
  await database.pool.query(erase);

  while ((await lastApplied()) !== name) await database.dataSource.undoLastMigration();
  await database.dataSource.undoLastMigration();
  expect((await database.pool.query('SELECT body FROM events')).rows).toEqual([{ body: Buffer.alloc(0) }]);
  await expect(database.pool.query(erase)).rejects.toMatchObject({ code: '23502' });
});
