import { ConfigError } from '#config/read-settings.js';
import type { ListenConfig, LogConfig } from '#config/config.js';
import { SECOND_MS } from '#domain/durations.js';
import { settlesWithin } from '#domain/settles-within.js';
import { StartError } from '#domain/start-error.js';
import { createLogger, type Logger } from '#observability/logger.js';
import { ProcessLifecycle } from '#observability/process-lifecycle.js';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { HealthModule } from './health/health.module.js';
import { type ReadinessCheck, ReadinessProbe } from './health/readiness.js';
import { createHttpApplication } from './http-application.js';

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
  readonly lifecycle: Pick<ProcessLifecycle, 'onStop' | 'fail'>;
}

export interface Composition {
  /** What the process answers beside its health. */
  readonly modules: readonly DynamicModule[];
  readonly checks: readonly ReadinessCheck[];
  /** What the process does beside answering. Bounded in its stop. */
  readonly work?: { start(): Promise<void>; stop(): Promise<void> };
  /** Said once it listens. */
  readonly hints?: readonly string[];
}

/**
 * Runs a process that listens: settings, log, composition, health on its own port where one is set, and a clean
 * end on SIGTERM or SIGINT, requests and work first and at the same time.
 */
export async function runHttpProcess<Config extends { log: LogConfig; listen: ListenConfig }>(
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
    const { modules, checks, work, hints = [] } = await options.compose({ config, logger, lifecycle });
    const applications: INestApplication[] = [];
    lifecycle.onStop('Requests and work', async () => {
      const closing = Promise.all(applications.map((application) => application.close()));
      await Promise.all([settlesWithin(closing, REQUESTS_MS), work?.stop()]);
    });
    const { host, port, opsPort } = config.listen;
    const health = HealthModule.withProbe(new ReadinessProbe(options.role, checks));
    const create = async (imports: DynamicModule[]) => {
      const app = await createHttpApplication({ module: HttpProcessModule, imports }, { logger });
      applications.push(app);
      return app;
    };
    const app = await create(opsPort === null ? [...modules, health] : [...modules]);
    await work?.start();
    await listen(app, port, host);
    if (opsPort !== null) await listen(await create([health]), opsPort, host);
    logger.info(`Ready at ${await app.getUrl()}`);
    for (const hint of hints) logger.info(hint);
  });
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
