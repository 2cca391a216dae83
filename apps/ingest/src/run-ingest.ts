import { loadIngestConfig } from '#config/config.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { systemClock } from '#domain/clock.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES, leaseMs } from '#domain/lease.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { runHttpProcess } from '#http/http-process.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { Database } from '#storage/database.js';
import { StorageModule } from '#storage/storage.module.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { IngestModule } from './ingest.module.js';
import { eventRecordConsumer } from './publishing/event-record-consumer.js';

const POOL_SIZE = 12;

/**
 * Takes events in, over HTTP and from Kafka, and tells the workers what is due.
 *
 * @param deadlines of the workers' attempts, and so the lease that is taken for them
 */
export async function runIngest(deadlines: AttemptDeadlines = DEFAULT_DEADLINES): Promise<void> {
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
      const transport = new KafkaTransport(config.kafka, 'entrega-ingest', logger);
      lifecycle.onStop('The connections to Kafka', () => transport.close());
      const acceptor = new EventAcceptor({
        database,
        transport,
        clock: systemClock,
        logger,
        leaseMs: leaseMs(deadlines),
      });
      const edge = HttpEdgeModule.register({
        imports: [StorageModule.register(database)],
        adminKey: config.adminKey,
        rateLimitPerSecond: config.rateLimitPerSecond,
      });
      const records = eventRecordConsumer({
        acceptor,
        transport,
        settings: config.kafka,
        clientId: 'entrega-ingest',
        logger,
      });
      return {
        modules: [edge, IngestModule.register(acceptor), { module: OpenApiModule }],
        checks: [...databaseChecks(database), transportCheck(() => transport.ready && records.connected)],
        work: { start: async () => records.start(), stop: () => records.stop() },
      };
    },
  });
}
