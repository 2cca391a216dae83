import {
  KAFKA_SETTINGS,
  kafkaAt,
  type KafkaConfig,
  kafkaFaults,
  kafkaOf,
  type KafkaSettingValues,
} from './kafka-config.js';
import {
  OPERATOR_URL_SETTINGS,
  type OperatorUrlConfig,
  operatorUrlFaults,
  operatorUrlOf,
  type OperatorUrlSettingValues,
} from './operator-url-config.js';
import { ConfigError, type Environment, readSettings, type SettingFault } from './read-settings.js';
import type { SettingName, SettingValue } from './settings.js';
import {
  TRACING_SETTINGS,
  type TracingConfig,
  tracingFaults,
  tracingOf,
  type TracingSettingValues,
} from './tracing-config.js';

/** How a process logs. */
export interface LogConfig {
  readonly level: SettingValue<'LOG_LEVEL'>;
  readonly format: SettingValue<'LOG_FORMAT'>;
}

/** Where a process listens. */
export interface ListenConfig {
  readonly port: number;
  readonly host: string;
  /** The port of health and metrics; null for the same port as everything else. */
  readonly opsPort: number | null;
}

export interface StandaloneConfig {
  readonly log: LogConfig;
  /** Null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  readonly listen: ListenConfig;
  /** Of the source that it was built from. */
  readonly revision: string;
  /** As it was set, relative to the working directory. */
  readonly dataDir: string;
  /** Null: run an embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Null: generate it, see `generated-keys.ts`. */
  readonly adminKey: string | null;
  /** 32 bytes each; the first encrypts, all decrypt. Null: generate it. */
  readonly encryptionKeys: readonly Buffer[] | null;
  readonly allowPrivateCidrs: readonly string[];
  /** Null: those of the system. */
  readonly dnsServers: readonly string[] | null;
  readonly retentionDays: number;
  readonly maxEndpointsPerApplication: number;
  readonly workerConcurrency: number;
  /** Null: operator events go to their topic or the log only. */
  readonly operatorUrl: OperatorUrlConfig | null;
  /** Null: the in-process transport. */
  readonly kafka: KafkaConfig | null;
  /** Requests of a key that has no limit of its own; null for no limit. */
  readonly rateLimitPerSecond: number | null;
}

export interface IngestConfig {
  readonly log: LogConfig;
  /** Null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  readonly listen: ListenConfig;
  /** Of the source that it was built from. */
  readonly revision: string;
  readonly databaseUrl: string;
  readonly kafka: KafkaConfig;
  readonly adminKey: string | null;
  readonly encryptionKeys: readonly Buffer[];
  /** Requests of a key that has no limit of its own; null for no limit. */
  readonly rateLimitPerSecond: number | null;
}

export interface WorkerConfig {
  readonly log: LogConfig;
  /** Null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  readonly listen: ListenConfig;
  /** Of the source that it was built from. */
  readonly revision: string;
  readonly databaseUrl: string;
  readonly kafka: KafkaConfig;
  readonly encryptionKeys: readonly Buffer[];
  readonly allowPrivateCidrs: readonly string[];
  /** Null: those of the system. */
  readonly dnsServers: readonly string[] | null;
  readonly retentionDays: number;
  readonly workerConcurrency: number;
  /** Null: operator events go to their topic or the log only. */
  readonly operatorUrl: OperatorUrlConfig | null;
}

export interface AdminConfig {
  readonly log: LogConfig;
  /** Null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  readonly listen: ListenConfig;
  /** Of the source that it was built from. */
  readonly revision: string;
  readonly databaseUrl: string;
  readonly kafka: KafkaConfig;
  readonly adminKey: string | null;
  readonly encryptionKeys: readonly Buffer[];
  readonly allowPrivateCidrs: readonly string[];
  /** Null: those of the system. */
  readonly dnsServers: readonly string[] | null;
  readonly retentionDays: number;
  readonly maxEndpointsPerApplication: number;
  /** Requests of a key that has no limit of its own; null for no limit. */
  readonly rateLimitPerSecond: number | null;
}

export interface MigrateConfig {
  readonly log: LogConfig;
  readonly databaseUrl: string;
}

