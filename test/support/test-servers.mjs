/*
 * One PostgreSQL and one Kafka for the whole test run, each started when the first test asks for it: a run of
 * unit tests alone starts none. Tests ask by connecting to a socket whose path is in the environment
 * (test-database.ts, kafka.ts); the answer is the address, or what went wrong.
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

/** A server that runs in a process of its own, the host: it prints the address, and ends when its input does. */
class TestServer {
  /** @type {import('node:net').Server | undefined} */
  #desk;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #host;
  /** @type {Promise<string> | undefined} */
  #started;

  /**
   * @param {string} name
   * @param {string} variable of the environment, for the socket's path
   * @param {string} host file beside this one, given the folder to remove at its end
   */
  constructor(name, variable, host) {
    this.name = name;
    this.variable = variable;
    this.host = host;
  }

  async offer() {
    const folder = await mkdtemp(join(tmpdir(), 'entrega-jest-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'desk.sock');
    this.#desk = createServer(async (caller) => {
      caller.on('error', () => undefined);
      const answer = await (this.#started ??= this.#start(folder)).then(
        (address) => ({ address }),
        (error) => ({ error: error.message }),
      );
      caller.end(JSON.stringify(answer));
    });
    this.#desk.listen(path);
    await once(this.#desk, 'listening');
    this.#desk.unref();
    process.env[this.variable] = path;
  }

  /** Returns when the server is gone. */
  async withdraw() {
    this.#desk?.close();
    if (this.#host !== undefined && this.#host.exitCode === null) {
      this.#host.ref();
      this.#host.stdin?.end();
      await once(this.#host, 'exit');
    }
  }

  /** @param {string} folder */
  async #start(folder) {
    const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
    const host = spawn(process.execPath, ['--import', file('source-loader.mjs'), file(this.host), folder], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#host = host;
    host.unref();
    const exit = once(host, 'exit').then(([code]) => {
      throw new Error(`The test ${this.name} could not be started (exit code ${code}); its output is above.`);
    });
    const output = /** @type {import('node:stream').Readable} */ (host.stdout);
    const address = once(createInterface(output), 'line').then(([line]) => line);
    return Promise.race([address, exit]);
  }
}

const servers = [
  new TestServer('PostgreSQL', 'ENTREGA_TEST_POSTGRES', 'postgres-host.ts'),
  new TestServer('Kafka', 'ENTREGA_TEST_KAFKA', 'kafka-host.mjs'),
];

/** Called once before all tests. */
export async function offerServers() {
  await Promise.all(servers.map((server) => server.offer()));
}

/** Called once after all tests. */
export async function withdrawServers() {
  await Promise.all(servers.map((server) => server.withdraw()));
}
