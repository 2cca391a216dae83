import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_LIMIT_MS = 60_000;
/** The product cuts a stop off at 30 s itself. */
const STOP_LIMIT_MS = 35_000;

export type ProductRole = 'standalone' | 'ingest' | 'worker' | 'admin';

/** Which build runs, and how. */
export interface ProductBuild {
  /** The folder with `dist`, `node_modules` and `package.json`. */
  readonly checkout: string;
  /** Further options of Node, before those that `npm start` gives. */
  readonly nodeOptions: readonly string[];
}

export interface ProductProcessOptions {
  readonly build: ProductBuild;
  readonly role: ProductRole;
  readonly env: Readonly<Record<string, string>>;
  /** For its log. It goes to a file, as under a service manager: writing it is part of the cost. */
  readonly folder: string;
  /** How many descriptors it may have; as many as the bench where absent. */
  readonly descriptorLimit?: number;
}

/** One process of the built product, as `npm start` and `npm run start:<role>` run it, on a free port. */
export class ProductProcess {
  private constructor(
    readonly role: ProductRole,
    private readonly child: ChildProcess,
    private readonly logFile: string,
    /** Where it listens. */
    readonly url: string,
  ) {}

  /** Returns when it listens. */
  static async start(options: ProductProcessOptions): Promise<ProductProcess> {
    const { build, role, env, folder, descriptorLimit } = options;
    const logFile = join(folder, `${role}.log`);
    const log = await open(logFile, 'w');
    const main = `dist/apps/${role}/src/main.js`;
    const limiting = descriptorLimit === undefined ? '' : `ulimit -n ${descriptorLimit}; `;
    const node = join(build.checkout, 'node_modules/.bin/node');
    const child = spawn(
      'sh',
      ['-c', `${limiting}exec "$0" "$@"`, node, ...build.nodeOptions, '--enable-source-maps', main],
      {
        cwd: build.checkout,
        env: { PATH: process.env['PATH'], ...env, PORT: '0' },
        stdio: ['ignore', log.fd, log.fd],
        // A Ctrl-C is for the bench, which then stops what it started.
        detached: true,
      },
    );
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    await log.close();
    const deadline = performance.now() + START_LIMIT_MS;
    for (;;) {
      const said = await readFile(logFile, 'utf8');
      const url = /"Ready at (http:[^"]+)"/.exec(said)?.[1];
      if (url !== undefined) return new ProductProcess(role, child, logFile, url);
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended || performance.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(
          `The ${role} ${ended ? 'ended at its start' : 'did not start'}:\n${said.slice(-4_000)}`,
        );
      }
      await sleep(20);
    }
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The end of its log, for the message of a failure. */
  async lastWords(): Promise<string> {
    return (await readFile(this.logFile, 'utf8'))
      .split('\n')
      .filter((line) => !line.includes('"delivery.attempted"'))
      .join('\n')
      .slice(-4_000);
  }

  /** As a service manager stops it, so that what is in flight ends well and profiles are written. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
    await exit.finally(() => clearTimeout(late));
  }
}
