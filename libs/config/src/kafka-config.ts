import type { Environment, SettingFault } from './read-settings.js';
import type { SettingName, SettingValue } from './settings.js';

/** Which Kafka a process uses, and how. */
export interface KafkaConfig {
  readonly brokers: readonly string[];
  readonly topicPrefix: string;
  readonly sasl: {
    readonly mechanism: SettingValue<'KAFKA_SASL_MECHANISM'>;
    readonly username: string;
    readonly password: string;
  } | null;
  /** PEM texts; null: no TLS. */
  readonly ssl: {
    readonly ca: string | null;
    readonly cert: string | null;
    readonly key: string | null;
  } | null;
  readonly partitions: number;
  /** Null: as the brokers are set. */
  readonly replication: number | null;
}

export const KAFKA_SETTINGS = [
  'KAFKA_BROKERS',
  'KAFKA_TOPIC_PREFIX',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_USERNAME',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SSL',
  'KAFKA_SSL_CA',
  'KAFKA_SSL_CERT',
  'KAFKA_SSL_KEY',
  'KAFKA_PARTITIONS',
  'KAFKA_REPLICATION',
] as const satisfies readonly SettingName[];

export interface KafkaSettingValues {
  readonly KAFKA_BROKERS: readonly string[] | null;
  readonly KAFKA_TOPIC_PREFIX: string;
  readonly KAFKA_SASL_MECHANISM: SettingValue<'KAFKA_SASL_MECHANISM'> | null;
  readonly KAFKA_SASL_USERNAME: string | null;
  readonly KAFKA_SASL_PASSWORD: string | null;
  readonly KAFKA_SSL: boolean;
  readonly KAFKA_SSL_CA: string | null;
  readonly KAFKA_SSL_CERT: string | null;
  readonly KAFKA_SSL_KEY: string | null;
  readonly KAFKA_PARTITIONS: number;
  readonly KAFKA_REPLICATION: number | null;
}

/** Null where no brokers are set. */
export function kafkaOf(settings: KafkaSettingValues): KafkaConfig | null {
  const { KAFKA_BROKERS: brokers } = settings;
  return brokers && kafkaAt(brokers, settings);
}

export function kafkaAt(brokers: readonly string[], settings: KafkaSettingValues): KafkaConfig {
  const { KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = settings;
  const sasl = KAFKA_SASL_MECHANISM !== null &&
    KAFKA_SASL_USERNAME !== null &&
    KAFKA_SASL_PASSWORD !== null && {
      mechanism: KAFKA_SASL_MECHANISM,
      username: KAFKA_SASL_USERNAME,
      password: KAFKA_SASL_PASSWORD,
    };
  const ssl = settings.KAFKA_SSL && {
    ca: settings.KAFKA_SSL_CA,
    cert: settings.KAFKA_SSL_CERT,
    key: settings.KAFKA_SSL_KEY,
  };
  return Object.freeze({
    brokers,
    topicPrefix: settings.KAFKA_TOPIC_PREFIX,
    sasl: sasl ? Object.freeze(sasl) : null,
    ssl: ssl ? Object.freeze(ssl) : null,
    partitions: settings.KAFKA_PARTITIONS,
    replication: settings.KAFKA_REPLICATION,
  });
}

/** Settings of Kafka that are of use only together, and those that nothing would read. */
export function kafkaFaults(settings: KafkaSettingValues, env: Environment): SettingFault[] {
  const isSet = (name: string) =>
    [name, `${name}_FILE`].some((key) => env[key] !== undefined && env[key] !== '');
  const given = KAFKA_SETTINGS.filter(isSet);
  if (settings.KAFKA_BROKERS === null) {
    return given.map((name) => ({
      name,
      message: 'Nothing reads it without KAFKA_BROKERS. Set that, or remove it.',
    }));
  }
  const faults: SettingFault[] = [];
  const together = (group: readonly (keyof KafkaSettingValues)[]) => {
    const missing = group.filter((name) => settings[name] === null);
    if (missing.length === group.length) return;
    for (const name of missing) {
      const others = group.filter((other) => settings[other] !== null).join(' and ');
      faults.push({ name, message: `It is not set, and ${others} cannot do without it. Set it too.` });
    }
  };
  together(['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']);
  together(['KAFKA_SSL_CERT', 'KAFKA_SSL_KEY']);
  if (!settings.KAFKA_SSL) {
    for (const name of ['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'] as const) {
      if (settings[name] !== null)
        faults.push({
          name,
          message: 'Nothing reads it while KAFKA_SSL is not true. Set that, or remove it.',
        });
    }
  }
  return faults;
}
