import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AttemptToSign } from '#contracts/contract.js';
import { cortecloud } from '#contracts/cortecloud/cortecloud.js';
import { DIVERGENT_URL_VECTORS, EXAMPLE, URL_VECTORS } from '#contracts/cortecloud/vectors.js';
import { checkUrl } from '#contracts/url-rules.js';
import { whereInstalled } from '../support/where-installed.js';
import { CortecloudPythonVerifier } from './cortecloud-python-verifier.js';
import {
  type ReceivedDelivery,
  type ReceiverConfiguration,
  faultsOfCortecloudDelivery,
} from './cortecloud-verifier.js';

const RECEIVER: ReceiverConfiguration = {
  url: EXAMPLE.url,
  secrets: { [EXAMPLE.apiKey]: EXAMPLE.secret, sb_wk_other: 'sb_ws_other' },
  ownKey: EXAMPLE.ownKey,
};

/** The documented delivery as it is printed there; null takes a header away. */
function documented(
  changes: Record<string, string | null> = {},
  body: string = EXAMPLE.body,
): ReceivedDelivery {
  const headers: Record<string, string | null> = {
    Host: 'erp.example.com',
    Authorization: `SB1-HMAC-SHA256 api-key="${EXAMPLE.apiKey}", signed-headers="host", signature="${EXAMPLE.signature}"`,
    'Content-Type': 'application/json',
    'X-Webhook-Event': 'service.status_changed',
    'X-Webhook-Id': EXAMPLE.eventId,
    'X-Webhook-Delivery': '233598411337728',
    'X-Webhook-Client-Token': EXAMPLE.clientToken,
    ...changes,
  };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
  return { rawHeaders, body: Buffer.from(body) };
}

/** A delivery as the contract signs it. */
function signed(more: Partial<AttemptToSign> = {}): ReceivedDelivery {
  const { apiKey, secret, ownKey } = EXAMPLE;
  const attempt = {
    url: EXAMPLE.url,
    body: Buffer.from(EXAMPLE.body),
    eventType: 'service.status_changed',
    publicId: EXAMPLE.eventId,
    deliveryId: '1',
    at: new Date(0),
    credentials: { apiKey, secret, ownKey },
    applicationSecret: null,
    ...more,
  };
  return { rawHeaders: cortecloud.headers(attempt).flat(), body: attempt.body };
}

function faults(changes: Record<string, string | null>, receiver = RECEIVER): readonly string[] {
  return faultsOfCortecloudDelivery(documented(changes), receiver);
}

describe('faultsOfCortecloudDelivery', () => {
  it('accepts the documented delivery (CC-34)', () => {
    expect(faults({})).toEqual([]);
    const { url, secrets } = RECEIVER;
    expect(faults({ 'X-Webhook-Client-Token': null }, { url, secrets })).toEqual([]);
  });

  it('finds another secret, an unknown key, another URL and one byte more', () => {
    const no = ['the signature does not match'];
    expect(faults({}, { ...RECEIVER, secrets: { [EXAMPLE.apiKey]: 'sb_ws_other' } })).toEqual(no);
    expect(faults({}, { ...RECEIVER, secrets: {} })).toEqual(['the api key is unknown']);
    for (const url of [`${EXAMPLE.url}/`, `${EXAMPLE.url}?a=1`, EXAMPLE.url.replace('.com', '.com:8443')]) {
      expect(faults({}, { ...RECEIVER, url })).toEqual(no);
    }
    expect(faultsOfCortecloudDelivery(documented({}, `${EXAMPLE.body} `), RECEIVER)).toEqual(no);
  });

  it('finds each header that is missing, doubled, respelled, invented or wrong', () => {
    for (const name of ['Content-Type', 'X-Webhook-Delivery', 'X-Webhook-Client-Token']) {
      expect(faults({ [name]: null })).toContain(`header ${name} is missing`);
    }
    expect(faults({ 'X-Webhook-Event': null, 'x-webhook-event': 'service.status_changed' })).toEqual([
      'header X-Webhook-Event is spelled x-webhook-event',
    ]);
    const { rawHeaders, body } = documented();
    const doubled = { rawHeaders: [...rawHeaders, 'Content-Type', 'application/json'], body };
    expect(faultsOfCortecloudDelivery(doubled, RECEIVER)).toEqual(['header Content-Type comes twice']);
    expect(faults({ 'X-Webhook-Attempt': '1' })).toEqual(['header X-Webhook-Attempt does not belong here']);
    expect(faults({ 'Content-Type': 'application/json; charset=utf-8' })).toHaveLength(1);
    expect(faults({ 'X-Webhook-Delivery': 'd-1' })).toEqual(['the delivery id is not numeric']);
    expect(faults({ 'X-Webhook-Id': 'other' })).toEqual(['the id is not X-Webhook-Id']);
    expect(faults({ 'X-Webhook-Event': 'other' })).toEqual(['event_type is not X-Webhook-Event']);
    expect(faults({ 'X-Webhook-Client-Token': 'sha256=0' })).toEqual([
      'X-Webhook-Client-Token does not match',
    ]);
    const { url, secrets } = RECEIVER;
    expect(faults({}, { url, secrets })).toEqual(['header X-Webhook-Client-Token does not belong here']);
    for (const authorization of ['', 'Bearer x', EXAMPLE.signature]) {
      expect(faults({ Authorization: authorization })).toEqual(['Authorization is malformed']);
    }
  });

  it.each([
    ['the body holds ', (body: string) => body.replace('"spec_version":"1",', '')],
    ['the id is not 64 lowercase hexadecimal digits', (body: string) => body.replace('"3f35', '"3F35')],
    ['spec_version is 1', (body: string) => body.replace('"spec_version":"1"', '"spec_version":1')],
    ['event_type is "other"', (body: string) => body.replace('"service.status_changed"', '"other"')],
    ['company_id is no whole number', (body: string) => body.replace(':123,', ':"123",')],
    ['company_internal_code is no text', (body: string) => body.replace('"CENTRAL-01"', 'null')],
    ['occurred_at is no UTC time to the second', (body: string) => body.replace('.000Z', '.250Z')],
    ['data is not an object', (body: string) => body.replace(/"data":.*/, '"data":[]}')],
    ['data holds ', (body: string) => body.replace(',"old_status":4', '')],
    ['status is no whole number', (body: string) => body.replace('"status":6', '"status":"6"')],
    ['service_internal_code is neither ', (body: string) => body.replace('"PED-789"', '789')],
    ['the body is not on one line', (body: string) => body.replace(',"data"', ',\n"data"')],
    ['the body is not a JSON object', () => '[]'],
    ['the body is not JSON', () => '{'],
  ])('finds in a signed body that %s', (fault, change) => {
    const delivery = signed({ body: Buffer.from(change(EXAMPLE.body)) });
    const found = faultsOfCortecloudDelivery(delivery, RECEIVER);
    expect(found).toContainEqual(expect.stringContaining(fault));
    expect(found).not.toContain('the signature does not match');
  });

  it('finds a body that is not UTF-8', () => {
    const body = Buffer.from(EXAMPLE.body.replace('PED', 'é'), 'latin1');
    expect(faultsOfCortecloudDelivery(signed({ body }), RECEIVER)).toEqual(['the body is not UTF-8']);
  });
});

