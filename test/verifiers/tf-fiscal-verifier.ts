import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A receiver of TF Fiscal webhooks as its documentation tells one to be, and stricter. It shares no code with
 * the sender, so that one misreading of the contract cannot hide in both.
 */
export interface ReceivedDelivery {
  /** As `request.rawHeaders`: name, value, name, value …, in the casing that came over the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Expectation {
  readonly appSecret: string;
  readonly token: string;
  readonly now: Date;
  /** Seconds that the timestamp may differ from `now`, either way. */
  readonly toleranceSeconds?: number;
}

/** What is wrong with a delivery, one line per fault; empty when a receiver would accept it. */
export function faultsOfTfFiscalDelivery(
  received: ReceivedDelivery,
  expected: Expectation,
): readonly string[] {
  const faults: string[] = [];
  const headers = readHeaders(received.rawHeaders, faults);
  checkHeaders(headers, received.body, expected, faults);
  checkBody(headers, received.body, faults);
  return faults;
}

const OWN_HEADERS = [
  'Content-Type',
  'X-Tffiscal-Event',
  'X-Tffiscal-Event-Id',
  'X-Tffiscal-Delivery-Id',
  'X-Tffiscal-Timestamp',
  'X-Tffiscal-Signature',
  'token',
  'x-token',
];

function readHeaders(rawHeaders: readonly string[], faults: string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const name of OWN_HEADERS) {
    const spellings: string[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() !== name.toLowerCase()) continue;
      spellings.push(rawHeaders[at] ?? '');
      headers.set(name, rawHeaders[at + 1] ?? '');
    }
    if (spellings.length === 0) faults.push(`header ${name} is missing`);
    if (spellings.length > 1) faults.push(`header ${name} comes ${spellings.length} times`);
    if (spellings.some((spelling) => spelling !== name)) {
      faults.push(`header ${name} is spelled ${spellings.join(', ')}`);
    }
  }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (/^x-tffiscal-/i.test(name) && !OWN_HEADERS.some((own) => own.toLowerCase() === name.toLowerCase())) {
      faults.push(`header ${name} is not of the contract`);
    }
  }
  return headers;
}

function checkHeaders(
  headers: ReadonlyMap<string, string>,
  body: Buffer,
  { appSecret, token, now, toleranceSeconds = 300 }: Expectation,
  faults: string[],
): void {
  const contentType = headers.get('Content-Type');
  if (contentType !== 'application/json; charset=utf-8') faults.push(`Content-Type is ${contentType}`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(headers.get('X-Tffiscal-Event-Id') ?? '')) {
    faults.push('the event id is malformed');
  }
  if (!/^[0-9]+$/.test(headers.get('X-Tffiscal-Delivery-Id') ?? ''))
    faults.push('the delivery id is malformed');
  if (headers.get('token') !== token) faults.push('token is not the registered one');
  if (headers.get('x-token') !== token) faults.push('x-token is not the registered one');

  const timestamp = headers.get('X-Tffiscal-Timestamp') ?? '';
  if (!/^[0-9]{10}$/.test(timestamp)) {
    faults.push(`timestamp ${timestamp} is not in Unix seconds`);
  } else if (Math.abs(Number(timestamp) - now.getTime() / 1000) > toleranceSeconds) {
    faults.push(`timestamp ${timestamp} is more than ${toleranceSeconds} s from now`);
  }

  const signature = headers.get('X-Tffiscal-Signature') ?? '';
  const signed = Buffer.concat([Buffer.from(timestamp + '.', 'utf8'), body]);
  const expected = createHmac('sha256', Buffer.from(appSecret, 'utf8')).update(signed).digest('hex');
  if (!/^[0-9a-f]{64}$/.test(signature)) {
    faults.push('the signature is not 64 lowercase hexadecimal digits');
  } else if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) {
    faults.push('the signature does not match');
  }
}

/** Event → status of its result object. Events that are not here come in an envelope. */
const STATUS_OF_RESULT: Readonly<Record<string, string>> = {
  'invoice.authorized': 'Autorizada',
  'invoice.rejected': 'Negada',
  'cte.authorized': 'Autorizada',
  'cte.rejected': 'Negada',
  'cte.canceled': 'Cancelada',
  'dce.authorized': 'Autorizada',
  'dce.rejected': 'Negada',
  'dce.canceled': 'Cancelada',
  'dce.cancel_rejected': 'CancelamentoNegado',
};

/** Event → what its `data` begins with. The test delivery has none; a reserved event is never delivered. */
const DATA_OF_ENVELOPE: Readonly<Record<string, readonly string[]>> = {
  'webhook.verify': [],
  'invoice.canceled': ['invoice_id', 'chave', 'protocolo'],
  'cte.event.registered': ['event_code', 'n_seq', 'protocolo'],
  'invoice.verify.completed': [
    'chaveAcesso',
    'validationStatus',
    'status',
    'cStat',
    'xMotivo',
    'protocolo',
    'dataAutorizacao',
    'eventos',
    'verifiedAt',
  ],
};

