/** Which Kafka to use, and how. */
export interface KafkaSettings {
  /** `host:port` each; the rest of the cluster is learnt from whichever answers. */
  readonly brokers: readonly string[];
  /** Before the name of every topic and consumer group. */
  readonly topicPrefix: string;
  readonly sasl: KafkaSasl | null;
  /** Null: no TLS. */
  readonly ssl: KafkaTls | null;
  /** Of topics that are created. */
  readonly partitions: number;
  /** Of topics that are created; null: as the brokers are set. */
  readonly replication: number | null;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** PEM texts. */
export interface KafkaTls {
  /** Null: whom the system trusts. */
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** Where the transport says what happens to it. A pino logger is one. */
export interface TransportLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
