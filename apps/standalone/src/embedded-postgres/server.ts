import { spawn } from 'node:child_process';
import { appendFile, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '#domain/start-error.js';
import { type StartLog } from '../start-log.js';
import { giveTo, type Account } from './account.js';
import { POSTGRES_ENVIRONMENT, type Binaries } from './binaries.js';
import { clearStaleLocks, findPostmaster, isPostmaster, stopPostmaster } from './postmaster.js';
import { serverSettings, SETTINGS_FILE, type Durability } from './server-settings.js';

/** One PostgreSQL data directory and what is needed to run it. */
export interface Cluster {
  readonly binaries: Binaries;
  /** Null: PostgreSQL runs as our own account. */
  readonly account: Account | null;
  readonly directory: string;
  /** Short, for the path of a socket has 107 bytes at most, and enterable by nobody else. */
  readonly socketDir: string;
  readonly durability: Durability;
}

/** The database role that owns everything; its password is the only way in. */
export const ROLE = 'entrega';

/** Creates the data directory: all of it under its final name, or nothing. */
export async function createCluster(cluster: Cluster, password: string): Promise<void> {
  const aside = `${cluster.directory}.new`;
  await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  // initdb runs as the account and must read the password; our standard input is not readable for it.
  const passwordFile = `${cluster.directory}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(cluster.account, passwordFile);
  try {
    await runInitdb(cluster, aside, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await appendFile(join(aside, 'postgresql.conf'), `\ninclude '${SETTINGS_FILE}'\n`);
  await rename(aside, cluster.directory);
  if (cluster.durability === 'durable') await syncDirectory(dirname(cluster.directory));
}

async function runInitdb(
  { binaries, account, durability }: Cluster,
  directory: string,
  passwordFile: string,
) {
  const options = [
    `--pgdata=${directory}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own collation: the same order on every system and after its upgrades.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durability === 'ephemeral' ? ['--no-sync'] : []),
  ];
  const child = spawn(binaries.initdb, options, {
    ...account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exitCode = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (exitCode !== 0)
    throw new StartError(`The database could not be created. initdb says:\n${output.trim()}`);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

/**
 * Makes sure that a server with the present settings runs on the cluster, and returns its process id. A
 * process of ours that was killed leaves its server alive: that one is adopted when it is as we would have
 * started it, else stopped and started anew.
 */
export async function runServer(cluster: Cluster, log: StartLog): Promise<number> {
  const settingsFile = join(cluster.directory, SETTINGS_FILE);
  const settings = serverSettings(cluster.binaries, cluster.socketDir, cluster.durability);

  const leftOver = await findPostmaster(cluster.directory);
  if (leftOver !== null) {
    const asWanted = (await readFile(settingsFile, 'utf8').catch(() => '')) === settings;
    if (leftOver.status !== 'stopping' && asWanted) {
      log.info(`PostgreSQL (process ${leftOver.pid}) still runs since the last start and is taken over.`);
      await untilReady(cluster, () => isPostmaster(leftOver.pid, cluster.directory), log);
      return leftOver.pid;
    }
    log.info(`PostgreSQL (process ${leftOver.pid}) of the last start is stopped first.`);
    await stopPostmaster(leftOver.pid, cluster.directory, LEFT_OVER_STOP_MS);
  }

  await clearStaleLocks(cluster.directory, cluster.socketDir);
  await writeFile(settingsFile, settings, { mode: 0o600 });
  await giveTo(cluster.account, settingsFile);
  return spawnServer(cluster, log);
}

/** Nobody waits for an answer meanwhile, and an orderly stop saves the recovery. */
const LEFT_OVER_STOP_MS = 30_000;

/**
 * Starts the server in a session of its own. In our process group it would get the terminal's Ctrl-C together
 * with us and shut down under the last results. (`pg_ctl` does the same by way of a shell, which expands `$`
 * and quotes in paths and hides an early exit.)
 */
async function spawnServer(cluster: Cluster, log: StartLog): Promise<number> {
  const outputFile = `${cluster.directory}.start.log`;
  const output = await open(outputFile, 'w', 0o600);
  await giveTo(cluster.account, outputFile);
  const server = spawn(cluster.binaries.postgres, ['-D', cluster.directory], {
    ...cluster.account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  await new Promise((resolve, reject) => server.once('spawn', resolve).once('error', reject));
  await output.close();
  server.unref();

  try {
    await untilReady(cluster, () => server.exitCode === null && server.signalCode === null, log);
  } catch (cause) {
    const said = (await readFile(outputFile, 'utf8')).trim();
    throw new StartError(
      `PostgreSQL did not start. It says:\n${said}\nMore may be in ${cluster.directory}/log.`,
      {
        cause,
      },
    );
  }
  return server.pid as number;
}

/** Recovery after a crash reads up to `max_wal_size` of log; the wait says so instead of giving up. */
async function untilReady(cluster: Cluster, isRunning: () => boolean, log: StartLog): Promise<void> {
  const started = performance.now();
  let nextNoticeMs = 5_000;
  for (;;) {
    if (!isRunning()) throw new Error('PostgreSQL ended');
    if ((await findPostmaster(cluster.directory))?.status === 'ready') return;
    const waitedMs = performance.now() - started;
    if (waitedMs > READY_MS) throw new Error('PostgreSQL did not get ready');
    if (waitedMs > nextNoticeMs) {
      log.info(`PostgreSQL is recovering (${Math.round(waitedMs / 1_000)} s).`);
      nextNoticeMs += 5_000;
    }
    await sleep(10);
  }
}

const READY_MS = 600_000;
