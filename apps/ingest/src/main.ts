import { loadIngestConfig } from '#config/config.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { systemClock } from '#domain/clock.js';
import { DEFAULT_DEADLINES, leaseMs } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { runHttpProcess } from '#http/http-process.js';
import { Database } from '#storage/database.js';
import { StorageModule } from '#storage/storage.module.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { IngestModule } from './ingest.module.js';

const POOL_SIZE = 12;

/** Takes events in. No worker listens in this process, so what it accepts is left to the workers' sweep. */
await runHttpProcess({
  role: 'ingest',
  load: loadIngestConfig,
  compose: async ({ config, logger, lifecycle }) => {
    const database = await Database.connect({
      url: config.databaseUrl,
      poolSize: POOL_SIZE,
      applicationName: 'entrega-ingest',
    });
    lifecycle.onStop('The database connections', () => database.close());
    await database.assertServerSettings();
    const transport = new InProcessTransport(() => undefined);
    const acceptor = new EventAcceptor({
      database,
      transport,
      clock: systemClock,
      logger,
      leaseMs: leaseMs(DEFAULT_DEADLINES),
    });
    const edge = HttpEdgeModule.register({
      imports: [StorageModule.register(database)],
      adminKey: config.adminKey,
    });
    return { modules: [edge, IngestModule.register(acceptor)], checks: databaseChecks(database) };
  },
});
