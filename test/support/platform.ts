import { randomBytes } from 'node:crypto';
import type { Tracer } from '@opentelemetry/api';
import type { OperatorUrlConfig } from '#config/operator-url-config.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { DeliveryRepairs } from '#delivery/repair/delivery-repairs.js';
import { type Clock, systemClock } from '#domain/clock.js';
import { type AttemptDeadlines, leaseMs } from '#domain/lease.js';
import type { Caller } from '#domain/principal.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { createLogger } from '#observability/logger.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import type { Database } from '#storage/database.js';
import { SecretBox } from '#storage/secret-box.js';
import { type Announcement } from '#transport/transport.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { Registry } from 'prom-client';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { type TestMetrics, testMetrics } from './test-metrics.js';

export const ADMIN: Caller = {
  id: 'bootstrap',
  name: 'test admin',
  role: 'admin',
  applications: null,
  requestId: 'test',
};

/** Short waits everywhere, and so a short lease. */
export const SHORT_DEADLINES: AttemptDeadlines = { connectTimeoutMs: 300, maxResponseTimeoutMs: 600 };

export interface PlatformOptions {
  readonly deadlines?: AttemptDeadlines;
  readonly clock?: Clock;
  readonly concurrency?: number;
  readonly operatorUrl?: OperatorUrlConfig;
  /** Lines of the log are collected in `logged`. */
  readonly logLevel?: 'info' | 'silent';
  readonly tracer?: Tracer;
}

/**
 * The delivery path as one process runs it, without its HTTP edge: real database, real outbound client,
 * in-process transport. Applications and endpoints are put into their tables directly.
 */
export class Platform {
  readonly announced: Announcement[] = [];
  readonly logged: Record<string, unknown>[] = [];
  readonly encryptionKey = randomBytes(32);
  readonly secretBox = new SecretBox([this.encryptionKey]);
  readonly transport = new InProcessTransport((announcement) => this.announced.push(announcement));
  readonly outbound = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
  readonly acceptor: EventAcceptor;
  readonly repairs: DeliveryRepairs;
  worker: DeliveryWorker;
  private started = false;

  private constructor(
    readonly testDatabase: TestDatabase,
    readonly database: Database,
    readonly registry: Registry,
    readonly metrics: TestMetrics,
    private readonly options: PlatformOptions,
  ) {
    this.acceptor = new EventAcceptor({
      database,
      transport: this.transport,
      secretBox: this.secretBox,
      clock: options.clock ?? systemClock,
      logger: this.logger(),
      metrics,
      tracer: options.tracer,
      leaseMs: leaseMs(options.deadlines ?? SHORT_DEADLINES),
    });
    this.worker = this.newWorker();
    this.repairs = new DeliveryRepairs(database, metrics.deliveries, () => this.worker.wakeSweep());
  }

  static async create(options: PlatformOptions = {}): Promise<Platform> {
    const testDatabase = await createTestDatabase();
    const registry = new Registry();
    const metrics = testMetrics(registry);
    const database = await connectMeasured(
      { url: testDatabase.url, poolSize: 8, applicationName: 'test' },
      metrics.database,
    );
    return new Platform(testDatabase, database, registry, metrics, options);
  }

  newWorker(options: Partial<ConstructorParameters<typeof DeliveryWorker>[0]> = {}): DeliveryWorker {
    return new DeliveryWorker({
      database: this.database,
      transport: this.transport,
      outbound: this.outbound,
      secretBox: this.secretBox,
      clock: this.options.clock ?? systemClock,
      random: Math.random,
      logger: this.logger(),
      metrics: this.metrics,
      tracer: this.options.tracer,
      deadlines: this.options.deadlines ?? SHORT_DEADLINES,
      concurrency: this.options.concurrency ?? 64,
      operatorUrl: this.options.operatorUrl ?? null,
      ...options,
    });
  }

  async startWorker(): Promise<void> {
    await this.worker.start();
    this.started = true;
  }

  async stopWorker(): Promise<void> {
    if (this.started) await this.worker.stop();
    this.started = false;
  }

  async destroy(): Promise<void> {
    await this.stopWorker();
    await this.transport.close();
    await this.outbound.close();
    await this.database.close();
    await this.testDatabase.drop();
  }

  async addApplication(
    id: string,
    settings: object = {},
    secret = `secret-of-${id}-0123456789`,
  ): Promise<string> {
    await this.sql(
      `INSERT INTO applications (id, name, contract, environment, attributes, settings, secret)
       VALUES ($1, $1, 'tf-fiscal', 'production', '{}', $2, $3)`,
      [id, JSON.stringify(settings), this.secretBox.seal('application-secret', secret)],
    );
    return secret;
  }

  async addEndpoint(application: string, url: string, token = 'token-1'): Promise<number> {
    const [row] = await this.sql<{ id: number }>(
      `INSERT INTO endpoints (application_id, url, credentials, credential_names)
       VALUES ($1, $2, $3, '{token}') RETURNING id`,
      [application, url, this.secretBox.seal('endpoint-credentials', JSON.stringify({ token }))],
    );
    return row!.id;
  }

  /** An application of the contract cortecloud with one service center; events fan out to its destinations. */
  async addServiceCenter(id: string, settings: object = {}): Promise<void> {
    await this.sql(
      `INSERT INTO applications (id, name, contract, environment, attributes, settings)
       VALUES ($1, $1, 'cortecloud', 'production', '{"companyId": 123, "companyInternalCode": "CENTRAL-01"}', $2)`,
      [id, JSON.stringify(settings)],
    );
  }

  /** A destination with a pair of credentials made from its name. */
  async addDestination(
    application: string,
    url: string,
    credentials: { apiKey: string; secret: string; ownKey?: string },
  ): Promise<number> {
    const [row] = await this.sql<{ id: number }>(
      `INSERT INTO endpoints (application_id, url, event_types, credentials, credential_names)
       VALUES ($1, $2, '{service.status_changed}', $3, $4) RETURNING id`,
      [
        application,
        url,
        this.secretBox.seal('endpoint-credentials', JSON.stringify(credentials)),
        Object.keys(credentials),
      ],
    );
    return row!.id;
  }

  /** One small event that every test may publish as often as it likes. */
  publish(application: string, id: string | null = null, protocol = '1') {
    return this.acceptor.publish(smallEvent(application, id, protocol));
  }

  async sql<Row = Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.database.pool.query(text, values as unknown[])).rows as Row[];
  }

  /** Counts of deliveries by state. */
  async states(): Promise<Record<string, number>> {
    const rows = await this.sql<{ state: string; count: number }>(
      'SELECT state, count(*) FROM deliveries GROUP BY state',
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  private logger() {
    return createLogger(
      { role: 'test', level: this.options.logLevel ?? 'silent', format: 'json' },
      { write: (line: string) => void this.logged.push(JSON.parse(line) as Record<string, unknown>) },
    );
  }
}

export function smallEvent(application: string, id: string | null, protocol = '1') {
  return {
    application,
    type: 'cte.event.registered',
    id,
    occurredAt: null,
    dataJson: `{"event_code":"110180","n_seq":"1","protocolo":"${protocol}"}`,
  };
}
