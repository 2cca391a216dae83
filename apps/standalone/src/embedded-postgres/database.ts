import { Client } from 'pg';
import { StartError } from '#domain/start-error.js';
import { ROLE } from './server.js';

/** The connection string of a database on the server that listens in `socketDir`. Holds the password. */
export function databaseUrl(socketDir: string, password: string, database: string): string {
  // The host parameter wins over the name before it, which only keeps the address a valid URL everywhere.
  const url = new URL(`postgresql://localhost/${database}`);
  url.username = ROLE;
  url.password = password;
  url.searchParams.set('host', socketDir);
  return url.href;
}

/** Creates the database unless it is there. Also the proof that the password is the cluster's. */
export async function ensureDatabase(socketDir: string, password: string, database: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl(socketDir, password, 'postgres') });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== INVALID_PASSWORD) throw cause;
    throw new StartError(
      'The password in DATA_DIR/postgres.password is not the one the embedded database was created with. ' +
        'Restore that file from a backup.',
      { cause },
    );
  } finally {
    await client.end();
  }
}

const INVALID_PASSWORD = '28P01';
