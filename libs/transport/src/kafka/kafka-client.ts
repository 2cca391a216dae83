import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import type { KafkaSettings, KafkaTls } from './kafka-settings.js';
import { endIdleLoop } from './kafkajs-idle-loop.js';
import type { KafkajsLog } from './kafkajs-log.js';

endIdleLoop();

const CONNECTION_TIMEOUT_MS = 2_000;
/** Requests that wait by their nature (join, fetch) have longer limits of their own. */
const REQUEST_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 60_000;

/**
 * A kafkajs client that can be cut off for good. kafkajs goes on reconnecting after it was told to disconnect,
 * and a consumer that comes back like that holds partitions which nobody serves. One that was cut has no socket
 * and never gets another.
 */
export class KafkaClient {
  readonly kafka: Kafka;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  /** @param clientId names the process in the brokers' logs and quotas */
  constructor(settings: KafkaSettings, clientId: string, log: KafkajsLog) {
    const config: KafkaConfig = {
      clientId,
      brokers: [...settings.brokers],
      ssl: settings.ssl !== null && tlsOptions(settings.ssl),
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 2 },
      socketFactory: (options) => this.connect(options),
      logLevel: logLevel.INFO,
      logCreator: () => (entry) => log.write(entry, this.isCut),
    };
    if (settings.sasl !== null) config.sasl = settings.sasl as NonNullable<KafkaConfig['sasl']>;
    this.kafka = new Kafka(config);
  }

  cut(): void {
    this.isCut = true;
    // With an error: of a socket that just closes kafkajs takes no notice, and its requests would stay open.
    for (const socket of this.sockets) socket.destroy(new Error('This client was given up.'));
  }

  private connect(options: Parameters<NonNullable<KafkaConfig['socketFactory']>>[0]): Socket {
    if (this.isCut) throw new Error('This client was given up.');
    const { host, port, ssl, onConnect } = options;
    const socket = ssl
      ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...ssl }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}

function tlsOptions({ ca, cert, key }: KafkaTls) {
  return { ...(ca !== null && { ca: [ca] }), ...(cert !== null && { cert }), ...(key !== null && { key }) };
}
