import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir } from '../data-dir.js';
import { readOrCreateSecretFile, readSecretFile } from '../secret-file.js';
import { StartError } from '#domain/start-error.js';
import { type StartLog } from '../start-log.js';
import { canEnter, chooseAccount, giveTo } from './account.js';
import { findBinaries, type Binaries } from './binaries.js';
import { lockCluster } from './cluster-lock.js';
import { exists, makeSocketDir, placeCluster, recordedPlace, recordPlace } from './cluster-place.js';
import { databaseUrl, ensureDatabase } from './database.js';
import { findPostmaster, stopPostmaster } from './postmaster.js';
import { createCluster, runServer, type Cluster } from './server.js';

export interface EmbeddedPostgres {
  /** Holds the password. Connects through a Unix socket; no port is open. */
  readonly databaseUrl: string;
  /** The server's process, which outlives ours when ours is killed. */
  readonly pid: number;
  /** PostgreSQL's own data directory. */
  readonly clusterDir: string;
  /**
   * Ends the server, to be called after the last result is written: open sessions are cut off. Past
   * `timeoutMs` (1,000) the checkpoint is left to the next start. Repeated calls wait for the same end.
   */
  stop(timeoutMs?: number): Promise<void>;
}

const DATABASE = 'entrega';
const PASSWORD_FILE = 'postgres.password';
const STOP_MS = 1_000;

/**
 * Starts the database that belongs to `dataDir`, creating both at the first start, or takes over the server
 * that a killed process left behind. Holds `dataDir` against a second process until `stop()` or our end.
 *
 * @throws {StartError} when another process holds it, or when the database cannot run, with the cure
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: StartLog;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = await openDataDir(options.dataDir);
  const place = await placeCluster(dataDir);
  const directory = join(place.home, 'data');

  const lock = await lockCluster(join(place.home, 'lock'), place.account);
  try {
    if (!place.insideDataDir) {
      if ((await recordedPlace(dataDir)) === null) await setAside(directory, log);
      await recordPlace(dataDir, place.home);
      log.info(`The database lies in ${place.home}, because PostgreSQL's account cannot enter ${dataDir}.`);
    }

    const binaries = await findBinaries(place.account);
    const socketDir = await makeSocketDir(place);
    const cluster: Cluster = { ...place, binaries, directory, socketDir, durability: 'durable' };
    const password = await openCluster(cluster, join(dataDir, PASSWORD_FILE), log);
    const pid = await openDatabase(cluster, password, log);
    return {
      databaseUrl: databaseUrl(socketDir, password, DATABASE),
      pid,
      clusterDir: directory,
      stop: once(async (timeoutMs = STOP_MS) => {
        await stopPostmaster(pid, directory, timeoutMs);
        lock.release();
      }),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The connection string of the server that runs for `dataDir`, for a command beside the process that started it.
 * Changes nothing.
 *
 * @throws {StartError} when none runs
 */
export async function runningDatabaseUrl(dataDir: string): Promise<string> {
  const directory = await realpath(dataDir).catch(() => dataDir);
  const home = (await recordedPlace(directory)) ?? join(directory, 'postgres');
  const postmaster = await findPostmaster(join(home, 'data'));
  const password = await readSecretFile(join(dataDir, PASSWORD_FILE));
  if (postmaster?.status !== 'ready' || password === null) {
    throw new StartError(
      `No embedded database runs for DATA_DIR ${dataDir}. Start entrega there (npm start) and run this beside it, ` +
        'or set DATABASE_URL.',
    );
  }
  return databaseUrl(postmaster.socketDir, password, DATABASE);
}

/**
 * Whoever removes `DATA_DIR` wants to begin afresh, and the keys to what the old database holds went with it.
 * The database outside is kept all the same, under another name.
 */
async function setAside(directory: string, log: StartLog): Promise<void> {
  if (!(await exists(directory))) return;
  const postmaster = await findPostmaster(directory);
  if (postmaster !== null) await stopPostmaster(postmaster.pid, directory, STOP_MS);
  const aside = `${directory}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await rename(directory, aside);
  log.warn(`A database was found whose DATA_DIR has been removed. It is kept in ${aside}.`);
}

/** Creates the cluster at the first start, checks it at every later one. Returns the password. */
async function openCluster(cluster: Cluster, passwordFile: string, log: StartLog): Promise<string> {
  if (!(await exists(cluster.directory))) {
    log.info('Creating the database.');
    const password = await readOrCreateSecretFile(passwordFile, generatePassword);
    await createCluster(cluster, password);
    return password;
  }
  await checkVersion(cluster.directory, cluster.binaries);
  const password = await readSecretFile(passwordFile);
  if (password === null) {
    throw new StartError(
      `${passwordFile} is missing: without it the database in ${cluster.directory} cannot be opened. ` +
        'Restore the file from a backup, or remove both to begin with an empty database.',
    );
  }
  return password;
}

/** Runs the server and makes sure of the database in it; a start that fails leaves no server behind. */
async function openDatabase(cluster: Cluster, password: string, log: StartLog): Promise<number> {
  const pid = await runServer(cluster, log);
  try {
    await ensureDatabase(cluster.socketDir, password, DATABASE);
    return pid;
  } catch (error) {
    await stopPostmaster(pid, cluster.directory, STOP_MS);
    throw error;
  }
}

async function checkVersion(directory: string, binaries: Binaries): Promise<void> {
  const found = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  if (found !== String(binaries.major)) {
    throw new StartError(
      `The database in ${directory} was written by PostgreSQL ${found}; this version of entrega brings ` +
        `PostgreSQL ${binaries.major}, which cannot read it. Start the version of entrega that wrote it, ` +
        'or move its contents over with pg_dump and DATABASE_URL.',
    );
  }
}

/**
 * Starts a server for one test run: in a temporary folder, without durability, removed by `stop()`.
 * `parentDir` is for tests of awkward paths.
 */
export async function startEphemeralPostgres(parentDir?: string): Promise<EmbeddedPostgres> {
  const account = await chooseAccount('/nonexistent');
  const parent = parentDir ?? [tmpdir(), '/tmp'].find((folder) => canEnter(account, folder)) ?? tmpdir();
  const home = await mkdtemp(join(parent, 'entrega-test-'));
  await giveTo(account, home);
  try {
    const place = { account, home, insideDataDir: true };
    const binaries = await findBinaries(account);
    const socketDir = await makeSocketDir(place);
    const directory = join(home, 'data');
    const cluster: Cluster = { account, binaries, directory, socketDir, durability: 'ephemeral' };
    const password = generatePassword();
    await createCluster(cluster, password);
    const pid = await openDatabase(cluster, password, QUIET);
    return {
      databaseUrl: databaseUrl(socketDir, password, DATABASE),
      pid,
      clusterDir: directory,
      stop: once(async (timeoutMs = STOP_MS) => {
        await stopPostmaster(pid, directory, timeoutMs);
        for (const folder of [home, socketDir]) await rm(folder, { recursive: true, force: true });
      }),
    };
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

const QUIET: StartLog = { info: () => undefined, warn: () => undefined };

function generatePassword(): string {
  return randomBytes(24).toString('base64url');
}

function once(stop: (timeoutMs?: number) => Promise<void>): (timeoutMs?: number) => Promise<void> {
  let stopping: Promise<void> | undefined;
  return (timeoutMs) => (stopping ??= stop(timeoutMs));
}
