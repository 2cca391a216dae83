import { AdminModule } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import { eventRecordConsumer } from '#apps/ingest/src/publishing/event-record-consumer.js';
import { WorkerModule } from '#apps/worker/src/worker.module.js';
import { loadStandaloneConfig, type StandaloneConfig } from '#config/config.js';
import { standaloneKeys } from '#config/generated-keys.js';
import { CONTRACTS } from '#contracts/registry.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { DeliveryRepairs } from '#delivery/repair/delivery-repairs.js';
import { STATS_INTERVAL_MS, StatsLoop } from '#delivery/watch/stats-loop.js';
import { systemClock } from '#domain/clock.js';
import { SECOND_MS } from '#domain/durations.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES, leaseMs } from '#domain/lease.js';
import { StartError } from '#domain/start-error.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { type Composition, type ProcessContext, runHttpProcess } from '#http/http-process.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { standaloneMetrics } from '#observability/metrics/role-metrics.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { applyMigrations } from '#storage/migrate.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { SecretBox } from '#storage/secret-box.js';
import { StorageModule } from '#storage/storage.module.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { type KafkaEventConsumer, PUBLISHED_EVENTS } from '#transport/kafka/kafka-event-consumer.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { REFERENCES } from '#transport/kafka/reference-consumer.js';
import { HEARTBEAT_MS } from '#transport/kafka/supervised-consumer.js';
import { openDataDir } from './data-dir.js';
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';
import { isPostmaster } from './embedded-postgres/postmaster.js';
import { readOrCreateSecretFile } from './secret-file.js';

const POOL_SIZE = 16;

/**
 * The all-in-one process: every role, its own PostgreSQL unless DATABASE_URL is set, in-process transport unless
 * KAFKA_BROKERS is.
 *
 * @param deadlines of attempts, and so the lease; shorter ones are for tests that kill it
 * @param statsEveryMs how often the figures of the database are read; shorter ones are for tests
 */
export function runStandalone(
  deadlines: AttemptDeadlines = DEFAULT_DEADLINES,
  statsEveryMs = STATS_INTERVAL_MS,
): Promise<void> {
  return runHttpProcess({
    role: 'standalone',
    load: loadStandaloneConfig,
    compose: (context) => compose(context, deadlines, statsEveryMs),
  });
}

async function compose(
  context: ProcessContext<StandaloneConfig>,
  deadlines: AttemptDeadlines,
  statsEveryMs: number,
): Promise<Composition> {
  const { config, logger, registry, tracer, lifecycle } = context;
  const dataDir = await openDataDir(config.dataDir);
  const keys = await standaloneKeys(config, dataDir, readOrCreateSecretFile);
  const databaseUrl = config.databaseUrl ?? (await startDatabase(dataDir, context));
  const migrations = await applyMigrations(databaseUrl);
  if (migrations.length > 0) logger.info({ migrations }, 'Migrated the database');

  const { retentionDays, maxEndpointsPerApplication } = config;
  const metrics = standaloneMetrics({
    registry,
    contracts: CONTRACTS,
    retentionDays,
    usesKafka: config.kafka !== null,
  });
  const database = await connectMeasured(
    { url: databaseUrl, poolSize: POOL_SIZE, applicationName: 'entrega-standalone' },
    metrics.database,
  );
  lifecycle.onStop('The database connections', () => database.close());
  const secretBox = new SecretBox(keys.encryptionKeys);
  await assertEncryptionKeysKnown(database, secretBox);
  const outbound = new OutboundClient({
    allowPrivateCidrs: config.allowPrivateCidrs,
    resolver: { dnsServers: config.dnsServers },
  });
  lifecycle.onStop('The outbound connections', () => outbound.close());

  const clock = systemClock;
  const kafka = config.kafka && {
    settings: config.kafka,
    clientId: 'entrega-standalone',
    transport: new KafkaTransport(config.kafka, 'entrega-standalone', logger, [PUBLISHED_EVENTS, REFERENCES]),
  };
  const transport =
    kafka?.transport ??
    new InProcessTransport(({ topic, key, payload }) =>
      logger.warn({ topic, key, ...payload }, 'outbox.announced'),
    );
  lifecycle.onStop('The transport', () => transport.close());
  const worker = new DeliveryWorker({
    database,
    transport,
    outbound,
    secretBox,
    clock,
    random: Math.random,
    logger,
    metrics,
    tracer,
    deadlines,
    concurrency: config.workerConcurrency,
    operatorUrl: config.operatorUrl,
  });
  const acceptor = new EventAcceptor({
    database,
    transport,
    secretBox,
    clock,
    logger,
    metrics,
    tracer,
    leaseMs: leaseMs(deadlines),
  });
  const records: KafkaEventConsumer | null =
    kafka &&
    eventRecordConsumer({
      ...kafka,
      acceptor,
      logger,
      metrics,
      tracer,
      meter: metrics.loops.meter(
        'consumer',
        HEARTBEAT_MS,
        () => kafka.transport.receiving && records?.connected === true,
      ),
    });
  if (kafka && records && metrics.kafka) {
    metrics.kafka.watchClient('producer', () => kafka.transport.sending);
    metrics.kafka.watchClient('events-consumer', () => records.connected);
    metrics.kafka.watchClient('references-consumer', () => kafka.transport.receiving);
    metrics.kafka.watchLag(() => kafka.transport.lags);
  }
  const stats = new StatsLoop({ database, logger, metrics, intervalMs: statsEveryMs });
  return {
    metrics,
    modules: [
      IngestModule.register(acceptor),
      { module: OpenApiModule },
      AdminModule.register({
        database,
        secretBox,
        outbound,
        clock,
        metrics,
        repairs: new DeliveryRepairs(database, metrics.deliveries, () => worker.wakeSweep()),
        edge: HttpEdgeModule.register({
          imports: [StorageModule.register(database)],
          adminKey: keys.adminKey,
          rateLimitPerSecond: config.rateLimitPerSecond,
        }),
        retentionDays,
        maxEndpointsPerApplication,
        connectTimeoutMs: deadlines.connectTimeoutMs,
      }),
      WorkerModule.register({
        database,
        keeper: new PartitionKeeper(database),
        clock,
        logger,
        metrics: metrics.loops,
        retentionDays,
      }),
    ],
    checks: [
      ...databaseChecks(database),
      ...(kafka ? [transportCheck(() => kafka.transport.ready && records?.connected === true)] : []),
    ],
    work: {
      start: async () => {
        records?.start();
        stats.start();
        await worker.start();
      },
      stop: async () => {
        await Promise.all([records?.stop(), stats.stop(), worker.stop()]);
      },
    },
    hints: keys.adminKeyFile === null ? [] : [`The admin key is in ${keys.adminKeyFile}`],
  };
}

async function startDatabase(dataDir: string, context: ProcessContext<StandaloneConfig>): Promise<string> {
  const { logger, lifecycle } = context;
  logger.info(`Starting PostgreSQL for ${dataDir}`);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: { info: (message) => logger.info(message), warn: (message) => logger.warn(message) },
  });
  const watch = setInterval(() => {
    if (isPostmaster(postgres.pid, postgres.clusterDir)) return;
    clearInterval(watch);
    const message = `PostgreSQL ended by itself; ${postgres.clusterDir} holds its log. Start entrega again: it recovers.`;
    lifecycle.fail(new StartError(message));
  }, SECOND_MS);
  lifecycle.onStop('PostgreSQL', () => {
    clearInterval(watch);
    return postgres.stop();
  });
  return postgres.databaseUrl;
}
