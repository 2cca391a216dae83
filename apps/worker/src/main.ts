import { loadWorkerConfig } from '#config/config.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { systemClock } from '#domain/clock.js';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { runHttpProcess } from '#http/http-process.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { SecretBox } from '#storage/secret-box.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { WorkerModule } from './worker.module.js';

const POOL_SIZE = 8;

/** Delivers what it sweeps. As many as are wanted may run over one database. */
await runHttpProcess({
  role: 'worker',
  load: loadWorkerConfig,
  compose: async ({ config, logger, lifecycle }) => {
    const database = await Database.connect({
      url: config.databaseUrl,
      poolSize: POOL_SIZE,
      applicationName: 'entrega-worker',
    });
    lifecycle.onStop('The database connections', () => database.close());
    await database.assertServerSettings();
    const outbound = new OutboundClient({ allowPrivateCidrs: config.allowPrivateCidrs });
    lifecycle.onStop('The outbound connections', () => outbound.close());
    const worker = new DeliveryWorker({
      database,
      transport: new InProcessTransport(({ topic, key, payload }) =>
        logger.warn({ topic, key, ...payload }, 'announced'),
      ),
      outbound,
      secretBox: new SecretBox(config.encryptionKeys),
      clock: systemClock,
      random: Math.random,
      logger,
      deadlines: DEFAULT_DEADLINES,
      concurrency: config.workerConcurrency,
    });
    const keeper = new PartitionKeeper(database);
    const { retentionDays } = config;
    return {
      modules: [WorkerModule.register({ keeper, clock: systemClock, logger, retentionDays })],
      checks: databaseChecks(database),
      work: worker,
    };
  },
});
