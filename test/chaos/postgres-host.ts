/*
 * Runs one PostgreSQL in a process apart that can be stopped and started again on the same data, and removes it
 * when standard input ends, however the tests ended. As durable as in production: what a crash loses is what
 * was not committed.
 *
 * Prints its URL when it answers. Then each line of standard input is a command (start, stop, crash), done before
 * the next one is read, and answered by a line: `ok`, or what went wrong.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { canEnter, chooseAccount, giveTo } from '#apps/standalone/src/embedded-postgres/account.js';
import { findBinaries } from '#apps/standalone/src/embedded-postgres/binaries.js';
import { makeSocketDir } from '#apps/standalone/src/embedded-postgres/cluster-place.js';
import { databaseUrl, ensureDatabase } from '#apps/standalone/src/embedded-postgres/database.js';
import { findPostmaster, stopPostmaster } from '#apps/standalone/src/embedded-postgres/postmaster.js';
import { type Cluster, createCluster, runServer } from '#apps/standalone/src/embedded-postgres/server.js';
import { until } from '../support/until.js';

const DATABASE = 'entrega';
const FAST_STOP_MS = 10_000;
const QUIET = { info: () => undefined, warn: () => undefined };

const input = createInterface({ input: process.stdin });
// From here on, or an end that comes while the server starts would go unseen.
const commands = input[Symbol.asyncIterator]();
// Nobody may be left to read the answers; the server must be ended all the same.
process.stdout.on('error', () => undefined);
const say = (line: string) => process.stdout.write(`${line}\n`);

const account = await chooseAccount('/nonexistent');
const parent = [tmpdir(), '/tmp'].find((folder) => canEnter(account, folder)) ?? tmpdir();
const home = await mkdtemp(join(parent, 'entrega-chaos-'));
await giveTo(account, home);
const cluster: Cluster = {
  account,
  binaries: await findBinaries(account),
  directory: join(home, 'data'),
  socketDir: await makeSocketDir({ account, home, insideDataDir: true }),
  durability: 'durable',
};
try {
  const password = randomBytes(24).toString('base64url');
  await createCluster(cluster, password);
  await runServer(cluster, QUIET);
  await ensureDatabase(cluster.socketDir, password, DATABASE);
  say(databaseUrl(cluster.socketDir, password, DATABASE));
  for await (const command of commands) {
    await obey(command).then(
      () => say('ok'),
      (error: Error) => say(error.message.replaceAll('\n', ' ')),
    );
  }
} finally {
  input.close();
  await crash();
  for (const folder of [home, cluster.socketDir]) await rm(folder, { recursive: true, force: true });
}

async function obey(command: string): Promise<void> {
  switch (command) {
    case 'start':
      await runServer(cluster, QUIET);
      return;
    case 'stop':
      return stop();
    case 'crash':
      return crash();
    default:
      throw new Error(`There is no command ${command}.`);
  }
}

/** Sessions are cut off and everything is written out. */
async function stop(): Promise<void> {
  const running = await findPostmaster(cluster.directory);
  if (running !== null) await stopPostmaster(running.pid, cluster.directory, FAST_STOP_MS);
}

/** An immediate shutdown: every process of the server ends where it is, and the next start recovers. */
async function crash(): Promise<void> {
  const running = await findPostmaster(cluster.directory);
  if (running === null) return;
  process.kill(running.pid, 'SIGQUIT');
  await until(async () => (await findPostmaster(cluster.directory)) === null, { timeoutMs: FAST_STOP_MS });
}