describe('the signer and the Node verifier, which share no code', () => {
  it.each([...URL_VECTORS, ...DIVERGENT_URL_VECTORS])(
    'agree on $title, as submitted and as called (CC-06, CC-31)',
    ({ url }) => {
      const delivery = signed({ url: calledUrl(url) });
      expect(faultsOfCortecloudDelivery(delivery, { ...RECEIVER, url })).toEqual([]);
      expect(faultsOfCortecloudDelivery(delivery, { ...RECEIVER, url: calledUrl(url) })).toEqual([]);
    },
  );

  it('agree on every change that may be published, under any credentials (CC-21, CC-31 to CC-33)', () => {
    fc.assert(
      fc.property(publishedChange, credentials, ({ attributes, occurredAt, data }, supplied) => {
        const built = cortecloud.buildEvent({
          application: { id: 'app', environment: 'production', attributes },
          type: 'service.status_changed',
          publicId: null,
          occurredAt,
          acceptedAt: new Date(0),
          dataJson: JSON.stringify(data),
        });
        if (!built.ok) throw new Error(JSON.stringify(built.problems));
        const issued = cortecloud.endpoint.issueCredentials(cortecloud.endpoint.credentials.parse(supplied));
        const { apiKey = '', secret = '', ownKey } = issued.credentials;
        const { body, publicId } = built.event;
        const delivery = signed({ body, publicId, credentials: issued.credentials });
        const receiver = { url: EXAMPLE.url, secrets: { [apiKey]: secret }, ownKey };
        expect(faultsOfCortecloudDelivery(delivery, receiver)).toEqual([]);
      }),
    );
  });
});

