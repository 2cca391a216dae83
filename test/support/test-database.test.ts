import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const databases: TestDatabase[] = [];

async function queryAll(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

afterAll(() => Promise.all(databases.map((database) => database.drop())));

describe('createTestDatabase', () => {
  it('gives each caller a database of its own, also when many ask at once', async () => {
    databases.push(...(await Promise.all(Array.from({ length: 4 }, createTestDatabase))));
    const [first, second] = databases as [TestDatabase, TestDatabase];
    await queryAll(first.url, 'CREATE TABLE mine (id int)');
    expect(await queryAll(first.url, 'SELECT FROM mine')).toEqual([]);
    await expect(queryAll(second.url, 'SELECT FROM mine')).rejects.toThrow('does not exist');
  });

  it('drops it although a session is open', async () => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await expect(queryAll(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});