export interface KeyRotationConfig {
  /** As it was set, relative to the working directory. */
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL that runs for `dataDir`. */
  readonly databaseUrl: string | null;
  /** 32 bytes each; the first encrypts, all decrypt. Null: those in `dataDir`, see `generated-keys.ts`. */
  readonly encryptionKeys: readonly Buffer[] | null;
}

const LISTENING = [
  'LOG_LEVEL',
  'LOG_FORMAT',
  'PORT',
  'HOST',
  'OPS_PORT',
  'BUILD_REVISION',
  ...TRACING_SETTINGS,
] as const;
const STORING = ['DATABASE_URL', 'ENCRYPTION_KEY'] as const;
const SEPARATE = [...STORING, 'KAFKA_BROKERS'] as const;

/** What each process reads, and which of it it cannot do without. */
export const PROCESS_SETTINGS = {
  standalone: {
    uses: [
      ...LISTENING,
      'DATA_DIR',
      ...STORING,
      'ADMIN_KEY',
      'RATE_LIMIT_PER_SECOND',
      'ALLOW_PRIVATE_CIDRS',
      'DNS_SERVERS',
      'RETENTION_DAYS',
      'MAX_ENDPOINTS_PER_APPLICATION',
      'WORKER_CONCURRENCY',
      ...OPERATOR_URL_SETTINGS,
      ...KAFKA_SETTINGS,
    ],
    requires: [],
  },
  ingest: {
    uses: [...LISTENING, ...STORING, 'ADMIN_KEY', 'RATE_LIMIT_PER_SECOND', ...KAFKA_SETTINGS],
    requires: SEPARATE,
  },
  worker: {
    uses: [
      ...LISTENING,
      ...STORING,
      'ALLOW_PRIVATE_CIDRS',
      'DNS_SERVERS',
      'RETENTION_DAYS',
      'WORKER_CONCURRENCY',
      ...OPERATOR_URL_SETTINGS,
      ...KAFKA_SETTINGS,
    ],
    requires: SEPARATE,
  },
  admin: {
    uses: [
      ...LISTENING,
      ...STORING,
      'ADMIN_KEY',
      'RATE_LIMIT_PER_SECOND',
      'ALLOW_PRIVATE_CIDRS',
      'DNS_SERVERS',
      'RETENTION_DAYS',
      'MAX_ENDPOINTS_PER_APPLICATION',
      ...KAFKA_SETTINGS,
    ],
    requires: SEPARATE,
  },
  migrate: { uses: ['LOG_LEVEL', 'LOG_FORMAT', 'DATABASE_URL'], requires: ['DATABASE_URL'] },
  'rotate-encryption-key': { uses: ['DATA_DIR', ...STORING], requires: [] },
  'npx entrega': { uses: ['ENTREGA_URL', 'ENTREGA_KEY', 'DATA_DIR'], requires: [] },
} as const satisfies Record<string, { uses: readonly SettingName[]; requires: readonly SettingName[] }>;

export type ProcessName = keyof typeof PROCESS_SETTINGS;

/** @throws ConfigError naming every fault */
export function loadStandaloneConfig(env: Environment = process.env): StandaloneConfig {
  const settings = checked(env, () => readSettings(env, PROCESS_SETTINGS.standalone));
  return Object.freeze({
    log: logOf(settings),
    tracing: tracingOf(settings),
    listen: listenOf(settings),
    revision: settings.BUILD_REVISION,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    adminKey: settings.ADMIN_KEY,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    encryptionKeys: settings.ENCRYPTION_KEY,
    allowPrivateCidrs: settings.ALLOW_PRIVATE_CIDRS,
    dnsServers: settings.DNS_SERVERS,
    retentionDays: settings.RETENTION_DAYS,
    maxEndpointsPerApplication: settings.MAX_ENDPOINTS_PER_APPLICATION,
    workerConcurrency: settings.WORKER_CONCURRENCY,
    operatorUrl: operatorUrlOf(settings),
    kafka: kafkaOf(settings),
  });
}

/** @throws ConfigError naming every fault */
export function loadIngestConfig(env: Environment = process.env): IngestConfig {
  const settings = checked(env, () => readSettings(env, PROCESS_SETTINGS.ingest));
  return Object.freeze({
    log: logOf(settings),
    tracing: tracingOf(settings),
    listen: listenOf(settings),
    revision: settings.BUILD_REVISION,
    databaseUrl: settings.DATABASE_URL,
    kafka: kafkaAt(settings.KAFKA_BROKERS, settings),
    adminKey: settings.ADMIN_KEY,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    encryptionKeys: settings.ENCRYPTION_KEY,
  });
}

