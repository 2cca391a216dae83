/*
 * One PostgreSQL for the whole test run, started when the first test asks for it: a run of unit tests alone
 * starts none. Tests ask by connecting to a socket whose path is in the environment (test-database.ts); the
 * answer is the URL, or what went wrong.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @type {import('node:net').Server} */
let desk;
/** @type {import('node:child_process').ChildProcess | undefined} */
let host;
/** @type {Promise<string> | undefined} */
let started;

/** Called once before all tests. */
export async function offerPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'entrega-jest-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'postgres.sock');
  desk = createServer(async (caller) => {
    caller.on('error', () => undefined);
    const answer = await (started ??= start(folder)).then(
      (databaseUrl) => ({ databaseUrl }),
      (error) => ({ error: error.message }),
    );
    caller.end(JSON.stringify(answer));
  });
  desk.listen(path);
  await once(desk, 'listening');
  desk.unref();
  process.env['ENTREGA_TEST_POSTGRES'] = path;
}

/** Called once after all tests: returns when the server is gone. */
export async function withdrawPostgres() {
  desk.close();
  if (host !== undefined && host.exitCode === null) {
    host.ref();
    host.stdin?.end();
    await once(host, 'exit');
  }
}

/** @param {string} folder */
async function start(folder) {
  const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
  host = spawn(process.execPath, ['--import', file('source-loader.mjs'), file('postgres-host.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  host.unref();
  const exit = once(host, 'exit').then(([code]) => {
    throw new Error(`The test PostgreSQL could not be started (exit code ${code}); its output is above.`);
  });
  const output = /** @type {import('node:stream').Readable} */ (host.stdout);
  const url = once(createInterface(output), 'line').then(([line]) => line);
  return Promise.race([url, exit]);
}
