import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  startEphemeralPostgres,
  type EmbeddedPostgres,
} from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';
import { until } from './support/until.js';

const asRoot = process.getuid?.() === 0;

let parent: string;
let dataDir: string;
let said: string[];
/** Folders that hold a cluster: outside `dataDir` when the tests run as root. */
const homes = new Set<string>();
let running: EmbeddedPostgres[];
let owners: ChildProcess[];

// The tests share one cluster, for creating one is the slow part. Each leaves it whole and stopped.
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'entrega-embedded-'));
  await chmod(parent, 0o755);
});

beforeEach(() => {
  dataDir = join(parent, 'data-dir');
  said = [];
  running = [];
  owners = [];
});

afterEach(async () => {
  for (const owner of owners) await kill(owner, 'SIGKILL');
  // Whatever a killed owner left running is taken over, and then stopped.
  if (owners.length > 0 && running.length === 0) await start();
  await Promise.all(running.map((postgres) => postgres.stop()));
});

afterAll(async () => {
  for (const folder of [...homes, parent]) await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const say = (message: string): unknown => said.push(message);
  const postgres = await startEmbeddedPostgres({ dataDir, log: { info: say, warn: say } });
  running.push(postgres);
  homes.add(dirname(postgres.clusterDir));
  return postgres;
}

/** A process that runs the database as the standalone app does; also returns the server's process id. */
async function startOwner(): Promise<{ owner: ChildProcess; postmaster: number }> {
  const owner = spawn(
    process.execPath,
    ['--import', './test/support/source-loader.mjs', 'test/support/embedded-postgres-owner.ts', dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  owners.push(owner);
  const lines = createInterface(owner.stdout as NodeJS.ReadableStream);
  const [postmaster] = (await once(lines, 'line')) as [string];
  return { owner, postmaster: Number(postmaster) };
}

async function kill(owner: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  const exit = once(owner, 'exit');
  owner.kill(signal);
  await exit;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the embedded database', () => {
  it('is durable, reached by password alone, and opens no port', async () => {
    const { databaseUrl } = await start();
    const settings = ['fsync', 'synchronous_commit', 'jit', 'listen_addresses', 'max_locks_per_transaction'];
    const shown = await query(
      databaseUrl,
      `SELECT current_setting(name) FROM unnest('{${settings.join()}}'::text[]) AS name`,
    );
    expect(shown).toEqual(['on', 'on', 'off', '', '1024']);

    const guessed = new URL(databaseUrl);
    guessed.password = 'guess';
    await expect(query(guessed.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('keeps its folder and its password from other users', async () => {
    const { databaseUrl, clusterDir } = await start();
    const socketDir = new URL(databaseUrl).searchParams.get('host') as string;
    for (const folder of [dataDir, dirname(clusterDir), clusterDir, socketDir]) {
      expect([folder, (await stat(folder)).mode & 0o777]).toEqual([folder, 0o700]);
    }
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
  });

  it('keeps the data over a stop and a start', async () => {
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE kept AS SELECT 7 AS value');
    await first.stop();
    await until(() => !isAlive(first.pid), { describe: 'the server to be gone' });

    const second = await start();
    expect(await query(second.databaseUrl, 'SELECT value FROM kept')).toEqual([7]);
  });

  it('stops within its bound although sessions are open', async () => {
    const postgres = await start();
    const client = new Client({ connectionString: postgres.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const cutOff = expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow();
    await postgres.stop();
    await cutOff;
    await until(() => !isAlive(postgres.pid), { describe: 'the server to be gone' });
  });

  it('survives the Ctrl-C that ends the app', async () => {
    const { owner, postmaster } = await startOwner();
    const exit = once(owner, 'exit');
    // What a terminal does: the signal goes to the whole process group.
    process.kill(-(owner.pid as number), 'SIGINT');
    await exit;
    expect(isAlive(postmaster)).toBe(true);
    expect((await start()).pid).toBe(postmaster);
  });

  it('is taken over alive after kill -9 of the app', async () => {
    const { owner, postmaster } = await startOwner();
    await kill(owner, 'SIGKILL');

    const { pid, databaseUrl } = await start();
    expect(pid).toBe(postmaster);
    expect(said.join()).toMatch('taken over');
    expect(await query(databaseUrl, 'SELECT 1')).toEqual([1]);
  });

  it('recovers after kill -9 of everything', async () => {
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE saved AS SELECT 7 AS value');
    process.kill(first.pid, 'SIGKILL');
    await until(() => !isAlive(first.pid), { describe: 'the server to be gone' });
    await first.stop();

    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second.databaseUrl, 'SELECT value FROM saved')).toEqual([7]);
  });

  it('starts although the process ids in stale lock files belong to others by now', async () => {
    const first = await start();
    await first.stop();
    const stranger = spawn('sleep', ['60'], await accountOf(first.clusterDir));
    try {
      const socketDir = new URL(first.databaseUrl).searchParams.get('host') as string;
      const stale = `${stranger.pid}\n${first.clusterDir}\n1700000000\n5432\n${socketDir}\n\n  1 1\nready   \n`;
      await writeFile(join(first.clusterDir, 'postmaster.pid'), stale);
      await writeFile(join(socketDir, '.s.PGSQL.5432.lock'), stale);

      const second = await start();
      expect(await query(second.databaseUrl, 'SELECT 1')).toEqual([1]);
      expect(isAlive(stranger.pid as number)).toBe(true);
    } finally {
      stranger.kill();
    }
  });

  it('restarts a server that was left with other settings', async () => {
    const { owner, postmaster } = await startOwner();
    await kill(owner, 'SIGKILL');
    const home = asRoot
      ? (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim()
      : join(dataDir, 'postgres');
    await writeFile(join(home, 'data/entrega.conf'), '# of an earlier version\n');

    const { pid, databaseUrl } = await start();
    expect(pid).not.toBe(postmaster);
    expect(await query(databaseUrl, 'SELECT 1')).toEqual([1]);
  });

  it('refuses a second app on the same DATA_DIR, and names the first', async () => {
    const { owner } = await startOwner();
    await expect(start()).rejects.toThrow(`already runs on this DATA_DIR (process ${owner.pid})`);
    await kill(owner, 'SIGTERM');
    await expect(start()).resolves.toBeDefined();
  });

  it('refuses a cluster of another major version', async () => {
    const { clusterDir, stop } = await start();
    await stop();
    await withContent(join(clusterDir, 'PG_VERSION'), '17\n', () =>
      expect(start()).rejects.toThrow(/written by PostgreSQL 17; .* brings PostgreSQL 18/),
    );
  });

  it('says so when the password is lost or wrong', async () => {
    await (await start()).stop();
    const passwordFile = join(dataDir, 'postgres.password');
    await withContent(passwordFile, null, () =>
      expect(start()).rejects.toThrow('postgres.password is missing'),
    );
    await withContent(passwordFile, 'guess\n', () =>
      expect(start()).rejects.toThrow('is not the one the embedded database was created with'),
    );
  });

  it('tells why it did not start', async () => {
    const { clusterDir, stop } = await start();
    await stop();
    await withContent(join(clusterDir, 'postgresql.auto.conf'), "shared_buffers = 'much'\n", () =>
      expect(start()).rejects.toThrow(/did not start.*shared_buffers/s),
    );
  });

  it('refuses a DATA_DIR that others can look into', async () => {
    await (await start()).stop();
    await chmod(dataDir, 0o750);
    await expect(start()).rejects.toThrow(/mode 750.*chmod 700/);
    await chmod(dataDir, 0o700);
  });

  it.each([
    ['quotes, blanks and dollars', `it's "$HOME", 50% ação`],
    ['more than a socket path holds', 'a'.repeat(120)],
  ])('runs below a path of %s', async (_what, name) => {
    const folder = join(parent, name);
    await mkdir(folder);
    const postgres = await startEphemeralPostgres(folder);
    try {
      expect(await query(postgres.databaseUrl, 'SELECT 1')).toEqual([1]);
    } finally {
      await postgres.stop();
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

(asRoot ? describe : describe.skip)('the embedded database of root', () => {
  it('lies outside a DATA_DIR that PostgreSQL cannot enter, which says where', async () => {
    const { clusterDir } = await start();
    expect(clusterDir).toMatch(/^\/var\/lib\/entrega\/[0-9a-f]{16}\/data$/);
    expect(await readFile(join(dataDir, 'postgres.location'), 'utf8')).toBe(`${dirname(clusterDir)}\n`);
    expect(said.join()).toMatch(`lies in ${dirname(clusterDir)}`);
    expect((await lstat(clusterDir)).uid).not.toBe(0);
  });

  it('keeps a database whose DATA_DIR was removed, and begins afresh', async () => {
    dataDir = join(parent, 'removed');
    const first = await start();
    await query(first.databaseUrl, 'CREATE TABLE old (id int)');
    await first.stop();
    await rm(dataDir, { recursive: true });

    const second = await start();
    await expect(query(second.databaseUrl, 'SELECT FROM old')).rejects.toThrow('does not exist');
    expect(await readdir(dirname(second.clusterDir))).toContainEqual(expect.stringMatching(/^data\.\d{4}-/));
    expect(said.join()).toMatch('is kept in');
  });

  it('lies in DATA_DIR when that belongs to the account PostgreSQL runs as', async () => {
    const probe = await start();
    const { uid, gid } = await accountOf(probe.clusterDir);
    await probe.stop();

    dataDir = join(parent, 'of-the-account');
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, uid, gid);
    expect((await start()).clusterDir).toBe(join(dataDir, 'postgres/data'));
  });
});

/** Runs with another content of the file (null: without the file), keeping its owner, and puts it back. */
async function withContent(path: string, content: string | null, use: () => Promise<void>): Promise<void> {
  const original = await readFile(path, 'utf8');
  const aside = `${path}.aside`;
  if (content === null) await rename(path, aside);
  else await writeFile(path, content);
  try {
    await use();
  } finally {
    if (content === null) await rename(aside, path);
    else await writeFile(path, original);
  }
}

async function accountOf(path: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await lstat(path);
  return { uid, gid };
}