/** @throws ConfigError naming every fault */
export function loadWorkerConfig(env: Environment = process.env): WorkerConfig {
  const settings = checked(env, () => readSettings(env, PROCESS_SETTINGS.worker));
  return Object.freeze({
    log: logOf(settings),
    tracing: tracingOf(settings),
    listen: listenOf(settings),
    revision: settings.BUILD_REVISION,
    databaseUrl: settings.DATABASE_URL,
    kafka: kafkaAt(settings.KAFKA_BROKERS, settings),
    encryptionKeys: settings.ENCRYPTION_KEY,
    allowPrivateCidrs: settings.ALLOW_PRIVATE_CIDRS,
    dnsServers: settings.DNS_SERVERS,
    retentionDays: settings.RETENTION_DAYS,
    workerConcurrency: settings.WORKER_CONCURRENCY,
    operatorUrl: operatorUrlOf(settings),
  });
}

/** @throws ConfigError naming every fault */
export function loadAdminConfig(env: Environment = process.env): AdminConfig {
  const settings = checked(env, () => readSettings(env, PROCESS_SETTINGS.admin));
  return Object.freeze({
    log: logOf(settings),
    tracing: tracingOf(settings),
    listen: listenOf(settings),
    revision: settings.BUILD_REVISION,
    databaseUrl: settings.DATABASE_URL,
    kafka: kafkaAt(settings.KAFKA_BROKERS, settings),
    adminKey: settings.ADMIN_KEY,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    encryptionKeys: settings.ENCRYPTION_KEY,
    allowPrivateCidrs: settings.ALLOW_PRIVATE_CIDRS,
    dnsServers: settings.DNS_SERVERS,
    retentionDays: settings.RETENTION_DAYS,
    maxEndpointsPerApplication: settings.MAX_ENDPOINTS_PER_APPLICATION,
  });
}

/** @throws ConfigError naming every fault */
export function loadMigrateConfig(env: Environment = process.env): MigrateConfig {
  const settings = readSettings(env, PROCESS_SETTINGS.migrate);
  return Object.freeze({ log: logOf(settings), databaseUrl: settings.DATABASE_URL });
}

/** @throws ConfigError naming every fault */
export function loadKeyRotationConfig(env: Environment = process.env): KeyRotationConfig {
  const settings = readSettings(env, PROCESS_SETTINGS['rotate-encryption-key']);
  return Object.freeze({
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    encryptionKeys: settings.ENCRYPTION_KEY,
  });
}

/** The settings, unless they or their neighbours are at fault: all of it in one error. */
function checked<
  Settings extends KafkaSettingValues &
    TracingSettingValues &
    Partial<OperatorUrlSettingValues> & { PORT: number; OPS_PORT: number | null },
>(env: Environment, read: () => Settings): Settings {
  const faults: SettingFault[] = [];
  let settings: Settings | undefined;
  try {
    settings = read();
    if (settings.OPS_PORT !== null && settings.OPS_PORT !== 0 && settings.OPS_PORT === settings.PORT) {
      faults.push({
        name: 'OPS_PORT',
        message: `${settings.OPS_PORT} is PORT too. Set another port, or remove it.`,
      });
    }
    faults.push(...kafkaFaults(settings, env), ...tracingFaults(settings), ...operatorUrlFaults(settings));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.unshift(...error.faults);
  }
  if (settings === undefined || faults.length > 0) throw new ConfigError(faults);
  return settings;
}

function logOf(settings: LogSettings): LogConfig {
  const format = settings.LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json');
  return Object.freeze({ level: settings.LOG_LEVEL, format });
}

interface LogSettings {
  readonly LOG_LEVEL: SettingValue<'LOG_LEVEL'>;
  readonly LOG_FORMAT: SettingValue<'LOG_FORMAT'> | null;
}

function listenOf(settings: { PORT: number; HOST: string; OPS_PORT: number | null }): ListenConfig {
  return Object.freeze({ port: settings.PORT, host: settings.HOST, opsPort: settings.OPS_PORT });
}
