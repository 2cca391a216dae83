import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { applyMigrations } from '#storage/migrate.js';

export interface TestDatabase {
  readonly url: string;
  /** Cuts off sessions that are still open. */
  drop(): Promise<void>;
}

const TEMPLATE = 'migrated_template';

/** A database of its own for one test file, with all migrations applied: cloned, so it costs a moment. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = await testServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(serverUrl, async (client) => {
    await ensureTemplate(client, serverUrl);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  });
  return {
    url: onDatabase(serverUrl, name),
    drop: () =>
      withClient(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** The URL of the test run's server, on an empty database that all tests share. Starts the server. */
export async function testServerUrl(): Promise<string> {
  const path = process.env['ENTREGA_TEST_POSTGRES'];
  if (path === undefined) throw new Error('ENTREGA_TEST_POSTGRES is not set: run the tests with `npm test`.');
  const answer = JSON.parse(await text(connect(path))) as { address: string } | { error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer.address;
}

/** Migrates the template once per test run; test files that come together wait for the first. */
async function ensureTemplate(client: Client, serverUrl: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(1)');
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount !== 0) return;
    const unfinished = `${TEMPLATE}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${unfinished}`);
    await applyMigrations(onDatabase(serverUrl, unfinished));
    // Nobody connects to the template, or it could not be cloned meanwhile.
    await client.query(`ALTER DATABASE ${unfinished} ALLOW_CONNECTIONS false`);
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${TEMPLATE}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(1)');
  }
}

function onDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}