whereInstalled('python3').describe('the signer and both verifiers, which share no code', () => {
  let python: CortecloudPythonVerifier;
  beforeAll(() => {
    python = new CortecloudPythonVerifier();
  });
  afterAll(() => python.stop());

  const pythonAccepts = (delivery: ReceivedDelivery, url: string) =>
    python.accepts(delivery, { ...RECEIVER, url });

  it(`accept the documented delivery (CC-34)`, async () => {
    expect(await python.accepts(documented(), RECEIVER)).toBe(true);
    for (const refused of [
      documented({}, `${EXAMPLE.body} `),
      documented({ 'X-Webhook-Client-Token': 'sha256=0' }),
      documented({ Authorization: null }),
    ]) {
      expect(await python.accepts(refused, RECEIVER)).toBe(false);
    }
  });

  it.each(URL_VECTORS)(`agree on $title (CC-06, CC-31)`, async ({ url }) => {
    const delivery = signed({ url: calledUrl(url) });
    expect(await pythonAccepts(delivery, url)).toBe(true);
    expect(await pythonAccepts(delivery, calledUrl(url))).toBe(true);
  });

  it.each(DIVERGENT_URL_VECTORS)(
    `disagree on $title, unless the receiver follows the warning (CC-06)`,
    async ({ url, cure }) => {
      const delivery = signed({ url: calledUrl(url) });
      expect(await pythonAccepts(delivery, url)).toBe(false);
      expect(await pythonAccepts(delivery, calledUrl(url))).toBe(cure !== null);
    },
  );

  it(`agree on any URL and body, or the registration warned, and only then (CC-06)`, async () => {
    await fc.assert(
      fc.asyncProperty(submittedUrl, fc.string({ unit: 'grapheme' }), async (url, code) => {
        fc.pre(checkUrl(cortecloud.url, url).ok);
        const called = calledUrl(url);
        const body = Buffer.from(EXAMPLE.body.replace('"PED-789"', () => JSON.stringify(code)));
        const delivery = signed({ url: called, body });

        expect(faultsOfCortecloudDelivery(delivery, { ...RECEIVER, url })).toEqual([]);
        const warnings = cortecloud.url.warnings?.(url) ?? [];
        expect(await pythonAccepts(delivery, url)).toBe(warnings.length === 0);

        // What the warning says of the URL to configure is true as well.
        const incurable = warnings.some((warning) => warning.includes('however it is written'));
        expect(await pythonAccepts(delivery, called)).toBe(!incurable);
        if (warnings.length > 0) expect(warnings[0]).toContain(`Configure receivers with ${called}`);
      }),
      { numRuns: 1_000 },
    );
  });
});

function calledUrl(submitted: string): string {
  const checked = checkUrl(cortecloud.url, submitted);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.url;
}

const safeInteger = fc.maxSafeInteger();
const publishedChange = fc.record({
  attributes: fc.record({
    companyId: safeInteger,
    companyInternalCode: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => !/\p{Cc}/u.test(text)),
  }),
  occurredAt: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
  data: fc.record(
    {
      service_id: safeInteger,
      service_internal_code: fc.option(fc.string({ unit: 'binary' })),
      status: safeInteger,
      old_status: safeInteger,
    },
    { requiredKeys: ['service_id', 'status', 'old_status'] },
  ),
});

const visible = fc.string({ unit: fc.constantFrom(...'aZ09_-.,;:!#$%&()*+/=?@[]^`{|}~'), minLength: 1 });
const credentials = fc.oneof(
  fc.constant({}),
  fc.record({ ownKey: fc.string({ unit: 'binary', minLength: 1 }) }),
  fc.record({ apiKey: visible, secret: visible }),
);

/** Pieces that parsers treat differently, put together as people never would. */
const queryText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'B',
        'A',
        'z',
        '1',
        '10',
        '2',
        '_',
        '-',
        '.',
        '~',
        "'",
        '(',
        '*',
        ';',
        '/',
        '?',
      ),
      fc.constantFrom(
        '%20',
        '+',
        '%2B',
        '%26',
        '%3D',
        '%',
        '%z',
        '%zz',
        '%C3%A9',
        '%C3',
        '%A9',
        '%ff',
        '%00',
      ),
      fc.constantFrom('%ED%A0%80', '%F0%9F%98', '%EF%BB%BF', 'é', 'e\u0301', 'ß', '～', '😀', '%F0%9F%98%80'),
      fc.constantFrom('"', '<', '>', '`', '{', '}', '|', '^', '[', ']', '@', ':', ','),
    ),
    { maxLength: 3 },
  )
  .map((pieces) => pieces.join(''));
const query = fc
  .array(
    fc.oneof(
      queryText,
      fc.tuple(queryText, queryText).map((pair) => pair.join('=')),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join('&'));
const pathText = fc
  .array(
    fc.constantFrom(
      'in',
      'In',
      '/',
      '.',
      '..',
      '%2e',
      '%2F',
      '%e9',
      'é',
      ' ',
      '+',
      ';',
      '|',
      '"',
      '~',
      '%7E',
    ),
  )
  .map((pieces) => pieces.join(''));
const submittedUrl = fc
  .record({
    scheme: fc.constantFrom('https', 'https', 'HTTPS'),
    host: fc.constantFrom(
      'erp.example.com',
      'erp.example.com',
      'ERP.Example.com',
      'comércio.example',
      '[2001:DB8::1]',
      '8.8.8.8',
    ),
    port: fc.constantFrom('', '', ':443', ':8443', ':80'),
    path: fc.oneof(
      fc.constantFrom('', '/', '/in'),
      pathText.map((text) => `/${text}`),
    ),
    query: fc.option(query),
  })
  .map(
    (url) => `${url.scheme}://${url.host}${url.port}${url.path}${url.query === null ? '' : `?${url.query}`}`,
  );
