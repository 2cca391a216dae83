import { loadWorkerConfig } from '#config/config.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { systemClock } from '#domain/clock.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { runHttpProcess } from '#http/http-process.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { Database } from '#storage/database.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { SecretBox } from '#storage/secret-box.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { WorkerModule } from './worker.module.js';

const POOL_SIZE = 8;

/**
 * Delivers what it is told of and what it sweeps. As many as are wanted may run over one database.
 *
 * @param deadlines of attempts, and so the lease; shorter ones are for tests that kill it
 */
export async function runWorker(deadlines: AttemptDeadlines = DEFAULT_DEADLINES): Promise<void> {
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
      const secretBox = new SecretBox(config.encryptionKeys);
      await assertEncryptionKeysKnown(database, secretBox);
      const transport = new KafkaTransport(config.kafka, 'entrega-worker', logger);
      lifecycle.onStop('The connections to Kafka', () => transport.close());
      const outbound = new OutboundClient({
        allowPrivateCidrs: config.allowPrivateCidrs,
        resolver: { dnsServers: config.dnsServers },
      });
      lifecycle.onStop('The outbound connections', () => outbound.close());
      const worker = new DeliveryWorker({
        database,
        transport,
        outbound,
        secretBox,
        clock: systemClock,
        random: Math.random,
        logger,
        deadlines,
        concurrency: config.workerConcurrency,
      });
      const keeper = new PartitionKeeper(database);
      const { retentionDays } = config;
      return {
        modules: [WorkerModule.register({ database, keeper, clock: systemClock, logger, retentionDays })],
        checks: [...databaseChecks(database), transportCheck(() => transport.ready)],
        work: worker,
      };
    },
  });
}
