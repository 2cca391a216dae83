import { loadAdminConfig } from '#config/config.js';
import { CONTRACTS } from '#contracts/registry.js';
import { DeliveryRepairs } from '#delivery/repair/delivery-repairs.js';
import { STATS_INTERVAL_MS, StatsLoop } from '#delivery/watch/stats-loop.js';
import { systemClock } from '#domain/clock.js';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { runHttpProcess } from '#http/http-process.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { adminMetrics } from '#observability/metrics/role-metrics.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { SecretBox } from '#storage/secret-box.js';
import { StorageModule } from '#storage/storage.module.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { AdminModule } from './admin.module.js';

const POOL_SIZE = 10;

/**
 * Registers, watches and repairs over the API.
 *
 * @param statsEveryMs how often the figures of the database are read; shorter ones are for tests
 */
export async function runAdmin(statsEveryMs = STATS_INTERVAL_MS): Promise<void> {
  await runHttpProcess({
    role: 'admin',
    load: loadAdminConfig,
    compose: async ({ config, logger, registry, lifecycle }) => {
      const { retentionDays } = config;
      const metrics = adminMetrics({ registry, contracts: CONTRACTS, retentionDays });
      const database = await connectMeasured(
        { url: config.databaseUrl, poolSize: POOL_SIZE, applicationName: 'entrega-admin' },
        metrics.database,
      );
      lifecycle.onStop('The database connections', () => database.close());
      await database.assertServerSettings();
      const secretBox = new SecretBox(config.encryptionKeys);
      await assertEncryptionKeysKnown(database, secretBox);
      // Nothing goes over it from here: it says whether Kafka is there, and makes missing topics.
      const transport = new KafkaTransport(config.kafka, 'entrega-admin', logger);
      lifecycle.onStop('The connections to Kafka', () => transport.close());
      metrics.kafka.watchClient('producer', () => transport.sending);
      const outbound = new OutboundClient({
        allowPrivateCidrs: config.allowPrivateCidrs,
        resolver: { dnsServers: config.dnsServers },
      });
      lifecycle.onStop('The outbound connections', () => outbound.close());
      const admin = AdminModule.register({
        database,
        secretBox,
        outbound,
        clock: systemClock,
        metrics,
        // The workers are elsewhere: they find what was made due by their sweep.
        repairs: new DeliveryRepairs(database, metrics.deliveries, () => undefined),
        edge: HttpEdgeModule.register({
          imports: [StorageModule.register(database)],
          adminKey: config.adminKey,
          rateLimitPerSecond: config.rateLimitPerSecond,
        }),
        retentionDays,
        maxEndpointsPerApplication: config.maxEndpointsPerApplication,
        connectTimeoutMs: DEFAULT_DEADLINES.connectTimeoutMs,
      });
      const stats = new StatsLoop({ database, logger, metrics, intervalMs: statsEveryMs });
      return {
        metrics,
        modules: [admin, { module: OpenApiModule }],
        checks: [...databaseChecks(database), transportCheck(() => transport.ready)],
        work: { start: async () => stats.start(), stop: () => stats.stop() },
      };
    },
  });
}
