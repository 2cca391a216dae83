import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '#storage/database.js';
import { MIGRATIONS } from '#storage/migrations.js';
import { describeSchema } from '#storage/schema-description.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const SCHEMA_FILE = new URL('../../migrations/schema.txt', import.meta.url);

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

describe('the migrations', () => {
  it('lead to the schema that is committed (UPDATE_GENERATED=1 npm test -- migrations writes it anew)', async () => {
    const schema = await describeSchema(database);
    if (process.env['UPDATE_GENERATED'] === '1') await writeFile(SCHEMA_FILE, schema);
    expect(schema).toBe(await readFile(SCHEMA_FILE, 'utf8'));
  });

  it('go down to nothing and up to the same again', async () => {
    const before = await describeSchema(database);
    for (const migration of [...MIGRATIONS].reverse()) {
      await database.dataSource.undoLastMigration();
      expect(migration.name).toMatch(/\d{13}$/);
    }
    expect(await describeSchema(database)).toBe('\n');
    await database.dataSource.runMigrations();
    expect(await describeSchema(database)).toBe(before);
  });
});
