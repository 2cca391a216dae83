import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { applyMigrations } from '#storage/migrate.js';

/** A PostgreSQL of the test's own, migrated, to be stopped and started again: its address and data stay. */
export interface RestartablePostgres {
  readonly url: string;
  /** As an administrator's restart does: sessions are cut off, everything is written out. */
  stop(): Promise<void>;
  /** Everything in memory is gone; the next start recovers. */
  crash(): Promise<void>;
  /** Returns when it answers. */
  start(): Promise<void>;
  /** Ends it and removes what it held. */
  remove(): Promise<void>;
}

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const loader = file('../support/source-loader.mjs');
  const child = spawn(process.execPath, ['--import', loader, file('./postgres-host.ts')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = await lines.next();
  if (url.done) throw new Error('No PostgreSQL could be started for this test; the reason is above.');
  const command = async (name: string): Promise<void> => {
    child.stdin.write(`${name}\n`);
    const answer = await lines.next();
    if (answer.value !== 'ok')
      throw new Error(`PostgreSQL did not ${name}: ${answer.value ?? 'its host ended'}`);
  };
  await applyMigrations(url.value);
  return {
    url: url.value,
    stop: () => command('stop'),
    crash: () => command('crash'),
    start: () => command('start'),
    remove: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}

/** One statement on a connection of its own, so that no restart of the server finds it open. */
export async function queryOnce<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
