import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '#http/openapi/document.js';
import fc from 'fast-check';
import { type Draw, hostileTexts, hostileValues, jsonText, RawJson, SchemaValues } from './fuzz-values.js';
import type { RawRequest } from './raw-exchange.js';

/** What exists and can be named. It changes while requests are made. */
export type Known = Readonly<
  Record<
    'applications' | 'endpoints' | 'events' | 'deliveries' | 'replays' | 'keys' | 'cursors' | 'secrets',
    readonly string[]
  >
>;

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Every call of the document. */
export function callsOf(document: OpenApiDocument): Call[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

/** Ids by the path that they stand in, for the parameters that are all called `id`. */
const IDS_OF_PATH: readonly (readonly [prefix: string, kind: keyof Known])[] = [
  ['/v1/applications/', 'applications'],
  ['/v1/endpoints/', 'endpoints'],
  ['/v1/deliveries/', 'deliveries'],
  ['/v1/replays/', 'replays'],
  ['/v1/api-keys/', 'keys'],
];

const IDS_OF_NAME: Readonly<Record<string, keyof Known>> = {
  application: 'applications',
  applications: 'applications',
  endpoint: 'endpoints',
  event: 'events',
  ids: 'deliveries',
  cursor: 'cursors',
};

/** Texts that a schema does not describe and a contract or a setting asks for. */
const TEXTS_OF_NAME: Readonly<Record<string, readonly string[]>> = {
  url: [
    'http://127.0.0.1:9/hook',
    'https://example.com/webhooks',
    'http://10.0.0.1/',
    'ftp://x',
    'http://[::1]/',
  ],
  name: ['tf-fiscal', 'cortecloud', 'A name'],
  number: ['1', '2'],
  type: ['cte.event.registered', 'service.status_changed', 'invoice.authorized', 'no.such.type'],
  eventTypes: ['cte.event.registered', 'service.status_changed'],
  token: ['receiver-token-0123456789', 'x'],
  secret: ['whsec-0123456789abcdef0123456789abcdef', 'short'],
  retryWaits: ['20ms', '1m', '15s..30s', '400d'],
  timeout: ['100ms', '15s', '1h'],
  firstAttemptDelay: ['0ms', '1d', '2d'],
  retryAfterCap: ['1h', '-1s'],
  companyInternalCode: ['CENTRAL-01'],
};

/** Seconds for which a request holds up those after it. */
const WAITS = ['0', '0', '0', '1', '31'];

/** Draws one request: mostly a sensible one with something wrong in it, for those get the furthest. */
export function drawRequest(
  draw: Draw,
  call: Call,
  document: OpenApiDocument,
  known: Known,
  adminKey: string,
): RawRequest {
  const textsOf = (name: string) => {
    const ofPath =
      name === 'id' ? IDS_OF_PATH.find(([prefix]) => call.path.startsWith(prefix))?.[1] : undefined;
    const kind = IDS_OF_NAME[name] ?? ofPath;
    const texts = kind ? known[kind] : TEXTS_OF_NAME[name];
    return texts && texts.length > 0 ? texts : null;
  };
  const values = new SchemaValues(draw, document.components.schemas, textsOf);
  const wrong = values.pick([
    'nothing',
    'nothing',
    'nothing',
    'path',
    'query',
    'body',
    'body',
    'body',
    'text',
    'headers',
    'method',
  ]);
  const { parameters = [], requestBody } = call.operation;
  const target =
    pathOf(call, values, wrong === 'path', draw) + queryOf(parameters, values, wrong === 'query', draw);
  const [media] = Object.values(requestBody?.content ?? {});
  const sendsBody = media ? values.chance(0.95) : wrong === 'body' || wrong === 'text';
  let json = '';
  if (sendsBody) {
    const body = media
      ? values.chance(0.3) && media.examples
        ? structuredClone(values.pick(Object.values(media.examples)).value)
        : values.of(media.schema)
      : {};
    json = jsonText(wrong === 'body' ? withFault(body, draw) : body);
    if (wrong === 'text') json = damaged(json, draw);
  }
  const body = sendsBody ? Buffer.from(json) : null;
  return {
    method: wrong === 'method' ? values.pick(METHODS) : call.method,
    target,
    headers: headersOf(body, adminKey, known, values, wrong === 'headers'),
    body,
  };
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'get',
  'X',
];

function pathOf({ path, operation }: Call, values: SchemaValues, wrong: boolean, draw: Draw): string {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const filled = parameters.reduce((filled, { name, schema }) => {
    const value = wrong && values.chance(0.7) ? draw(hostileTexts) : String(values.of(schema, name));
    return filled.replace(`{${name}}`, encoded(value));
  }, path);
  if (!wrong || values.chance(0.5)) return filled;
  return values.pick<(path: string) => string>([
    (text) => `${text}/`,
    (text) => `/${text}`,
    (text) => text.toUpperCase(),
    (text) => text.replace('/v1', '/v1/.'),
    (text) => text.replace('/v1', '/v1/..%2f'),
    (text) => text.replace('/v1', '/v1%00'),
    (text) => `${text}%`,
    (text) => `${text}%ff`,
    (text) => `${text};a=b`,
    (text) => `${text}#fragment`,
    (text) => `http://elsewhere.invalid${text}`,
    (text) => `${text}/${'x'.repeat(300)}`,
    () => '*',
    () => '',
    (text) => text.slice(1),
    (text) => `${text} HTTP/0.9`,
  ])(filled);
}

function queryOf(
  parameters: readonly OpenApiParameter[],
  values: SchemaValues,
  wrong: boolean,
  draw: Draw,
): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .filter(({ required }) => required || values.chance(0.3))
    .map(({ name, schema }) => {
      const value = name === 'wait' ? values.pick(WAITS) : String(values.of(schema, name));
      return `${name}=${encoded(value)}`;
    });
  if (wrong) {
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const name =
      values.chance(0.8) && names.length > 0 ? values.pick(names) : values.pick(['unknown', '__proto__', '']);
    const odd = values.chance(0.6) ? `${name}=${encoded(draw(hostileTexts))}` : null;
    pairs.push(
      odd ??
        values.pick([
          `${name}=a&${name}=b`,
          `${name}[]=a`,
          `${name}=%`,
          `${name}=%FF`,
          name,
          `${name}=${'x'.repeat(3_000)}`,
          `%00=1`,
          '&&&=',
        ]),
    );
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Lone surrogates have no percent-encoding; their bytes, as a careless client would send them, are no UTF-8. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

/** The value with one fault somewhere in it. */
function withFault(value: unknown, draw: Draw): unknown {
  const children =
    typeof value === 'object' && value !== null && !(value instanceof RawJson) ? Object.keys(value) : [];
  const deeper = children.length > 0 && draw(fc.integer({ min: 0, max: 9 })) < 7;
  if (!deeper) return draw(hostileValues);
  const key = draw(fc.constantFrom(...children));
  if (Array.isArray(value)) {
    return value.map((item, index) => (String(index) === key ? withFault(item, draw) : (item as unknown)));
  }
  const members = { ...(value as Record<string, unknown>) };
  switch (draw(fc.constantFrom('in', 'in', 'in', 'without', 'more'))) {
    case 'without':
      delete members[key];
      break;
    case 'more':
      Object.defineProperty(members, draw(hostileTexts), { value: draw(hostileValues), enumerable: true });
      break;
    default:
      members[key] = withFault(members[key], draw);
  }
  return members;
}

/** The text with a fault that makes it another, or none. */
function damaged(json: string, draw: Draw): string {
  const at = draw(fc.integer({ min: 0, max: json.length }));
  return draw(
    fc.constantFrom(
      json.slice(0, at),
      `${json.slice(0, at)}\0${json.slice(at)}`,
      `\ufeff${json}`,
      `${json}${json}`,
      `[${json}`,
      json.replace('{', '{"a":1,"a":2,'),
      json.replace('{', '{"__proto__":{"role":"admin"},'),
      json.replaceAll(':', ':['.repeat(3)),
      `{"data":${'['.repeat(100_000)}`,
      '-',
      '"',
      '{"a":01}',
      '\u2028{}',
    ),
  );
}

function headersOf(
  body: Buffer | null,
  adminKey: string,
  known: Known,
  values: SchemaValues,
  wrong: boolean,
): [string, string][] {
  const key = known.secrets.length > 0 && values.chance(0.3) ? values.pick(known.secrets) : adminKey;
  const headers: [string, string][] = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${key}`],
  ];
  if (body) headers.push(['Content-Type', 'application/json'], ['Content-Length', String(body.length)]);
  if (!wrong) return headers;
  const without = (name: string) => headers.filter(([present]) => present !== name);
  return values.pick<() => [string, string][]>([
    () => without('Authorization'),
    () => [...without('Authorization'), ['Authorization', 'Bearer nobody']],
    () => [...without('Authorization'), ['Authorization', `Basic ${key}`]],
    () => [...headers, ['Authorization', 'Bearer other']],
    () => without('Host'),
    () => [...headers, ['Host', 'other']],
    () => without('Content-Type'),
    () => [...without('Content-Type'), ['Content-Type', 'text/plain']],
    () => [...without('Content-Type'), ['Content-Type', 'application/json; charset=utf-16']],
    () => [...without('Content-Type'), ['Content-Type', 'multipart/form-data; boundary=x']],
    () => [...without('Content-Type'), ['Content-Type', ';;;']],
    () => [...headers, ['Content-Encoding', 'gzip']],
    () => [...without('Content-Length'), ['Content-Length', String((body?.length ?? 0) + 7)]],
    () => [...without('Content-Length'), ['Content-Length', '-1']],
    () => [...without('Content-Length'), ['Content-Length', '99999999999999999999']],
    () => [...without('Content-Length'), ['Content-Length', '6000000']],
    () => [...without('Content-Length'), ['Transfer-Encoding', 'chunked']],
    () => [...headers, ['Transfer-Encoding', 'gzip, chunked']],
    () => [...headers, ['Expect', 'the-unexpected']],
    () => [...headers, ['Upgrade', 'h2c'], ['Connection', 'Upgrade, HTTP2-Settings']],
    () => [...headers, ['X-Request-Id', 'mine'], ['X-Forwarded-For', '\u00ff']],
    () => [...headers, ['X-Long', 'x'.repeat(20_000)]],
    () => [...headers, ['X-HTTP-Method-Override', 'DELETE']],
    () => [...headers, ['Accept', 'text/html'], ['Accept-Version', '9.9.9']],
    () => [...headers, ['Bad Name', 'x']],
    () => [...headers, ['Range', 'bytes=0-0'], ['If-Match', '"x"']],
  ])();
}