function checkBody(headers: ReadonlyMap<string, string>, body: Buffer, faults: string[]): void {
  const text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) return void faults.push('the body is not UTF-8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return void faults.push('the body is not JSON');
  }
  if (!isObject(parsed)) return void faults.push('the body is not a JSON object');
  if (/\s/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '')))
    faults.push('the body has whitespace between tokens');

  const event = headers.get('X-Tffiscal-Event') ?? '';
  const status = STATUS_OF_RESULT[event];
  const dataNames = DATA_OF_ENVELOPE[event];
  if (status !== undefined) checkResultObject(event, status, parsed, faults);
  else if (dataNames) checkEnvelope(event, headers.get('X-Tffiscal-Event-Id'), dataNames, parsed, faults);
  else faults.push(`event ${event} is never delivered`);
}

function checkResultObject(event: string, status: string, body: JsonMap, faults: string[]): void {
  const [tipo, prefix, pdf] = event.startsWith('invoice.')
    ? ['NF-e', 'nfe', 'Danfe']
    : event.startsWith('cte.')
      ? ['CT-e', 'cte', 'Dacte']
      : ['DC-e', 'dce', 'Dace'];
  const suffixes = [
    'Id',
    'Status',
    'MotivoStatus',
    `Link${pdf}`,
    'LinkXml',
    'Numero',
    'Serie',
    'ChaveAcesso',
  ];
  suffixes.push('DataEmissao', 'DataAutorizacao', 'NumeroProtocolo', 'DigestValue');
  const names = ['tipo', 'empresaId', ...suffixes.map((suffix) => prefix + suffix)];
  if (Object.keys(body).join() !== names.join()) {
    faults.push(`the fields are ${Object.keys(body).join()} and not ${names.join()}`);
  }
  if (body['tipo'] !== tipo) faults.push(`tipo is ${JSON.stringify(body['tipo'])} in ${event}`);
  if (body[`${prefix}Status`] !== status)
    faults.push(`the status is ${JSON.stringify(body[`${prefix}Status`])} in ${event}`);
  for (const name of names) {
    const value = body[name];
    const always = ['empresaId', `${prefix}Id`, `${prefix}DataEmissao`].includes(name);
    const empty = tipo === 'NF-e' ? '' : null;
    if (value === empty && !always) continue;
    if (typeof value !== 'string' || value === '') faults.push(`${name} is ${JSON.stringify(value)}`);
    else if (/Data(Emissao|Autorizacao)$/.test(name) && !UTC_TIME.test(value))
      faults.push(`${name} is no UTC time`);
  }
}

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

function checkEnvelope(
  event: string,
  eventId: string | undefined,
  dataNames: readonly string[],
  body: JsonMap,
  faults: string[],
): void {
  const names = 'version,event_id,event_type,occurred_at,data';
  if (Object.keys(body).join() !== names) faults.push(`the envelope holds ${Object.keys(body).join()}`);
  if (body['version'] !== '1.0') faults.push(`version is ${JSON.stringify(body['version'])}`);
  if (body['event_id'] !== eventId) faults.push('event_id is not X-Tffiscal-Event-Id');
  if (body['event_type'] !== event) faults.push('event_type is not X-Tffiscal-Event');
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(String(body['occurred_at']))) {
    faults.push('occurred_at is no UTC time in seconds');
  }
  const data = body['data'];
  if (!isObject(data)) return void faults.push('data is not an object');
  // Keys like "10" come first in any parsed object, wherever they stood in the text.
  const keys = Object.keys(data).filter((key) => !/^\d+$/.test(key));
  if (keys.slice(0, dataNames.length).join() !== dataNames.join()) {
    faults.push(`data begins with ${keys.join()} and not with ${dataNames.join()}`);
  }
  if (event === 'webhook.verify' && Object.keys(data).length > 0) faults.push('the test delivery has data');
  if (/Description"\s*:/.test(JSON.stringify(data))) faults.push('data has a Description field');
  if (event === 'invoice.verify.completed') checkVerdict(data, faults);
  else if (dataNames.some((name) => typeof data[name] !== 'string'))
    faults.push('a field of data is not a string');
}

function checkVerdict(data: JsonMap, faults: string[]): void {
  if (!/^[0-9A-Z]{44}$/.test(String(data['chaveAcesso']))) faults.push('chaveAcesso is no access key');
  const verdict = String(data['validationStatus']);
  if (!['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'].includes(verdict))
    faults.push(`the verdict is ${verdict}`);
  const statuses = ['Autorizada', 'Cancelada', 'Denegada', 'Inutilizada', 'NaoEncontrada', 'Desconhecida'];
  if (!statuses.includes(String(data['status'])))
    faults.push(`the fiscal status is ${String(data['status'])}`);
  for (const name of ['cStat', 'xMotivo', 'dataAutorizacao']) {
    const value = data[name];
    if (value !== null && (typeof value !== 'string' || value === ''))
      faults.push(`${name} is ${JSON.stringify(value)}`);
  }
  const protocol = data['protocolo'];
  if (protocol !== null && !(isObject(protocol) && typeof protocol['numero'] === 'string')) {
    faults.push('protocolo is neither null nor an object with numero');
  }
  if (!Array.isArray(data['eventos'])) faults.push('eventos is no array');
  if (!UTC_TIME.test(String(data['verifiedAt']))) faults.push('verifiedAt is no UTC time');
  if ((verdict === 'VALIDATED') === 'reason' in data) faults.push(`reason does not go with ${verdict}`);
}

type JsonMap = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
