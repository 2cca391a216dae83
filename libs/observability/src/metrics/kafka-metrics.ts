import { Gauge, type Registry } from 'prom-client';

/** How far a consumer group is behind, in one partition. */
export interface PartitionLag {
  /** Without the prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly records: number;
}

/** How this process gets on with Kafka; exported only where there is one. */
export class KafkaMetrics {
  private readonly clients = new Map<string, () => boolean>();
  private readonly lags: (() => readonly PartitionLag[])[] = [];

  constructor(registry: Registry, role: string) {
    const registers = [registry];
    const connected: Gauge = new Gauge({
      name: 'entrega_kafka_connected',
      help: '1 while the client is connected, and a consumer a member of its group.',
      labelNames: ['role', 'client'],
      registers,
      collect: () => {
        for (const [client, isConnected] of this.clients)
          connected.set({ role, client }, isConnected() ? 1 : 0);
      },
    });
    const lag: Gauge = new Gauge({
      name: 'entrega_kafka_consumer_lag_records',
      help: 'Records that the consumer group has not committed yet, as of seconds ago.',
      labelNames: ['topic', 'partition'],
      registers,
      collect: () => {
        lag.reset();
        for (const { topic, partition, records } of this.lags.flatMap((read) => read()))
          lag.set({ topic, partition }, records);
      },
    });
  }

  watchClient(
    client: 'producer' | 'events-consumer' | 'references-consumer',
    isConnected: () => boolean,
  ): void {
    this.clients.set(client, isConnected);
  }

  watchLag(read: () => readonly PartitionLag[]): void {
    this.lags.push(read);
  }
}
