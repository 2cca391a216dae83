import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { markedBlock } from '../support/marked-block.js';
import { ADMIN_KEY, StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { hasOpenssl } from '../support/tls.js';
import { whereInstalled } from '../support/where-installed.js';
import { until } from '../support/until.js';
import { ReceiverProgram } from './receiver-program.js';

const PAGE = 'docs/guides/register-and-publish.md';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The line of the guide that defines how it calls the API. */
const CALL = `call() { curl -sS -H "authorization: Bearer $KEY" -H 'content-type: application/json' "$@"; echo; }`;

describe('the guide from nothing to the first delivery', () => {
  const prefix = testTopicPrefix();
  let folder: string;
  let database: TestDatabase;
  let standalone: StandaloneProcess;
  let brokers: string;
  let tlsFront: ChildProcess | undefined;
  const receivers: ReceiverProgram[] = [];
  const ports = { tfFiscal: 0, cortecloud: 0, tls: 0 };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'entrega-guide-'));
    ports.tfFiscal = await freePort();
    ports.cortecloud = await freePort();
    ports.tls = await freePort();
    [database, brokers] = await Promise.all([createTestDatabase(), testBrokers()]);
    if (hasOpenssl) await startTlsFront();
    standalone = await StandaloneProcess.start({
      databaseUrl: database.url,
      dataDir: join(folder, 'data'),
      env: {
        KAFKA_BROKERS: brokers,
        KAFKA_TOPIC_PREFIX: prefix,
        KAFKA_PARTITIONS: '1',
        KAFKA_REPLICATION: '1',
        NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
      },
    });
  });
  afterAll(async () => {
    for (const receiver of receivers) await receiver.stop();
    if (tlsFront?.pid !== undefined) process.kill(-tlsFront.pid);
    await standalone?.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
    await database?.drop();
  });

  async function startTlsFront(): Promise<void> {
    const script = markedBlock(PAGE, 'tls')
      .replace('connect(9000)', `connect(${ports.cortecloud})`)
      .replace('listen(9443)', `listen(${ports.tls})`);
    tlsFront = spawn('sh', ['-e', '-c', script], { cwd: folder, stdio: 'ignore', detached: true });
    const listens = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(ports.tls, '127.0.0.1', () => resolve(true)).once('error', () =>
          resolve(false),
        );
        socket.once('connect', () => socket.destroy());
      });
    await until(listens, { timeoutMs: 10_000 });
  }

  /** Runs the lines of the guide behind a mark, and returns the answers to its calls. */
  async function walk(mark: string, env: Record<string, string> = {}): Promise<Record<string, unknown>[]> {
    const script = markedBlock(PAGE, mark)
      .replaceAll('127.0.0.1:9000', `127.0.0.1:${ports.tfFiscal}`)
      .replaceAll('127.0.0.1:9443', `127.0.0.1:${ports.tls}`);
    const output = await run('sh', ['-e', '-c', `${CALL}\n${script}`], {
      ENTREGA: standalone.url,
      KEY: ADMIN_KEY,
      ...env,
    });
    return output
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  }

  function run(command: string, options: readonly string[], env: Record<string, string>): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(command, options, { cwd: ROOT, env: { ...process.env, ...env } }, (error, output, faults) =>
        error ? reject(new Error(`${error.message}\n${faults}`)) : resolve(output),
      );
    });
  }

  async function startReceiver(name: string, env: Record<string, string>, port: number) {
    const receiver = await ReceiverProgram.start(name, env, port);
    receivers.push(receiver);
    return receiver;
  }

  it('calls the API as it says at its beginning', () => {
    expect(markedBlock(PAGE, 'call').split('\n')[0]).toBe(CALL);
  });

  let tfFiscal: ReceiverProgram;

  it('delivers for tf-fiscal, to the receiver of its sister page', async () => {
    const [application, webhook] = await walk('walk: tf-fiscal');
    const { secret } = application!['issuedCredentials'] as { secret: string };
    tfFiscal = await startReceiver(
      'tf-fiscal-receiver.mjs',
      { APP_SECRET: secret, TOKEN: 'demo-token' },
      ports.tfFiscal,
    );
    const answers = await walk('walk: tf-fiscal events', { ENDPOINT: String(webhook!['id']) });
    expect(answers).toMatchObject([{ ok: true }, { id: 'receipt-1042', deliveryCount: 1 }]);
    await until(() => tfFiscal.stored.includes('receipt-1042'));
    await until(async () => {
      const [event] = await walk('walk: tf-fiscal watch');
      return (event!['deliveries'] as { state: string }[])[0]!.state === 'delivered';
    });
  });

  whereInstalled('openssl').it('delivers for cortecloud over https', async () => {
    const [application, endpoint] = await walk('walk: cortecloud');
    expect(application).toMatchObject({ id: 'central-01' });
    expect(endpoint).toMatchObject({ warnings: [] });
    const { apiKey, secret } = endpoint!['issuedCredentials'] as { apiKey: string; secret: string };
    const cortecloud = await startReceiver(
      'cortecloud-receiver.mjs',
      { WEBHOOK_URL: String(endpoint!['url']), API_KEY: apiKey, SECRET: secret, OWN_KEY: 'demo-own-key' },
      ports.cortecloud,
    );
    const [published] = await walk('walk: cortecloud events');
    expect(published).toMatchObject({ deliveryCount: 1 });
    await until(() => cortecloud.stored.includes(String(published!['id'])));
  });

  it('tells a repeat from a reuse, and makes a key that can only publish', async () => {
    const answers = await walk('walk: twice');
    expect(answers).toMatchObject([
      { id: 'receipt-1042', duplicate: true },
      { status: 409, code: 'EVENT_ID_REUSED' },
    ]);
    const [made] = await walk('walk: key');
    expect(made).toMatchObject({ role: 'producer', applications: ['acme', 'central-01'] });
    const KEY = String(made!['key']);
    expect(await walk('walk: twice', { KEY })).toMatchObject([{ duplicate: true }, { status: 409 }]);
    expect(await walk('walk: tf-fiscal', { KEY })).toMatchObject([{ status: 403 }, { status: 403 }]);
  });

  it('takes the good one of a batch, and says what the other lacks', async () => {
    const [answer] = await walk('walk: batch');
    expect(answer).toMatchObject({ accepted: 1, rejected: 1 });
    const [good, bad] = answer!['results'] as object[];
    expect(good).toMatchObject({ status: 202, id: 'receipt-1043' });
    expect(bad).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/data/n_seq' }, { pointer: '/data/protocolo' }],
    });
    await until(() => tfFiscal.stored.includes('receipt-1043'));
    // The list is written a moment after the answers.
    await until(async () => {
      const [list] = await walk('walk: rejections');
      return (list!['items'] as { event: string }[]).some(({ event }) => event === 'receipt-1044');
    });
  });

  it('takes events over Kafka, from the client of the example', async () => {
    const program = markedBlock(PAGE, 'kafka').replaceAll('entrega.events.v1', `${prefix}events.v1`);
    await run(process.execPath, ['--input-type=module', '--eval', program], { KAFKA_BROKERS: brokers });
    await until(() => tfFiscal.stored.includes('receipt-1045'), { timeoutMs: 20_000 });
  });
});
