import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { KafkaSettings } from '#transport/kafka/kafka-settings.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { startTestKafka, type TestKafka, testTopicPrefix } from '../support/kafka.js';
import { kafkaSettings, RememberingLog } from '../support/kafka-topics.js';
import { describeWithTls, TestAuthority, type TlsIdentity } from '../support/tls.js';
import { until } from '../support/until.js';
import { CollectingReceiver, referencesOf } from './conformance.js';

const patience = { timeoutMs: 30_000 };
const USER = { username: 'entrega', password: 'correct-horse' };

describeWithTls('a Kafka that asks who comes', () => {
  let kafka: TestKafka;
  let client: TlsIdentity;
  let ca: string;
  let transport: KafkaTransport;

  beforeAll(async () => {
    const authority = await TestAuthority.trusted();
    const broker = await authority.identity('IP:127.0.0.1');
    client = await authority.identity('DNS:entrega');
    ca = await readFile(authority.certificateFile, 'utf8');
    // From here on only who is told of the authority trusts it.
    await authority.withdraw();
    kafka = await startTestKafka({ ...broker, ca, ...USER });
  }, 60_000);
  afterAll(() => kafka.remove());
  afterEach(() => transport.close());

  function connect(changes: Partial<KafkaSettings>, log = new RememberingLog()): RememberingLog {
    const settings: KafkaSettings = {
      ...kafkaSettings(kafka.brokers, testTopicPrefix()),
      ssl: { ca, ...client },
      sasl: { mechanism: 'scram-sha-256', ...USER },
      ...changes,
    };
    transport = new KafkaTransport(settings, 'test', log);
    return log;
  }

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'lets in with a certificate and a password by %s',
    async (mechanism) => {
      connect({ sasl: { mechanism, ...USER } });
      const receiver = new CollectingReceiver();
      await transport.receiveReferences(receiver);
      await until(() => transport.connected && transport.ready, patience);
      await transport.sendReferences(referencesOf([1], 3));
      await until(() => receiver.received.length === 3, patience);
    },
    40_000,
  );

  it.each<[string, () => Partial<KafkaSettings>]>([
    ['a wrong password', () => ({ sasl: { mechanism: 'scram-sha-256', ...USER, password: 'wrong-horse' } })],
    ['no certificate', () => ({ ssl: { ca, cert: null, key: null } })],
    ['an authority that is not trusted', () => ({ ssl: { ca: null, ...client } })],
    ['no TLS', () => ({ ssl: null })],
  ])('is away, and stays harmless, with %s', async (_, changes) => {
    const log = connect(changes());
    await until(() => log.count('kafka.still-away') > 0, patience);
    expect(transport.ready).toBe(false);
    expect(log.count('kafka.away')).toBe(1);
    expect(inspect(log.lines, { depth: null })).not.toContain('horse');
  });
});
