import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '#storage/database.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('a session that did not get the settings that entrega asks for', () => {
  let testDatabase: TestDatabase;
  let database: Database | undefined;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
  });
  afterEach(async () => {
    await database?.close();
    await testDatabase.drop();
  });

  async function connect(parameters: string): Promise<Database> {
    const url = testDatabase.url + (testDatabase.url.includes('?') ? '&' : '?') + parameters;
    database = await Database.connect({ url, poolSize: 1, applicationName: 'test' });
    return database;
  }

  it('is refused with the cure: nothing would fail at first, and everything be slow later', async () => {
    // Takes the place of ours, as a pooler does that ignores both.
    const dropping = await connect('options=-c%20search_path%3Dpublic&lock_timeout=0');
    await expect(dropping.assertServerSettings()).rejects.toThrow(
      /lock_timeout = 0.*plan_cache_mode = auto.*ALTER ROLE … SET plan_cache_mode = force_generic_plan/,
    );
  });

  it('serves once the role has them', async () => {
    const administrator = await connect('');
    await administrator.assertServerSettings();
    const settings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
    const others = { max_parallel_workers_per_gather: 0, enable_incremental_sort: 'off' };
    const name = new URL(testDatabase.url).pathname.slice(1);
    for (const [setting, value] of Object.entries({ ...settings, ...others }))
      await administrator.pool.query(`ALTER ROLE CURRENT_USER IN DATABASE ${name} SET ${setting} = ${value}`);
    await administrator.close();
    await (await connect('options=-c%20search_path%3Dpublic')).assertServerSettings();
  });
});

it('a session whose time limit was changed too late is left to nobody', async () => {
  const testDatabase = await createTestDatabase();
  const options = { url: testDatabase.url, poolSize: 1, applicationName: 'test', statementTimeoutMs: 100 };
  const database = await Database.connect(options);
  try {
    const session = async () =>
      (
        await database.pool.query(
          `SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') AS limit`,
        )
      ).rows[0] as { pid: number; limit: string };
    const { pid, limit } = await session();
    process.kill(pid, 'SIGSTOP');
    try {
      await expect(database.withStatementTimeout(77, () => Promise.resolve())).rejects.toThrow('timeout');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect((await session()).limit).toBe(limit);
  } finally {
    await database.close();
    await testDatabase.drop();
  }
});
