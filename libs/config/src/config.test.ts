import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  loadAdminConfig,
  loadIngestConfig,
  loadMigrateConfig,
  loadStandaloneConfig,
  loadWorkerConfig,
} from './config.js';
import { presentEncryptionKeys, standaloneKeys } from './generated-keys.js';
import { ConfigError, type Environment, type SettingFault } from './read-settings.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
const STORAGE = { DATABASE_URL: 'postgresql://u:secret@db/entrega', ENCRYPTION_KEY: KEY };
const BROKERS = { KAFKA_BROKERS: 'kafka-1:9092, kafka-2:9092' };
const PEM = '-----BEGIN CERTIFICATE-----\n…';
const PEM_KEY = '-----BEGIN PRIVATE KEY-----\n…';

function faultsOf(load: (env: Environment) => unknown, env: Environment): readonly SettingFault[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('loadStandaloneConfig', () => {
  it('needs nothing', () => {
    expect(loadStandaloneConfig({ LOG_FORMAT: 'json' })).toEqual({
      log: { level: 'info', format: 'json' },
      tracing: null,
      listen: { port: 8080, host: '127.0.0.1', opsPort: null },
      dataDir: './.entrega',
      databaseUrl: null,
      adminKey: null,
      rateLimitPerSecond: null,
      encryptionKeys: null,
      allowPrivateCidrs: [],
      dnsServers: null,
      retentionDays: 30,
      maxEndpointsPerApplication: 1000,
      workerConcurrency: 512,
      revision: 'unknown',
      operatorUrl: null,
      kafka: null,
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadStandaloneConfig({ PORT: '', ADMIN_KEY: '', ADMIN_KEY_FILE: '' })).toMatchObject({
      listen: { port: 8080 },
      adminKey: null,
    });
  });

  it('reports every fault together, by name, with the value and the cure', () => {
    expect(
      faultsOf(loadStandaloneConfig, {
        PORT: 'http',
        RETENTION_DAYS: '1',
        LOG_LEVEL: 'loud',
        ALLOW_PRIVATE_CIDRS: '10.0.0.0/8, 10.0.0.0/33',
        KAFKA_BROKERS: 'kafka',
        RATE_LIMIT_PER_SECOND: '0',
      }),
    ).toEqual([
      {
        name: 'LOG_LEVEL',
        message: '"loud" is not valid. Set one of fatal, error, warn, info, debug, trace, silent.',
      },
      { name: 'PORT', message: '"http" is not valid. Set a whole number from 0 to 65535.' },
      {
        name: 'RATE_LIMIT_PER_SECOND',
        message: '"0" is not valid. Set a whole number from 1 to 1000000.',
      },
      {
        name: 'ALLOW_PRIVATE_CIDRS',
        message:
          '"10.0.0.0/8, 10.0.0.0/33" is not valid. Set comma-separated CIDRs such as 10.0.0.0/8,fd00::/8.',
      },
      { name: 'RETENTION_DAYS', message: '"1" is not valid. Set a whole number from 2 to 365.' },
      {
        name: 'KAFKA_BROKERS',
        message: '"kafka" is not valid. Set comma-separated HOST:PORT such as kafka-1:9092,kafka-2:9092.',
      },
    ]);
  });

  it('never repeats a secret', () => {
    const env = {
      ADMIN_KEY: 'hunter2 hunter2 hunter2',
      ENCRYPTION_KEY: `${KEY},hunter2`,
      DATABASE_URL: 'mysql://u:hunter2@db/x',
    };
    const faults = faultsOf(loadStandaloneConfig, env);
    expect(faults.map(({ name }) => name)).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY', 'ADMIN_KEY']);
    expect(JSON.stringify(faults)).not.toContain('hunter2');
    expect(faults[1]?.message).toContain('Key 2 of the list');
  });

  it.each(['fifteen-letters', 'x'.repeat(257), 'sixteen letters !', 'sechzehn-zeichen-ä'])(
    'refuses the admin key %p',
    (ADMIN_KEY) => {
      expect(faultsOf(loadStandaloneConfig, { ADMIN_KEY })).toHaveLength(1);
    },
  );

  it('reads a list of encryption keys in order', () => {
    const { encryptionKeys } = loadStandaloneConfig({ ENCRYPTION_KEY: `${KEY}, ${OTHER_KEY}` });
    expect(encryptionKeys).toEqual([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
  });

  it('is frozen, lists included', () => {
    const config = loadStandaloneConfig({ ENCRYPTION_KEY: KEY });
    for (const part of [config, config.log, config.listen, config.allowPrivateCidrs, config.encryptionKeys]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('reads a list of name servers, with ports or without', () => {
    const { dnsServers } = loadStandaloneConfig({
      DNS_SERVERS: '10.0.0.2, 10.0.0.3:5353,fd00::2,[fd00::3]:65535',
    });
    expect(dnsServers).toEqual(['10.0.0.2', '10.0.0.3:5353', 'fd00::2', '[fd00::3]:65535']);
  });

  it.each([
    'dns.example',
    '10.0.0.2:0',
    '10.0.0.2:65536',
    '10.0.0.256',
    '[10.0.0.2]:53',
    'fd00::2]:53',
    'fe80::2%eth0',
    ',',
    '10.0.0.2;10.0.0.3',
  ])('refuses the name servers %p', (DNS_SERVERS) => {
    expect(faultsOf(loadStandaloneConfig, { DNS_SERVERS })).toEqual([
      { name: 'DNS_SERVERS', message: expect.stringContaining('10.0.0.3:5353,[fd00::2]:53') },
    ]);
  });

  it('refuses an OPS_PORT that is PORT', () => {
    expect(faultsOf(loadStandaloneConfig, { OPS_PORT: '8080' })).toEqual([
      { name: 'OPS_PORT', message: '8080 is PORT too. Set another port, or remove it.' },
    ]);
    expect(loadStandaloneConfig({ OPS_PORT: '9090' }).listen.opsPort).toBe(9090);
  });
});

describe('the configurations of single processes', () => {
  it.each([
    ['ingest', loadIngestConfig],
    ['worker', loadWorkerConfig],
    ['admin', loadAdminConfig],
  ])('%s needs a database, an encryption key and Kafka, and says so of each', (_, load) => {
    expect(faultsOf(load, {}).map(({ name }) => name)).toEqual([
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'KAFKA_BROKERS',
    ]);
    expect(load({ ...STORAGE, ...BROKERS })).toMatchObject({
      databaseUrl: STORAGE.DATABASE_URL,
      encryptionKeys: [Buffer.alloc(32, 1)],
      kafka: { brokers: ['kafka-1:9092', 'kafka-2:9092'] },
    });
  });

  it('migrate needs a database and nothing else', () => {
    expect(faultsOf(loadMigrateConfig, { KAFKA_BROKERS: 'k:9092' }).map(({ name }) => name)).toEqual([
      'DATABASE_URL',
    ]);
    expect(loadMigrateConfig(STORAGE).databaseUrl).toBe(STORAGE.DATABASE_URL);
  });
});

describe('the settings of Kafka', () => {
  it('are its brokers and otherwise what they are by default', () => {
    expect(loadStandaloneConfig(BROKERS).kafka).toEqual({
      brokers: ['kafka-1:9092', 'kafka-2:9092'],
      topicPrefix: 'entrega.',
      sasl: null,
      ssl: null,
      partitions: 16,
      replication: null,
    });
  });

  it('say how to log in, and with which certificates', () => {
    const { kafka } = loadStandaloneConfig({
      ...BROKERS,
      KAFKA_TOPIC_PREFIX: 'acme_1.',
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: 'entrega',
      KAFKA_SASL_PASSWORD: 'hunter2',
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA: PEM,
      KAFKA_SSL_CERT: PEM,
      KAFKA_SSL_KEY: PEM_KEY,
      KAFKA_PARTITIONS: '32',
      KAFKA_REPLICATION: '3',
    });
    expect(kafka).toEqual({
      brokers: ['kafka-1:9092', 'kafka-2:9092'],
      topicPrefix: 'acme_1.',
      sasl: { mechanism: 'scram-sha-512', username: 'entrega', password: 'hunter2' },
      ssl: { ca: PEM, cert: PEM, key: PEM_KEY },
      partitions: 32,
      replication: 3,
    });
  });

  it.each([
    ['a broker without its port', { KAFKA_BROKERS: 'kafka-1,kafka-2:9092' }, ['KAFKA_BROKERS']],
    ['brokers that are none', { KAFKA_BROKERS: ',' }, ['KAFKA_BROKERS']],
    ['a prefix that no topic may have', { ...BROKERS, KAFKA_TOPIC_PREFIX: 'a/b' }, ['KAFKA_TOPIC_PREFIX']],
    ['a mechanism that is none', { ...BROKERS, KAFKA_SASL_MECHANISM: 'gssapi' }, ['KAFKA_SASL_MECHANISM']],
    [
      'a user without password and mechanism',
      { ...BROKERS, KAFKA_SASL_USERNAME: 'u' },
      ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD'],
    ],
    [
      'a certificate without its key',
      { ...BROKERS, KAFKA_SSL: 'true', KAFKA_SSL_CERT: PEM },
      ['KAFKA_SSL_KEY'],
    ],
    ['an authority that nobody asks', { ...BROKERS, KAFKA_SSL_CA: PEM }, ['KAFKA_SSL_CA']],
    [
      'a key in place of a certificate',
      { ...BROKERS, KAFKA_SSL: 'true', KAFKA_SSL_CA: PEM_KEY },
      ['KAFKA_SSL_CA'],
    ],
    [
      'what nobody reads without brokers',
      { KAFKA_SSL: 'true', KAFKA_PARTITIONS: '3' },
      ['KAFKA_SSL', 'KAFKA_PARTITIONS'],
    ],
  ])('refuse %s', (_, env, names) => {
    expect(faultsOf(loadStandaloneConfig, env).map(({ name }) => name)).toEqual(names);
  });

  it('never repeat a password or a key', () => {
    const faults = [
      { ...BROKERS, KAFKA_SASL_PASSWORD: 'hunter2', KAFKA_SSL_KEY: 'hunter2' },
      { KAFKA_BROKERS: 'entrega:hunter2@kafka-1:9092' },
    ].map((env) => faultsOf(loadStandaloneConfig, env));
    expect(faults.every(({ length }) => length > 0)).toBe(true);
    expect(JSON.stringify(faults)).not.toContain('hunter2');
  });
});

describe('secrets from files', () => {
  it('reads NAME_FILE without its line end, and says what is wrong with a file that it cannot read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'entrega-config-'));
    try {
      const path = join(folder, 'key');
      await writeFile(path, `${KEY}\n`);
      expect(loadStandaloneConfig({ ENCRYPTION_KEY_FILE: path }).encryptionKeys).toEqual([
        Buffer.alloc(32, 1),
      ]);
      expect(faultsOf(loadStandaloneConfig, { ENCRYPTION_KEY_FILE: path, ENCRYPTION_KEY: KEY })).toEqual([
        {
          name: 'ENCRYPTION_KEY_FILE',
          message: 'Both ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are set. Remove one.',
        },
      ]);
      const [fault] = faultsOf(loadStandaloneConfig, { ADMIN_KEY_FILE: join(folder, 'none') });
      expect(fault).toMatchObject({ name: 'ADMIN_KEY_FILE', message: expect.stringContaining('ENOENT') });
      const [misplaced] = faultsOf(loadStandaloneConfig, { ADMIN_KEY_FILE: 'the-key-and-no-path' });
      expect(misplaced!.message).not.toContain('the-key-and-no-path');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('presentEncryptionKeys', () => {
  const ofFile = (text: string | null) => async (path: string) =>
    path === '/data/encryption.key' ? text : null;
  const unset = { dataDir: '/data', encryptionKeys: null };

  it('are those that are set, else those that the file in DATA_DIR lists', async () => {
    const set = { dataDir: '/data', encryptionKeys: [Buffer.alloc(32)] };
    expect(await presentEncryptionKeys(set, ofFile(KEY))).toBe(set.encryptionKeys);
    expect(await presentEncryptionKeys(unset, ofFile(`${OTHER_KEY},${KEY}`))).toEqual([
      Buffer.alloc(32, 2),
      Buffer.alloc(32, 1),
    ]);
  });

  it('are asked for where there are none, and never generated', async () => {
    await expect(presentEncryptionKeys(unset, ofFile(null))).rejects.toThrow('ENCRYPTION_KEY');
    await expect(presentEncryptionKeys(unset, ofFile('half a key'))).rejects.toThrow('/data/encryption.key');
  });
});

describe('tracing', () => {
  const TO_COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
  const tracingOf = (env: Environment) => loadStandaloneConfig(env).tracing;

  it('is by the standard defaults of OpenTelemetry once there is where to send spans to', () => {
    expect(tracingOf(TO_COLLECTOR)).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      timeoutMs: 10_000,
      serviceName: null,
      resourceAttributes: {},
      sampler: { share: 1, asksParent: true },
      batch: { delayMs: 5_000, exportTimeoutMs: 30_000, maxQueueSize: 2_048, maxExportBatchSize: 512 },
    });
    const exact = { ...TO_COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
    expect(tracingOf(exact)?.url).toBe('https://traces.example/in');
  });

  it('is off without an endpoint, with OTEL_SDK_DISABLED, and with the exporter none', () => {
    expect(tracingOf({ OTEL_SERVICE_NAME: 'webhooks', OTEL_TRACES_EXPORTER: 'otlp' })).toBeNull();
    expect(tracingOf({ ...TO_COLLECTOR, OTEL_SDK_DISABLED: 'TRUE' })).toBeNull();
    expect(tracingOf({ ...TO_COLLECTOR, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(tracingOf({ ...TO_COLLECTOR, OTEL_SDK_DISABLED: 'false' })).not.toBeNull();
  });

  it('decodes headers and attributes, and takes headers from a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'entrega-config-'));
    try {
      const file = join(directory, 'headers');
      await writeFile(file, 'authorization=Basic dXNlcjpwYXNz==,x-tenant=a%2Cb\n');
      const tracing = tracingOf({
        ...TO_COLLECTOR,
        OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod, team=a%20b',
      });
      expect(tracing?.headers).toEqual({ authorization: 'Basic dXNlcjpwYXNz==', 'x-tenant': 'a,b' });
      expect(tracing?.resourceAttributes).toEqual({ 'deployment.environment.name': 'prod', team: 'a b' });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it.each([
    ['always_on', { share: 1, asksParent: false }],
    ['always_off', { share: 0, asksParent: false }],
    ['traceidratio', { share: 0.25, asksParent: false }],
    ['parentbased_always_on', { share: 1, asksParent: true }],
    ['parentbased_always_off', { share: 0, asksParent: true }],
    ['parentbased_traceidratio', { share: 0.25, asksParent: true }],
  ])('samples by OTEL_TRACES_SAMPLER=%s', (name, sampler) => {
    const env = { ...TO_COLLECTOR, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(tracingOf(env)?.sampler).toEqual(sampler);
  });

  it('refuses what it would not do, naming all of it, and never the headers', () => {
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'secret-without-a-name',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    const faults = faultsOf(loadWorkerConfig, { ...STORAGE, ...BROKERS, ...wrong });
    expect(faults.map(({ name }) => name)).toEqual(Object.keys(wrong));
    expect(JSON.stringify(faults)).not.toContain('secret-without-a-name');
    const unlike = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_BSP_MAX_QUEUE_SIZE: '100' };
    expect(faultsOf(loadWorkerConfig, { ...STORAGE, ...BROKERS, ...unlike })).toEqual([]);
    expect(
      faultsOf(loadWorkerConfig, { ...STORAGE, ...BROKERS, ...TO_COLLECTOR, ...unlike }).map(
        ({ name }) => name,
      ),
    ).toEqual(['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE']);
  });
});

describe('the operator URL', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

  it('comes with its secret, decoded, or without one', () => {
    const env = { ...STORAGE, ...BROKERS, OPERATOR_URL: 'https://on-call.example/in?room=7' };
    expect(loadWorkerConfig(env).operatorUrl).toEqual({ url: env.OPERATOR_URL, secret: null });
    expect(loadWorkerConfig({ ...env, OPERATOR_URL_SECRET: SECRET }).operatorUrl).toEqual({
      url: env.OPERATOR_URL,
      secret: Buffer.alloc(32, 7),
    });
  });

  it.each([
    ['a password in the URL', { OPERATOR_URL: 'https://me:hunter2@on-call.example' }, ['OPERATOR_URL']],
    ['a URL that is none', { OPERATOR_URL: 'on-call.example/hunter2' }, ['OPERATOR_URL']],
    [
      'a secret without its prefix',
      { OPERATOR_URL: 'https://o.example', OPERATOR_URL_SECRET: 'hunter2' },
      ['OPERATOR_URL_SECRET'],
    ],
    [
      'a short secret',
      { OPERATOR_URL: 'https://o.example', OPERATOR_URL_SECRET: 'whsec_aHVudGVyMg==' },
      ['OPERATOR_URL_SECRET'],
    ],
    ['a secret that nothing reads', { OPERATOR_URL_SECRET: SECRET }, ['OPERATOR_URL_SECRET']],
  ])('is refused with %s, which is not repeated', (_, env, names) => {
    const faults = faultsOf(loadStandaloneConfig, env);
    expect(faults.map(({ name }) => name)).toEqual(names);
    expect(JSON.stringify(faults)).not.toMatch(/hunter2|aHVudGVy|BwcHBw/);
  });
});

describe('standaloneKeys', () => {
  it('generates what is not set, and finds the same again', async () => {
    const files = new Map<string, string>();
    const readOrCreate = async (path: string, generate: () => string) => {
      if (!files.has(path)) files.set(path, generate());
      return files.get(path)!;
    };
    const config = { adminKey: null, encryptionKeys: null };
    const first = await standaloneKeys(config, '/data', readOrCreate);
    expect([...files.keys()]).toEqual(['/data/admin.key', '/data/encryption.key']);
    expect(first.adminKeyFile).toBe('/data/admin.key');
    expect(first.encryptionKeys[0]).toHaveLength(32);
    expect(await standaloneKeys(config, '/data', readOrCreate)).toEqual(first);
    expect(loadStandaloneConfig({ ADMIN_KEY: first.adminKey }).adminKey).toBe(first.adminKey);
  });

  it('touches no file where both are set, and names a file that holds no key', async () => {
    const none = () => Promise.reject(new Error('a file was touched'));
    const set = { adminKey: 'a'.repeat(16), encryptionKeys: [Buffer.alloc(32)] };
    expect(await standaloneKeys(set, '/data', none)).toEqual({ ...set, adminKeyFile: null });
    const damaged = standaloneKeys({ ...set, encryptionKeys: null }, '/data', async () => 'half a key');
    await expect(damaged).rejects.toThrow('/data/encryption.key');
  });
});
