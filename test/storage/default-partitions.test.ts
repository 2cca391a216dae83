import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../support/test-database.js';

it('no table has a default partition, which would keep others from being detached (lessons: outpost#1027)', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; isDefault: boolean }>(
      `SELECT partrelid::regclass::text AS name, partdefid <> 0 AS "isDefault" FROM pg_partitioned_table`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['events', 'deliveries', 'attempts']),
    );
    expect(rows.filter(({ isDefault }) => isDefault)).toEqual([]);
  } finally {
    await client.end();
    await database.drop();
  }
});
