import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EntregaClient } from '#client/entrega-client.js';
import { until } from './until.js';

export const ADMIN_KEY = 'admin-key-of-the-process-tests';
/** One for every start on one database, or its secrets could not be read again. */
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

export interface StandaloneProcessOptions {
  /** Null: its own embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Short leases, for tests that kill the process. */
  readonly shortLease?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** The all-in-one process as `npm start` runs it, from its sources, on a free port. */
export class StandaloneProcess {
  readonly lines: Record<string, unknown>[] = [];
  /** All that it wrote, to either stream. */
  output = '';
  private readonly exit: Promise<number | null>;

  private constructor(readonly child: ChildProcess) {
    this.exit = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.lines.push(JSON.parse(line) as Record<string, unknown>);
    });
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  static async start(options: StandaloneProcessOptions): Promise<StandaloneProcess> {
    const main = options.shortLease ? './short-lease-standalone.ts' : '../../apps/standalone/src/main.ts';
    const started = StandaloneProcess.spawn(main, options);
    const { child } = started;
    await until(() => started.readyAt !== undefined || child.exitCode !== null, { timeoutMs: 60_000 });
    if (child.exitCode !== null)
      throw new Error(`The process ended with ${child.exitCode}: ${started.output}`);
    return started;
  }

  /**
   * A program that ends by itself: a command, or a start that is refused.
   *
   * @param program below apps/, without its ending
   */
  static async runToEnd(
    program: string,
    options: StandaloneProcessOptions,
  ): Promise<{ exitCode: number | null; output: string }> {
    const running = StandaloneProcess.spawn(`../../apps/${program}.ts`, options);
    return { exitCode: await running.exited(), output: running.output };
  }

  private static spawn(main: string, options: StandaloneProcessOptions): StandaloneProcess {
    const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    const child = spawn(process.execPath, ['--import', file('./source-loader.mjs'), file(main)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        ...(options.databaseUrl !== null && { DATABASE_URL: options.databaseUrl }),
        DATA_DIR: options.dataDir,
        ADMIN_KEY,
        ENCRYPTION_KEY,
        ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
        PORT: '0',
        LOG_FORMAT: 'json',
        ...options.env,
      },
    });
    return new StandaloneProcess(child);
  }

  get url(): string {
    if (this.readyAt === undefined) throw new Error('The process does not listen yet.');
    return this.readyAt;
  }

  /** As the bootstrap admin. */
  get client(): EntregaClient {
    return new EntregaClient({ url: this.url, key: ADMIN_KEY });
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as never };
  }

  private get readyAt(): string | undefined {
    const ready = this.lines.find((line) => String(line['msg']).startsWith('Ready at '));
    return ready && String(ready['msg']).slice('Ready at '.length);
  }

  /** Resolves with the exit code (null for a kill). */
  exited(): Promise<number | null> {
    return this.exit;
  }

  /** Sends the signal and resolves with the exit code (null for a kill). */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill(signal);
    return this.exit;
  }
}
