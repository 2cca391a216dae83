import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The brokers of the test run's Kafka: that of KAFKA_BROKERS, or else one that is started now. */
export async function testBrokers(): Promise<string> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return given;
  const path = process.env['ENTREGA_TEST_KAFKA'];
  if (path === undefined) throw new Error('ENTREGA_TEST_KAFKA is not set: run the tests with `npm test`.');
  const answer = JSON.parse(await text(connect(path))) as { address: string } | { error: string };
  if ('error' in answer) throw new Error(answer.error);
  return answer.address;
}

/** Topics and groups of one test file of one run: nobody else's. */
export function testTopicPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}.`;
}

/** What a client must show to the broker's one listener. PEM texts. */
export interface BrokerSecurity {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly username: string;
  readonly password: string;
}

/** A Kafka of the test's own, to be stopped and started again: its ports and what it holds stay the same. */
export interface TestKafka {
  readonly brokers: string;
  /** The process that the broker is a child of. */
  readonly hostPid: number;
  /** As a clean stop of the broker (SIGTERM). */
  stop(): Promise<void>;
  /** As its crash (SIGKILL). */
  kill(): Promise<void>;
  /** Returns when it answers. */
  start(): Promise<void>;
  /** Connections stay open and nothing is answered (SIGSTOP). */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and removes what it held. */
  remove(): Promise<void>;
}

/** Starts one, which takes some 5 s. It ends with the test process at the latest, however that ends. */
export async function startTestKafka(security?: BrokerSecurity): Promise<TestKafka> {
  const host = fileURLToPath(new URL('./kafka-host.mjs', import.meta.url));
  const child = spawn(process.execPath, [host, security ? JSON.stringify(security) : ''], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const brokers = await lines.next();
  if (brokers.done) throw new Error('No Kafka could be started for this test; the reason is above.');
  const command = async (name: string): Promise<void> => {
    child.stdin.write(`${name}\n`);
    const answer = await lines.next();
    if (answer.value !== 'ok') throw new Error(`Kafka did not ${name}: ${answer.value ?? 'its host ended'}`);
  };
  return {
    brokers: brokers.value,
    hostPid: child.pid!,
    stop: () => command('stop'),
    kill: () => command('kill'),
    start: () => command('start'),
    pause: () => command('pause'),
    resume: () => command('resume'),
    remove: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}
