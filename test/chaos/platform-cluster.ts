import { randomBytes } from 'node:crypto';
import type { AttemptDeadlines } from '#domain/lease.js';
import { startTestKafka, type TestKafka } from '../support/kafka.js';
import { type RestartablePostgres, startRestartablePostgres } from './restartable-postgres.js';
import { type Role, RoleProcess } from './role-process.js';

export const ADMIN_KEY = 'admin-key-of-the-chaos-tests';

export interface ClusterOptions {
  readonly deadlines: AttemptDeadlines;
  readonly counts: Readonly<Record<Role, number>>;
  readonly workerConcurrency: number;
  /** How often the figures of the database are read, where not as seldom as in production. */
  readonly statsEveryMs?: number;
}

/** The platform as its users run it: processes of each role over a Kafka and a PostgreSQL of their own. */
export class PlatformCluster {
  private constructor(
    readonly kafka: TestKafka,
    readonly postgres: RestartablePostgres,
    readonly topicPrefix: string,
    readonly processes: readonly RoleProcess[],
    private readonly options: ClusterOptions,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(options: ClusterOptions): Promise<PlatformCluster> {
    const started = await Promise.allSettled([startTestKafka(), startRestartablePostgres()]);
    const [kafka, postgres] = started;
    const ends: (() => Promise<unknown>)[] = [];
    for (const server of started) {
      if (server.status === 'fulfilled') ends.push(() => server.value.remove());
    }
    try {
      if (kafka.status === 'rejected') throw kafka.reason;
      if (postgres.status === 'rejected') throw postgres.reason;
      const topicPrefix = 'chaos.';
      const env = {
        DATABASE_URL: postgres.value.url,
        KAFKA_BROKERS: kafka.value.brokers,
        KAFKA_TOPIC_PREFIX: topicPrefix,
        KAFKA_REPLICATION: '1',
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      };
      const cluster = new PlatformCluster(kafka.value, postgres.value, topicPrefix, [], options, env);
      const starts = (Object.keys(options.counts) as Role[]).flatMap((role) =>
        Array.from({ length: options.counts[role] }, (_, index) =>
          cluster.startProcess(role, `${role} ${index + 1}`),
        ),
      );
      const processes = await Promise.allSettled(starts);
      for (const process of processes) {
        if (process.status === 'fulfilled') ends.unshift(() => process.value.end('SIGKILL'));
      }
      const running = processes.map((process) => {
        if (process.status === 'rejected') throw process.reason;
        return process.value;
      });
      return new PlatformCluster(kafka.value, postgres.value, topicPrefix, running, options, env);
    } catch (error) {
      for (const end of ends) await end();
      throw error;
    }
  }

  of(role: Role): RoleProcess[] {
    return this.processes.filter((process) => process.role === role);
  }

  /** One more; whoever starts it ends it. */
  startProcess(
    role: Role,
    name: string,
    other: { readonly deadlines?: AttemptDeadlines; readonly clockAheadMs?: number } = {},
  ): Promise<RoleProcess> {
    const { deadlines, workerConcurrency, statsEveryMs } = this.options;
    const env = {
      ...this.env,
      ...(role !== 'worker' && { ADMIN_KEY }),
      ...(role !== 'ingest' && { ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' }),
      ...(role === 'worker' && { WORKER_CONCURRENCY: String(workerConcurrency) }),
    };
    return RoleProcess.start({ role, name, deadlines, env, statsEveryMs, ...other });
  }

  /** A call as an admin. Rejects when there is no answer within some seconds. */
  async call(
    process: RoleProcess,
    method: string,
    path: string,
    body?: unknown,
    timeoutMs = 5_000,
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
    const response = await fetch(process.url + path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  }

  /** A call that must succeed in the end, also over an outage: 503 and no answer are tried again. */
  async callUntilDone(
    method: string,
    path: string,
    body?: unknown,
    timeoutMs = 60_000,
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const [admin] = this.of('admin');
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answer = await this.call(admin!, method, path, body).catch((error: Error) => error);
      if (!(answer instanceof Error) && answer.status !== 503) {
        if (answer.status >= 400)
          throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
        return answer;
      }
      if (performance.now() > deadline)
        throw new Error(`${method} ${path} had no success for ${timeoutMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** Ends everything at once and removes it. */
  async remove(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end('SIGKILL')));
    await Promise.all([this.kafka.remove(), this.postgres.remove()]);
  }
}
