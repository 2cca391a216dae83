/*
 * One Kafka broker on loopback, in a temporary folder, with fixed ports: it can be stopped and started again
 * with what it holds. For tests and for a developer's machine, never for production.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kafkaClassPath, run } from './kafka-distribution.mjs';

const START_LIMIT_MS = 60_000;
/** A clean stop takes a second. */
const STOP_LIMIT_MS = 10_000;
const FORMAT_LIMIT_MS = 30_000;
/** Small and quick to start; the second compiler would cost more than it gains here. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * A second listener that asks for TLS with a client's certificate, and for a password. PEM texts.
 *
 * @typedef {{ cert: string, key: string, ca: string, username: string, password: string }} SecureListener
 */

export class KafkaBroker {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  #folder;
  #classPath;
  #port;
  #securePort;

  /** @private use `create` */
  constructor(folder, classPath, port, securePort) {
    this.#folder = folder;
    this.#classPath = classPath;
    this.#port = port;
    this.#securePort = securePort;
  }

  /**
   * Prepares a broker that does not run yet.
   *
   * @param {{ secure?: SecureListener, say?: (message: string) => void }} [options]
   */
  static async create({ secure, say = () => undefined } = {}) {
    const classPath = await kafkaClassPath(say);
    const folder = await mkdtemp(join(tmpdir(), 'entrega-kafka-'));
    try {
      const [port, controllerPort, securePort] = await freePorts(3);
      const broker = new KafkaBroker(folder, classPath, port, securePort);
      await writeFile(broker.#settingsFile, settings(folder, port, controllerPort, securePort, secure));
      await broker.#format(secure);
      return broker;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** As KAFKA_BROKERS takes it. */
  get brokers() {
    return `127.0.0.1:${this.#port}`;
  }

  /** The listener that asks for credentials, where one was wanted. */
  get secureBrokers() {
    return `127.0.0.1:${this.#securePort}`;
  }

  get pid() {
    return this.#process?.pid;
  }

  /** Returns when it answers. Its output goes to a file, so that it lives on when we end. */
  async start() {
    if (this.#process !== undefined) return;
    const log = await open(this.#logFile, 'a');
    const child = spawn('java', [...JVM, '-cp', this.#classPath, 'kafka.Kafka', this.#settingsFile], {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    child.unref();
    this.#process = child;
    child.once('exit', () => (this.#process = undefined));
    const deadline = performance.now() + START_LIMIT_MS;
    while (!(await answers(this.#port))) {
      if (this.#process === undefined) throw new Error(`Kafka ended at its start:\n${await this.#logEnd()}`);
      if (performance.now() > deadline) {
        await this.kill();
        throw new Error(`Kafka did not start within ${START_LIMIT_MS / 1000} s:\n${await this.#logEnd()}`);
      }
      await sleep(50);
    }
  }

  /** A clean stop; a broker that does not manage it in time, or is paused, is killed. */
  async stop() {
    await this.#end('SIGTERM');
  }

  /** What it had not written yet is lost, as in a power cut of its own. */
  async kill() {
    await this.#end('SIGKILL');
  }

  /** It goes on holding its connections and answers nothing. */
  pause() {
    this.#process?.kill('SIGSTOP');
  }

  resume() {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it and removes all that it held. */
  async remove() {
    await this.kill();
    await this.removeFolder();
  }

  async removeFolder() {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get folder() {
    return this.#folder;
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process;
    if (child === undefined) return;
    child.ref();
    const exit = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await exit.finally(() => clearTimeout(timer));
  }

  async #format(secure) {
    const clusterId = randomBytes(16).toString('base64url');
    const tool = ['-cp', this.#classPath, 'kafka.tools.StorageTool', 'format'];
    const users = secure
      ? ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
          '--add-scram',
          `${mechanism}=[name=${secure.username},password=${secure.password}]`,
        ])
      : [];
    const { failure, output } = await run(
      'java',
      [...JVM, ...tool, '--cluster-id', clusterId, '--config', this.#settingsFile, ...users],
      FORMAT_LIMIT_MS,
    );
    if (failure !== null) throw new Error(`Kafka's storage could not be prepared (${failure}):\n${output}`);
  }

  get #settingsFile() {
    return join(this.#folder, 'server.properties');
  }

  get #logFile() {
    return join(this.#folder, 'broker.log');
  }

  async #logEnd() {
    return (await readFile(this.#logFile, 'utf8')).slice(-4_000);
  }
}

/** One node that is everything, waits for nobody, and creates no topic unasked. */
function settings(folder, port, controllerPort, securePort, secure) {
  const listeners = [`PLAINTEXT://127.0.0.1:${port}`, `CONTROLLER://127.0.0.1:${controllerPort}`];
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=${[...listeners, ...(secure ? [`SASL_SSL://127.0.0.1:${securePort}`] : [])].join(',')}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL',
    'controller.listener.names=CONTROLLER',
    `log.dirs=${join(folder, 'data')}`,
    'auto.create.topics.enable=false',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'group.min.session.timeout.ms=1000',
    'log.segment.bytes=16777216',
    'log.cleaner.dedupe.buffer.size=4194304',
    'num.network.threads=2',
    'num.io.threads=2',
    ...(secure ? secureSettings(secure) : []),
    '',
  ].join('\n');
}

/** @param {SecureListener} secure */
function secureSettings({ cert, key, ca, username, password }) {
  const oneLine = (pem) => pem.trim().replaceAll('\n', '\\n\\\n');
  const user = `user_${username}="${password}"`;
  return [
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    `listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ${user};`,
    ...['256', '512'].map(
      (bits) =>
        `listener.name.sasl_ssl.scram-sha-${bits}.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;`,
    ),
    'ssl.keystore.type=PEM',
    `ssl.keystore.certificate.chain=${oneLine(cert)}`,
    `ssl.keystore.key=${oneLine(key)}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.certificates=${oneLine(ca)}`,
    'listener.name.sasl_ssl.ssl.client.auth=required',
  ];
}

/**
 * Ports below those that the system hands out by itself: one of those could be taken by any connection while
 * the broker is stopped, even by a client's attempt to reach it.
 */
async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A broker accepts connections only when it is ready to serve them. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
