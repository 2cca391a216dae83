import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';

/** One environment variable: how its text is read, and what the reference says of it. */
export interface Setting<Value = unknown> {
  /** Reads the text. Its messages say what to set instead and never repeat the text. */
  readonly schema: z.ZodType<Value, string>;
  /** The text that stands for an absent one. */
  readonly default?: string;
  /** A secret is never shown, and may come from a file: `NAME_FILE`. */
  readonly secret?: true;
  /** One sentence for the reference and `.env.example`. */
  readonly about: string;
  /** What happens without it, where no default text says so. */
  readonly otherwise?: string;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const LOG_FORMATS = ['json', 'pretty'] as const;
const TRACES_EXPORTERS = ['otlp', 'none'] as const;
const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Every setting, in the order of the reference. */
export const SETTINGS = {
  PORT: {
    schema: wholeNumber(0, 65_535),
    default: '8080',
    about: 'The port to listen on; 0 takes any that is free.',
  },
  HOST: {
    schema: z.string().regex(/^\S+$/, 'Set an address of this machine such as 127.0.0.1 or 0.0.0.0.'),
    default: '127.0.0.1',
    about: 'The address to listen on. 0.0.0.0 lets other machines in.',
  },
  OPS_PORT: {
    schema: wholeNumber(0, 65_535),
    about: 'Moves /healthz, /readyz and /metrics to a port of their own.',
    otherwise: 'they are on PORT',
  },
  DATA_DIR: {
    schema: z.string(),
    default: './.entrega',
    about: 'Where `npm start` keeps its database and the keys that it generates (mode 700).',
  },
  DATABASE_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\/\S+$/, 'Set postgresql://USER:PASSWORD@HOST:PORT/DATABASE.'),
    secret: true,
    about: 'The PostgreSQL database to use.',
    otherwise: '`npm start` runs its own; every other process needs it',
  },
  ADMIN_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{16,256}$/, 'Set 16 to 256 visible ASCII characters, no spaces.'),
    secret: true,
    about: 'An API key with the role admin, from which all other keys are made.',
    otherwise: '`npm start` generates one into `DATA_DIR/admin.key`; elsewhere only stored keys work',
  },
  RATE_LIMIT_PER_SECOND: {
    schema: wholeNumber(1, 1_000_000),
    about:
      'How many requests an API key may make per second, in each process; a key may have a limit of its own, and ADMIN_KEY has none.',
    otherwise: 'only keys with a limit of their own have one',
  },
  ENCRYPTION_KEY: {
    schema: encryptionKeys(),
    secret: true,
    about:
      'Encrypts secrets at rest: 32 bytes as base64. Of a comma-separated list the first encrypts and all decrypt, so that keys can be changed.',
    otherwise: '`npm start` generates one into `DATA_DIR/encryption.key`; every other process needs it',
  },
  ALLOW_PRIVATE_CIDRS: {
    schema: cidrs(),
    default: '',
    about:
      'Private networks that webhooks may be sent to, as comma-separated CIDRs (`127.0.0.0/8` to try things out).',
  },
  DNS_SERVERS: {
    schema: nameServers(),
    about:
      'The name servers that are asked for the hosts of webhooks, as comma-separated ADDRESS or ADDRESS:PORT. /etc/hosts comes first.',
    otherwise: 'those of the system',
  },
  RETENTION_DAYS: {
    schema: wholeNumber(2, 365),
    default: '30',
    about: 'How many days events, deliveries and attempts are kept, and an event id is remembered.',
  },
  MAX_ENDPOINTS_PER_APPLICATION: {
    schema: wholeNumber(1, 100_000),
    default: '1000',
    about: 'How many endpoints an application may have that are not revoked.',
  },
  WORKER_CONCURRENCY: {
    schema: wholeNumber(1, 10_000),
    default: '512',
    about: 'How many attempts one worker makes at the same time.',
  },
  OPERATOR_URL: {
    schema: operatorUrl(),
    secret: true,
    about:
      'Where operator events are POSTed: endpoints disabled and restored, dead deliveries, growing backlogs. A private address must be in ALLOW_PRIVATE_CIDRS.',
    otherwise: 'they go to their Kafka topic, or to the log where there is no Kafka',
  },
  OPERATOR_URL_SECRET: {
    schema: operatorUrlSecret(),
    secret: true,
    about:
      'Signs what is POSTed to OPERATOR_URL, as Standard Webhooks do: `whsec_` and 24 to 64 bytes as base64.',
    otherwise: 'it is not signed',
  },
  KAFKA_BROKERS: {
    schema: brokers(),
    about: 'The Kafka brokers to begin with, as comma-separated HOST:PORT.',
    otherwise: '`npm start` needs no Kafka; every other process needs it',
  },
  KAFKA_TOPIC_PREFIX: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,100}$/, 'Set up to 100 letters, digits, dots, dashes or underscores.'),
    default: 'entrega.',
    about: 'What the names of all topics and consumer groups begin with.',
  },
  KAFKA_SASL_MECHANISM: {
    schema: z.preprocess(
      (text) => String(text).toLowerCase(),
      z.enum(SASL_MECHANISMS, { error: `Set one of ${SASL_MECHANISMS.join(', ')}.` }),
    ),
    about: `How to log in to Kafka: ${SASL_MECHANISMS.join(', ')}.`,
    otherwise: 'without logging in',
  },
  KAFKA_SASL_USERNAME: {
    schema: z.string(),
    about: 'Who logs in to Kafka.',
  },
  KAFKA_SASL_PASSWORD: {
    schema: z.string(),
    secret: true,
    about: 'The password for that.',
  },
  KAFKA_SSL: {
    schema: z.enum(['true', 'false'], { error: 'Set true or false.' }).transform((text) => text === 'true'),
    default: 'false',
    about: 'Whether to speak TLS with Kafka.',
  },
  KAFKA_SSL_CA: {
    schema: pem('CERTIFICATE'),
    secret: true,
    about: "The authority that signed the brokers' certificates, as PEM.",
    otherwise: 'whom the system trusts',
  },
  KAFKA_SSL_CERT: {
    schema: pem('CERTIFICATE'),
    secret: true,
    about: 'The certificate to show to the brokers, as PEM.',
  },
  KAFKA_SSL_KEY: {
    schema: pem('PRIVATE KEY'),
    secret: true,
    about: 'Its private key, as PEM.',
  },
  KAFKA_PARTITIONS: {
    schema: wholeNumber(1, 10_000),
    default: '16',
    about: 'How many partitions a topic gets that is created. No more workers than that share the work.',
  },
  KAFKA_REPLICATION: {
    schema: wholeNumber(1, 100),
    about: 'On how many brokers a topic is kept that is created.',
    otherwise: 'as the brokers are set (default.replication.factor)',
  },
  BUILD_REVISION: {
    schema: z
      .string()
      .regex(/^[\w.+/-]{1,100}$/, 'Set up to 100 letters, digits and . + / _ - such as a commit id.'),
    default: 'unknown',
    about: 'The source revision that this was built from, as metrics show it.',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, { error: `Set one of ${LOG_LEVELS.join(', ')}.` }),
    default: 'info',
    about: `What is logged: ${LOG_LEVELS.join(', ')}.`,
  },
  LOG_FORMAT: {
    schema: z.enum(LOG_FORMATS, { error: `Set one of ${LOG_FORMATS.join(', ')}.` }),
    about: 'How it is logged: json for machines, pretty for people.',
    otherwise: 'pretty on a terminal, else json',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpUrl(),
    about:
      'Where traces are sent: the collector that takes OTLP over HTTP, such as http://collector:4318; /v1/traces is added. Compression and certificates are set by the standard variables of OpenTelemetry too.',
    otherwise: 'nothing is traced',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: httpUrl(),
    about: 'The same as a whole URL, to which nothing is added.',
    otherwise: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.string(),
    default: 'http/protobuf',
    about: 'How traces are sent: http/protobuf, and no other way.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: keyValueList(),
    secret: true,
    about: 'Headers that are sent with them, as comma-separated NAME=VALUE, percent-encoded.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    schema: wholeNumber(1, 600_000),
    default: '10000',
    about: 'Milliseconds that sending a batch of spans may take, tries again included.',
  },
  OTEL_SDK_DISABLED: {
    schema: z.preprocess(
      (text) => String(text).toLowerCase(),
      z.enum(['true', 'false'], { error: 'Set true or false.' }).transform((text) => text === 'true'),
    ),
    default: 'false',
    about: 'Whether to trace nothing, whatever else is set.',
  },
  OTEL_TRACES_EXPORTER: {
    schema: z.enum(TRACES_EXPORTERS, { error: `Set one of ${TRACES_EXPORTERS.join(', ')}.` }),
    default: 'otlp',
    about: 'otlp, or none to trace nothing.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string(),
    about: 'What the process is called in traces.',
    otherwise: 'entrega- and its role',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: keyValueList(),
    about: 'What else is said of the process in traces, as comma-separated NAME=VALUE, percent-encoded.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(TRACES_SAMPLERS, { error: `Set one of ${TRACES_SAMPLERS.join(', ')}.` }),
    default: 'parentbased_always_on',
    about: `Which traces are kept: ${TRACES_SAMPLERS.join(', ')}.`,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'Set a number from 0 to 1.')
      .transform(Number),
    default: '1',
    about: 'The share that the samplers with traceidratio keep, from 0 to 1.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    schema: wholeNumber(1, 600_000),
    default: '5000',
    about: 'Milliseconds after which spans are sent, though they do not fill a batch.',
  },
  OTEL_BSP_EXPORT_TIMEOUT: {
    schema: wholeNumber(1, 600_000),
    default: '30000',
    about: 'Milliseconds after which a batch is given up, whatever becomes of its sending.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    schema: wholeNumber(1, 1_000_000),
    default: '2048',
    about: 'How many spans wait to be sent; more are dropped.',
  },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: {
    schema: wholeNumber(1, 1_000_000),
    default: '512',
    about: 'How many spans are sent at once.',
  },
  ENTREGA_URL: {
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s?#@]+$/, 'Set a URL such as https://entrega.example, without user or query.'),
    default: 'http://127.0.0.1:8080',
    about: 'Where the command line finds the API.',
  },
  ENTREGA_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]+$/, 'Set an API key: visible ASCII characters, no spaces.'),
    secret: true,
    about: 'The API key that the command line calls with.',
    otherwise: 'it says where to get one',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type SettingValue<Name extends SettingName> = z.output<(typeof SETTINGS)[Name]['schema']>;

