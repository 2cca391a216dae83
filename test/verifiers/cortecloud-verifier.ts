import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A receiver of Cortecloud webhooks in Node as their documentation tells one to be, and stricter. It shares no
 * code with the sender, so that one misreading of the contract cannot hide in both.
 */
export interface ReceivedDelivery {
  /** As `request.rawHeaders`: name, value, name, value …, in the casing that came over the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** What a receiver has configured for one of its URLs. */
export interface ReceiverConfiguration {
  /** The destination URL, exactly as registered. */
  readonly url: string;
  /** The secret of each destination by its api key: one URL may belong to several. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly ownKey?: string | undefined;
}

/** What is wrong with a delivery, one line per fault; empty when a receiver would accept it. */
export function faultsOfCortecloudDelivery(
  received: ReceivedDelivery,
  receiver: ReceiverConfiguration,
): readonly string[] {
  const faults: string[] = [];
  const headers = readHeaders(received.rawHeaders, receiver.ownKey !== undefined, faults);
  checkSignature(headers.get('Authorization') ?? '', received.body, receiver, faults);
  checkBody(headers, received.body, receiver, faults);
  return faults;
}

const ALWAYS = ['Authorization', 'Content-Type', 'X-Webhook-Event', 'X-Webhook-Id', 'X-Webhook-Delivery'];
const CLIENT_TOKEN = 'X-Webhook-Client-Token';

function readHeaders(
  rawHeaders: readonly string[],
  hasOwnKey: boolean,
  faults: string[],
): ReadonlyMap<string, string> {
  const expected = hasOwnKey ? [...ALWAYS, CLIENT_TOKEN] : ALWAYS;
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const own = expected.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
    if (own === undefined) {
      if (/^x-webhook-/i.test(name)) faults.push(`header ${name} does not belong here`);
      continue;
    }
    if (own !== name) faults.push(`header ${own} is spelled ${name}`);
    if (headers.has(own)) faults.push(`header ${own} comes twice`);
    headers.set(own, rawHeaders[at + 1] ?? '');
  }
  for (const name of expected) if (!headers.has(name)) faults.push(`header ${name} is missing`);
  const contentType = headers.get('Content-Type');
  if (contentType !== 'application/json') faults.push(`Content-Type is ${contentType}`);
  if (!/^[0-9]+$/.test(headers.get('X-Webhook-Delivery') ?? ''))
    faults.push('the delivery id is not numeric');
  return headers;
}

function checkSignature(
  authorization: string,
  body: Buffer,
  { url, secrets }: ReceiverConfiguration,
  faults: string[],
): void {
  const parts = /^SB1-HMAC-SHA256 api-key="([^"]*)", signed-headers="host", signature="([0-9a-f]{64})"$/.exec(
    authorization,
  );
  if (!parts) return void faults.push('Authorization is malformed');
  const secret = secrets[parts[1] ?? ''];
  if (secret === undefined) return void faults.push('the api key is unknown');
  const expected = createHmac('sha256', secret).update(signedText(url, body)).digest();
  if (!timingSafeEqual(expected, Buffer.from(parts[2] ?? '', 'hex'))) {
    faults.push('the signature does not match');
  }
}

/** Built from the configured URL and the bytes received, never from what a proxy may have rewritten. */
function signedText(configuredUrl: string, body: Buffer): string {
  const url = new URL(configuredUrl);
  const parameters = Array.from(url.searchParams, ([name, value]) => ({ name, value }));
  // A receiver sorts by the language of its own process. The sender's promise is for English.
  parameters.sort((one, other) => {
    if (one.name !== other.name) return one.name.localeCompare(other.name, 'en');
    return one.value.localeCompare(other.value, 'en');
  });
  const query = parameters.map(
    ({ name, value }) => encodeURIComponent(name) + '=' + encodeURIComponent(value),
  );
  let text = 'POST\n';
  text += `${url.pathname === '' ? '/' : url.pathname}\n`;
  text += `${query.join('&')}\n`;
  text += `host:${url.host}\n\n`;
  text += 'host\n';
  return text + createHash('sha256').update(body).digest('hex');
}

const MEMBERS = 'id,spec_version,event_type,company_id,company_internal_code,occurred_at,data';
const DATA_MEMBERS = 'service_id,service_internal_code,status,old_status';

function checkBody(
  headers: ReadonlyMap<string, string>,
  body: Buffer,
  { ownKey }: ReceiverConfiguration,
  faults: string[],
): void {
  const text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) return void faults.push('the body is not UTF-8');
  if (/[\r\n]/.test(text)) faults.push('the body is not on one line');
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return void faults.push('the body is not JSON');
  }
  if (!isObject(event)) return void faults.push('the body is not a JSON object');
  if (Object.keys(event).join() !== MEMBERS) faults.push(`the body holds ${Object.keys(event).join()}`);

  const { id, event_type: eventType, occurred_at: occurredAt, data } = event;
  if (!/^[0-9a-f]{64}$/.test(String(id))) faults.push('the id is not 64 lowercase hexadecimal digits');
  if (id !== headers.get('X-Webhook-Id')) faults.push('the id is not X-Webhook-Id');
  if (event['spec_version'] !== '1') faults.push(`spec_version is ${JSON.stringify(event['spec_version'])}`);
  if (eventType !== 'service.status_changed') faults.push(`event_type is ${JSON.stringify(eventType)}`);
  if (eventType !== headers.get('X-Webhook-Event')) faults.push('event_type is not X-Webhook-Event');
  if (!Number.isSafeInteger(event['company_id'])) faults.push('company_id is no whole number');
  if (typeof event['company_internal_code'] !== 'string') faults.push('company_internal_code is no text');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/.test(String(occurredAt))) {
    faults.push('occurred_at is no UTC time to the second');
  }
  if (!isObject(data)) faults.push('data is not an object');
  else checkData(data, faults);

  if (ownKey !== undefined) {
    const token = 'sha256=' + createHmac('sha256', ownKey).update(String(id)).digest('hex');
    if (headers.get(CLIENT_TOKEN) !== token) faults.push(`${CLIENT_TOKEN} does not match`);
  }
}

function checkData(data: JsonMap, faults: string[]): void {
  if (Object.keys(data).join() !== DATA_MEMBERS) faults.push(`data holds ${Object.keys(data).join()}`);
  for (const name of ['service_id', 'status', 'old_status']) {
    if (!Number.isSafeInteger(data[name])) faults.push(`${name} is no whole number`);
  }
  const code = data['service_internal_code'];
  if (code !== null && typeof code !== 'string')
    faults.push('service_internal_code is neither text nor null');
}

type JsonMap = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
