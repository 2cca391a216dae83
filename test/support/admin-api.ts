import type { AddressInfo } from 'node:net';
import type { Tracer } from '@opentelemetry/api';
import { AdminModule } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import { systemClock } from '#domain/clock.js';
import type { AttemptDeadlines } from '#domain/lease.js';
import type { Role } from '#domain/principal.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { HealthModule } from '#http/health/health.module.js';
import { ReadinessProbe } from '#http/health/readiness.js';
import { createHttpApplication } from '#http/http-application.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { MetricsModule } from '#http/metrics/metrics.module.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { createLogger } from '#observability/logger.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import { StorageModule } from '#storage/storage.module.js';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AnswerCheck } from './documented-answers.js';
import { Platform, SHORT_DEADLINES } from './platform.js';

export const ADMIN_KEY = 'bootstrap-key-of-the-admin-tests';

/** An answer as a client sees it; `body` is the parsed JSON, whose shape is what tests look at. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
  readonly text: string;
}

export interface AdminApiOptions {
  /** Of the platform; short ones by default. */
  readonly deadlines?: AttemptDeadlines;
  readonly maxEndpointsPerApplication?: number;
  /** Instead of the platform's, which lets loopback pass; its owner closes it. */
  readonly outbound?: OutboundClient;
  /** Within which a whole request must have arrived. */
  readonly requestTimeoutMs?: number;
  /** `info` collects the platform's log. */
  readonly logLevel?: 'info';
  readonly tracer?: Tracer;
}

/** What one port answers. */
class WholeApi {}

/**
 * The whole API over HTTP, publishing and administration, on the database of a {@link Platform}. Every answer is held
 * to the API's documentation.
 */
export class AdminApi {
  private constructor(
    readonly platform: Platform,
    private readonly app: NestFastifyApplication,
    readonly url: string,
  ) {}

  static async start(options: AdminApiOptions = {}): Promise<AdminApi> {
    const deadlines = options.deadlines ?? SHORT_DEADLINES;
    const platform = await Platform.create({
      deadlines,
      ...(options.logLevel && { logLevel: options.logLevel }),
      ...(options.tracer && { tracer: options.tracer }),
    });
    const { database, secretBox, outbound, repairs } = platform;
    const edge = HttpEdgeModule.register({
      imports: [StorageModule.register(database)],
      adminKey: ADMIN_KEY,
      rateLimitPerSecond: null,
    });
    const app = await createHttpApplication(
      {
        module: WholeApi,
        imports: [
          AnswerCheck,
          edge,
          HealthModule.withProbe(new ReadinessProbe('test', databaseChecks(database))),
          MetricsModule.withRegistry(platform.registry),
          OpenApiModule,
          IngestModule.register(platform.acceptor),
          AdminModule.register({
            database,
            secretBox,
            outbound: options.outbound ?? outbound,
            clock: systemClock,
            metrics: platform.metrics,
            repairs,
            edge,
            retentionDays: 30,
            maxEndpointsPerApplication: options.maxEndpointsPerApplication ?? 1_000,
            connectTimeoutMs: deadlines.connectTimeoutMs,
          }),
        ],
      },
      {
        logger: createLogger({ role: 'test', level: 'silent', format: 'json' }),
        metrics: platform.metrics.http,
        tracer: options.tracer,
        ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
      },
    );
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new AdminApi(platform, app, `http://127.0.0.1:${port}`);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.platform.destroy();
    this.assertDocumented();
  }

  /** Stops answering as a process does that ends: what is under way is finished. */
  close(): Promise<void> {
    return this.app.close();
  }

  /** @throws where an answer was given that is not as the API's documentation says */
  private assertDocumented(): void {
    const faults = this.undocumented();
    if (faults.length > 0) throw new Error(`Answers that are not as documented:\n${faults.join('\n')}`);
  }

  /** What was wrong with the answers since this was last asked. */
  undocumented(): string[] {
    return this.app.get(AnswerCheck).faults.splice(0);
  }

  async call(method: string, path: string, body?: unknown, key = ADMIN_KEY): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.assertDocumented();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : null,
    };
  }

  /** What a module of the process provides. */
  provided<Service>(token: Type<Service>): Service {
    return this.app.get(token, { strict: false });
  }

  /** A new API key. */
  async key(role: Role, applications?: readonly string[]): Promise<string> {
    const answer = await this.call('POST', '/v1/api-keys', { name: role, role, applications });
    return (answer.body as { key: string }).key;
  }

  /** A tf-fiscal application whose timeout is within the platform's short deadlines; returns its secret. */
  async addApplication(id: string, settings: object = {}): Promise<string> {
    const answer = await this.call('POST', '/v1/applications', {
      id,
      name: id,
      contract: 'tf-fiscal',
      settings: { timeout: '500ms', ...settings },
    });
    return (answer.body as { issuedCredentials: { secret: string } }).issuedCredentials.secret;
  }

  /** Registers the application's webhook and returns its endpoint id. */
  async addWebhook(application: string, url: string, token = 'token-1'): Promise<string> {
    const answer = await this.call('PUT', `/v1/applications/${application}/webhook`, {
      url,
      credentials: { token },
    });
    return (answer.body as { id: string }).id;
  }

  /**
   * Everything that registration may have written, to show that a refusal wrote nothing. What was announced is
   * counted by its ids, for the worker takes the rows away.
   */
  async registrations(): Promise<unknown> {
    return this.platform.sql(
      `SELECT (SELECT jsonb_agg(to_jsonb(a) ORDER BY id) FROM applications a) AS applications,
              (SELECT jsonb_agg(to_jsonb(e) ORDER BY id) FROM endpoints e) AS endpoints,
              pg_sequence_last_value(pg_get_serial_sequence('outbox', 'id')::regclass) AS announced`,
    );
  }
}
