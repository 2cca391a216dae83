import { loadIngestConfig } from '#config/config.js';
import { CONTRACTS } from '#contracts/registry.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { STATS_INTERVAL_MS, StatsLoop } from '#delivery/watch/stats-loop.js';
import { systemClock } from '#domain/clock.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES, leaseMs } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { runHttpProcess } from '#http/http-process.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { ingestMetrics } from '#observability/metrics/role-metrics.js';
import { SecretBox } from '#storage/secret-box.js';
import { StorageModule } from '#storage/storage.module.js';
import { type KafkaEventConsumer, PUBLISHED_EVENTS } from '#transport/kafka/kafka-event-consumer.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { HEARTBEAT_MS } from '#transport/kafka/supervised-consumer.js';
import { IngestModule } from './ingest.module.js';
import { eventRecordConsumer } from './publishing/event-record-consumer.js';

const POOL_SIZE = 12;

/**
 * Takes events in, over HTTP and from Kafka, and tells the workers what is due.
 *
 * @param deadlines of the workers' attempts, and so the lease that is taken for them
 * @param statsEveryMs how often the figures of the database are read; shorter ones are for tests
 */
export async function runIngest(
  deadlines: AttemptDeadlines = DEFAULT_DEADLINES,
  statsEveryMs = STATS_INTERVAL_MS,
): Promise<void> {
  await runHttpProcess({
    role: 'ingest',
    load: loadIngestConfig,
    compose: async ({ config, logger, registry, tracer, lifecycle }) => {
      const metrics = ingestMetrics({ registry, contracts: CONTRACTS });
      const database = await connectMeasured(
        { url: config.databaseUrl, poolSize: POOL_SIZE, applicationName: 'entrega-ingest' },
        metrics.database,
      );
      lifecycle.onStop('The database connections', () => database.close());
      await database.assertServerSettings();
      const transport = new KafkaTransport(config.kafka, 'entrega-ingest', logger, [PUBLISHED_EVENTS]);
      lifecycle.onStop('The connections to Kafka', () => transport.close());
      const acceptor = new EventAcceptor({
        database,
        transport,
        secretBox: new SecretBox(config.encryptionKeys),
        clock: systemClock,
        logger,
        metrics,
        tracer,
        leaseMs: leaseMs(deadlines),
      });
      const edge = HttpEdgeModule.register({
        imports: [StorageModule.register(database)],
        adminKey: config.adminKey,
        rateLimitPerSecond: config.rateLimitPerSecond,
      });
      const records: KafkaEventConsumer = eventRecordConsumer({
        acceptor,
        transport,
        settings: config.kafka,
        clientId: 'entrega-ingest',
        logger,
        metrics,
        tracer,
        meter: metrics.loops.meter('consumer', HEARTBEAT_MS, () => records.connected),
      });
      metrics.kafka.watchClient('producer', () => transport.sending);
      metrics.kafka.watchClient('events-consumer', () => records.connected);
      metrics.kafka.watchLag(() => transport.lags);
      const stats = new StatsLoop({ database, logger, metrics, intervalMs: statsEveryMs });
      return {
        metrics,
        modules: [edge, IngestModule.register(acceptor), { module: OpenApiModule }],
        checks: [...databaseChecks(database), transportCheck(() => transport.ready && records.connected)],
        work: {
          start: async () => {
            records.start();
            stats.start();
          },
          stop: async () => {
            await Promise.all([records.stop(), stats.stop()]);
          },
        },
      };
    },
  });
}