function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const cure = `Set a whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, cure)
    .transform(Number)
    .pipe(z.int().min(min, cure).max(max, cure));
}

function brokers(): z.ZodType<readonly string[], string> {
  const broker = /^(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/;
  return z.string().transform((text, context) => {
    const parts = list(text);
    if (parts.length > 0 && parts.every((part) => broker.test(part))) return Object.freeze(parts);
    context.addIssue({
      code: 'custom',
      message: 'Set comma-separated HOST:PORT such as kafka-1:9092,kafka-2:9092.',
    });
    return z.NEVER;
  });
}

function httpUrl(): z.ZodType<string, string> {
  return z.string().refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), {
    error: 'Set an http or https URL such as http://collector:4318.',
  });
}

function keyValueList(): z.ZodType<Readonly<Record<string, string>>, string> {
  return z.string().transform((text, context) => {
    try {
      const pairs = list(text).map((part) => {
        const [, key, value] = /^([^=]+)=(.*)$/s.exec(part)!;
        return [decodeURIComponent(key!.trim()), decodeURIComponent(value!.trim())] as const;
      });
      return Object.freeze(Object.fromEntries(pairs));
    } catch {
      context.addIssue({
        code: 'custom',
        message: 'Set comma-separated NAME=VALUE such as team=payments,site=a, with %2C for a comma.',
      });
      return z.NEVER;
    }
  });
}

function pem(type: string): z.ZodType<string, string> {
  const begin = new RegExp(`-----BEGIN [A-Z ]*${type}-----`);
  return z.string().regex(begin, `It holds no PEM text that begins with -----BEGIN ${type}-----.`);
}

function encryptionKeys(): z.ZodType<readonly Buffer[], string> {
  const base64Of32Bytes = /^[A-Za-z0-9+/]{43}=$/;
  return z.string().transform((text, context) => {
    const parts = list(text);
    const wrong = parts.findIndex((part) => !base64Of32Bytes.test(part));
    if (parts.length > 0 && wrong === -1)
      return Object.freeze(parts.map((part) => Buffer.from(part, 'base64')));
    context.addIssue({
      code: 'custom',
      message:
        `${parts.length > 1 ? `Key ${wrong + 1} of the list` : 'The key'} is not 32 bytes in base64 (44 characters). ` +
        'Make one with: openssl rand -base64 32',
    });
    return z.NEVER;
  });
}

function operatorUrl(): z.ZodType<string, string> {
  const isFit = (text: string) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  };
  return z.string().refine(isFit, 'Set an http or https URL without a user or password in it.');
}

function operatorUrlSecret(): z.ZodType<Buffer, string> {
  const cure =
    'Set whsec_ and 24 to 64 bytes as base64. Make one with: echo "whsec_$(openssl rand -base64 32)"';
  return z
    .string()
    .regex(/^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, cure)
    .transform((text) => Buffer.from(text.slice('whsec_'.length), 'base64'))
    .refine(({ length }) => length >= 24 && length <= 64, cure);
}

function cidrs(): z.ZodType<readonly string[], string> {
  const cidr = z.union([z.cidrv4(), z.cidrv6()]);
  return z.string().transform((text, context) => {
    const parts = list(text);
    const wrong = parts.find((part) => !cidr.safeParse(part).success);
    if (wrong === undefined) return Object.freeze(parts);
    context.addIssue({ code: 'custom', message: 'Set comma-separated CIDRs such as 10.0.0.0/8,fd00::/8.' });
    return z.NEVER;
  });
}

function nameServers(): z.ZodType<readonly string[], string> {
  return z.string().transform((text, context) => {
    const parts = list(text);
    if (parts.length > 0 && parts.every(isNameServer)) return Object.freeze(parts);
    context.addIssue({
      code: 'custom',
      message:
        'Set comma-separated addresses, with a port where it is not 53: 10.0.0.2,10.0.0.3:5353,[fd00::2]:53.',
    });
    return z.NEVER;
  });
}

function isNameServer(text: string): boolean {
  // A zone would be dropped in silence.
  if (text.includes('%')) return false;
  if (isIPv6(text)) return true;
  const [, ipv6 = '', ipv4 = '', port = '53'] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIPv6(ipv6) || isIPv4(ipv4)) && Number(port) > 0 && Number(port) <= 65_535;
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
