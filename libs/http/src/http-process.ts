import { ConfigError } from '#config/read-settings.js';
import { packageVersion } from '#config/build.js';
import type { ListenConfig, LogConfig } from '#config/config.js';
import type { TracingConfig } from '#config/tracing-config.js';
import { SECOND_MS } from '#domain/durations.js';
import { settlesWithin } from '#domain/settles-within.js';
import { StartError } from '#domain/start-error.js';
import { createLogger, type Logger } from '#observability/logger.js';
import type { HttpMetrics } from '#observability/metrics/http-metrics.js';
import { createProcessRegistry } from '#observability/metrics/process-metrics.js';
import { ProcessLifecycle } from '#observability/process-lifecycle.js';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import type { Tracer } from '@opentelemetry/api';
import type { Registry } from 'prom-client';
import { HealthModule } from './health/health.module.js';
import { type ReadinessCheck, ReadinessProbe } from './health/readiness.js';
import { createHttpApplication } from './http-application.js';
import { MetricsModule } from './metrics/metrics.module.js';

/** Requests under way have this long when the process stops; a worker's own limit is a little longer. */
const REQUESTS_MS = 11 * SECOND_MS;

export interface HttpProcess<Config> {
  /** Names the process in logs. */
  readonly role: string;
  /** @throws ConfigError */
  readonly load: () => Config;
  /** Opens what the process works with, registering its end, and composes what it answers and does. */
  readonly compose: (context: ProcessContext<Config>) => Promise<Composition>;
}

export interface ProcessContext<Config> {
  readonly config: Config;
  readonly logger: Logger;
  /** What `/metrics` tells of: for whatever the process measures. */
  readonly registry: Registry;
  /** Absent where nothing is traced. */
  readonly tracer: Tracer | undefined;
  readonly lifecycle: Pick<ProcessLifecycle, 'onStop' | 'fail'>;
}

export interface Composition {
  /** Of all its ports. */
  readonly metrics: { readonly http: HttpMetrics };
  /** What the process answers beside its health and metrics. */
  readonly modules: readonly DynamicModule[];
  readonly checks: readonly ReadinessCheck[];
  /** What the process does beside answering. Bounded in its stop. */
  readonly work?: { start(): Promise<void>; stop(): Promise<void> };
  /** Said once it listens. */
  readonly hints?: readonly string[];
}

export interface HttpProcessConfig {
  readonly log: LogConfig;
  readonly listen: ListenConfig;
  readonly revision: string;
  readonly tracing: TracingConfig | null;
}

/**
 * Runs a process that listens: settings, log, composition, health and metrics on their own port where one is set, and
 * a clean end on SIGTERM or SIGINT, requests and work first and at the same time.
 */
export async function runHttpProcess<Config extends HttpProcessConfig>(
  options: HttpProcess<Config>,
): Promise<void> {
  let config: Config;
  try {
    config = options.load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger({ role: options.role, ...config.log });
  const lifecycle = new ProcessLifecycle({
    info: (message) => logger.info(message),
    error: (error, message) => {
      if (error instanceof StartError || error instanceof ConfigError) logger.fatal(error.message);
      else logger.fatal({ err: error }, message);
    },
  });
  await lifecycle.run(async () => {
    const { role } = options;
    const version = packageVersion();
    const registry = createProcessRegistry({ role, version, revision: config.revision });
    const tracer = config.tracing
      ? await startTracing(config.tracing, { role, version }, logger, lifecycle)
      : undefined;
    const composition = await options.compose({ config, logger, registry, tracer, lifecycle });
    const { metrics, modules, checks, work, hints = [] } = composition;
    const applications: INestApplication[] = [];
    lifecycle.onStop('Requests and work', async () => {
      const closing = Promise.all(applications.map((application) => application.close()));
      await Promise.all([settlesWithin(closing, REQUESTS_MS), work?.stop()]);
    });
    const { host, port, opsPort } = config.listen;
    const ops = [
      HealthModule.withProbe(new ReadinessProbe(role, checks)),
      MetricsModule.withRegistry(registry),
    ];
    const create = async (imports: DynamicModule[]) => {
      const module = { module: HttpProcessModule, imports };
      const app = await createHttpApplication(module, { logger, metrics: metrics.http, tracer });
      applications.push(app);
      return app;
    };
    const app = await create(opsPort === null ? [...modules, ...ops] : [...modules]);
    await work?.start();
    await listen(app, port, host);
    if (opsPort !== null) await listen(await create(ops), opsPort, host);
    logger.info(`Ready at ${await app.getUrl()}`);
    for (const hint of hints) logger.info(hint);
  });
}

/** The process ends its traces last: what it does while it stops is in them. */
async function startTracing(
  config: TracingConfig,
  process: { role: string; version: string },
  logger: Logger,
  lifecycle: ProcessContext<unknown>['lifecycle'],
): Promise<Tracer> {
  // Loaded where it is used: it is the largest of our dependencies, and most processes never trace.
  const { exportSpans } = await import('#observability/span-export.js');
  const { tracer, stop } = exportSpans(config, process, logger);
  lifecycle.onStop('The export of traces', stop);
  return tracer;
}

/** What one port of the process answers. */
class HttpProcessModule {}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another process',
  EACCES: 'needs more rights than this process has',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

async function listen(app: INestApplication, port: number, host: string): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const fault = LISTEN_FAULTS[(error as NodeJS.ErrnoException).code ?? ''];
    if (!fault) throw error;
    throw new StartError(`${host}:${port} ${fault}. Set PORT, OPS_PORT or HOST to others.`, { cause: error });
  }
}
