import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AttemptDeadlines } from '#domain/lease.js';
import { until } from '../support/until.js';

export type Role = 'ingest' | 'worker' | 'admin';

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface RoleProcessOptions {
  readonly role: Role;
  /** In reports: `worker 2`. */
  readonly name: string;
  readonly deadlines: AttemptDeadlines;
  readonly env: Readonly<Record<string, string>>;
  /** How far its clock is ahead of the machine's. */
  readonly clockAheadMs?: number;
  /** How often an ingest or admin reads the figures of the database, where not as seldom as in production. */
  readonly statsEveryMs?: number | undefined;
}

const START_LIMIT_MS = 60_000;
/** Beyond what a stop may take. */
const STOP_LIMIT_MS = 25_000;
const MAX_LINES = 5_000;
const MAX_STDERR = 20_000;

/**
 * One process of the platform from its sources, on a port that stays its own over restarts. Whatever it says on
 * standard error, and an end that nobody asked for, is remembered.
 */
export class RoleProcess {
  /** Of its log, without the line of each attempt; the latest. */
  readonly lines: LogLine[] = [];
  /** Ends that nobody asked for, in words. */
  readonly unaskedEnds: string[] = [];
  stderr = '';
  /** Attempts whose results it made durable. */
  attempts = 0;
  /** The most memory it was seen with, over all its lives. */
  peakRssKb = 0;
  private child: ChildProcess | undefined;
  private endAsked = true;
  private ready = Promise.withResolvers<void>();

  private constructor(
    private readonly options: RoleProcessOptions,
    readonly port: number,
  ) {}

  static async start(options: RoleProcessOptions): Promise<RoleProcess> {
    const started = new RoleProcess(options, await freePort());
    await started.start();
    return started;
  }

  get name(): string {
    return this.options.name;
  }

  get role(): Role {
    return this.options.role;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Returns when it listens. */
  async start(): Promise<void> {
    if (this.child) throw new Error(`${this.name} runs already.`);
    const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
    const { role, deadlines, env, clockAheadMs = 0, statsEveryMs = '' } = this.options;
    const { connectTimeoutMs, maxResponseTimeoutMs } = deadlines;
    const child = spawn(
      process.execPath,
      [
        '--import',
        file('../support/source-loader.mjs'),
        file('./role-entry.ts'),
        role,
        String(connectTimeoutMs),
        String(maxResponseTimeoutMs),
        String(clockAheadMs),
        String(statsEveryMs),
      ],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { PATH: process.env['PATH'], LOG_FORMAT: 'json', ...env, PORT: String(this.port) },
      },
    );
    this.child = child;
    this.endAsked = false;
    this.ready = Promise.withResolvers<void>();
    this.ready.promise.catch(() => undefined);
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.takeLine(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.stderr.length < MAX_STDERR) this.stderr += text;
    });
    child.once('exit', (code, signal) => {
      this.child = undefined;
      if (!this.endAsked) this.unaskedEnds.push(`${this.name} ended by itself (${signal ?? code})`);
      this.ready.reject(new Error(`${this.name} ended before it was ready: ${this.stderr}`));
    });
    const late = setTimeout(
      () => this.ready.reject(new Error(`${this.name} was not ready in time.`)),
      START_LIMIT_MS,
    );
    await this.ready.promise.finally(() => clearTimeout(late));
  }

  /** kill -9, or a clean stop. Returns the exit code, null for a kill, and how long it took. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ code: number | null; tookMs: number }> {
    const { child } = this;
    if (!child) return { code: null, tookMs: 0 };
    this.sampleMemory();
    this.endAsked = true;
    const before = performance.now();
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    const code = await exit.finally(() => clearTimeout(late));
    return { code, tookMs: performance.now() - before };
  }

  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** Its `/readyz`, as a load balancer sees it. */
  async readiness(): Promise<{ httpStatus: number; status: string; checks: Record<string, string> }> {
    const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const body = (await response.json()) as { status: string; checks: Record<string, string> };
    return { httpStatus: response.status, ...body };
  }

  async untilReadiness(status: 'ready' | 'degraded' | 'unready', timeoutMs: number): Promise<void> {
    await until(async () => (await this.readiness()).status === status, {
      timeoutMs,
      intervalMs: 100,
      describe: `${this.name} to be ${status}`,
    });
  }

  /** Resident memory now in KiB; 0 while it does not run. */
  sampleMemory(): number {
    const pid = this.pid;
    if (pid === undefined) return 0;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const kilobytes = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
      this.peakRssKb = Math.max(this.peakRssKb, kilobytes('VmHWM'));
      return kilobytes('VmRSS');
    } catch {
      return 0;
    }
  }

  private takeLine(line: string): void {
    if (line.includes('"msg":"delivery.attempted"')) {
      this.attempts++;
      return;
    }
    if (!line.startsWith('{')) {
      this.stderr += `${line}\n`;
      return;
    }
    const parsed = JSON.parse(line) as LogLine;
    if (parsed.msg.startsWith('Ready at ')) this.ready.resolve();
    if (this.lines.length < MAX_LINES) this.lines.push(parsed);
  }
}

/** Below those that the system hands out by itself, so that nobody takes it while the process is away. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 20_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
