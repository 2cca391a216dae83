import { loadWorkerConfig } from '#config/config.js';
import { CONTRACTS } from '#contracts/registry.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { systemClock } from '#domain/clock.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { runHttpProcess } from '#http/http-process.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { workerMetrics } from '#observability/metrics/role-metrics.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { SecretBox } from '#storage/secret-box.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { HEARTBEAT_MS } from '#transport/kafka/supervised-consumer.js';
import { REFERENCES } from '#transport/kafka/reference-consumer.js';
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
    compose: async ({ config, logger, registry, tracer, lifecycle }) => {
      const { retentionDays } = config;
      const metrics = workerMetrics({ registry, contracts: CONTRACTS, retentionDays });
      const database = await connectMeasured(
        { url: config.databaseUrl, poolSize: POOL_SIZE, applicationName: 'entrega-worker' },
        metrics.database,
      );
      lifecycle.onStop('The database connections', () => database.close());
      await database.assertServerSettings();
      const secretBox = new SecretBox(config.encryptionKeys);
      await assertEncryptionKeysKnown(database, secretBox);
      const transport = new KafkaTransport(config.kafka, 'entrega-worker', logger, [REFERENCES]);
      metrics.kafka.watchClient('producer', () => transport.sending);
      metrics.kafka.watchClient('references-consumer', () => transport.receiving);
      metrics.kafka.watchLag(() => transport.lags);
      metrics.loops.meter('consumer', HEARTBEAT_MS, () => transport.receiving);
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
        metrics,
        tracer,
        deadlines,
        concurrency: config.workerConcurrency,
        operatorUrl: config.operatorUrl,
      });
      const keeper = new PartitionKeeper(database);
      const maintenance = {
        database,
        keeper,
        clock: systemClock,
        logger,
        metrics: metrics.loops,
        retentionDays,
      };
      return {
        metrics,
        modules: [WorkerModule.register(maintenance)],
        checks: [...databaseChecks(database), transportCheck(() => transport.ready)],
        work: worker,
      };
    },
  });
}
