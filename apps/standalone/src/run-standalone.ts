import { AdminModule } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import { eventRecordConsumer } from '#apps/ingest/src/publishing/event-record-consumer.js';
import { WorkerModule } from '#apps/worker/src/worker.module.js';
import { loadStandaloneConfig, type StandaloneConfig } from '#config/config.js';
import { standaloneKeys } from '#config/generated-keys.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { DeliveryRepairs } from '#delivery/repair/delivery-repairs.js';
import { systemClock } from '#domain/clock.js';
import { SECOND_MS } from '#domain/durations.js';
import { type AttemptDeadlines, DEFAULT_DEADLINES, leaseMs } from '#domain/lease.js';
import { StartError } from '#domain/start-error.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { transportCheck } from '#http/health/transport-check.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { type Composition, type ProcessContext, runHttpProcess } from '#http/http-process.js';
import { OpenApiModule } from '#http/openapi/openapi.module.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { Database } from '#storage/database.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { applyMigrations } from '#storage/migrate.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';
import { SecretBox } from '#storage/secret-box.js';
import { StorageModule } from '#storage/storage.module.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
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
 */
export function runStandalone(deadlines: AttemptDeadlines = DEFAULT_DEADLINES): Promise<void> {
  return runHttpProcess({
    role: 'standalone',
    load: loadStandaloneConfig,
    compose: (context) => compose(context, deadlines),
  });
}

async function compose(
  context: ProcessContext<StandaloneConfig>,
  deadlines: AttemptDeadlines,
): Promise<Composition> {
  const { config, logger, lifecycle } = context;
  const dataDir = await openDataDir(config.dataDir);
  const keys = await standaloneKeys(config, dataDir, readOrCreateSecretFile);
  const databaseUrl = config.databaseUrl ?? (await startDatabase(dataDir, context));
  const migrations = await applyMigrations(databaseUrl);
  if (migrations.length > 0) logger.info({ migrations }, 'Migrated the database');

  const database = await Database.connect({
    url: databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'entrega-standalone',
  });
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
    transport: new KafkaTransport(config.kafka, 'entrega-standalone', logger),
  };
  const transport =
    kafka?.transport ??
    new InProcessTransport(({ topic, key, payload }) => logger.warn({ topic, key, ...payload }, 'announced'));
  lifecycle.onStop('The transport', () => transport.close());
  const worker = new DeliveryWorker({
    database,
    transport,
    outbound,
    secretBox,
    clock,
    random: Math.random,
    logger,
    deadlines,
    concurrency: config.workerConcurrency,
  });
  const acceptor = new EventAcceptor({ database, transport, clock, logger, leaseMs: leaseMs(deadlines) });
  const records = kafka && eventRecordConsumer({ ...kafka, acceptor, logger });
  const { retentionDays, maxEndpointsPerApplication } = config;
  return {
    modules: [
      IngestModule.register(acceptor),
      { module: OpenApiModule },
      AdminModule.register({
        database,
        secretBox,
        outbound,
        clock,
        repairs: new DeliveryRepairs(database, () => worker.wakeSweep()),
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
        await worker.start();
      },
      stop: async () => {
        await Promise.all([records?.stop(), worker.stop()]);
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
