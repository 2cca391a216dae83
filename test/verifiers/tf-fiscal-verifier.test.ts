import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { tfFiscal } from '#contracts/tf-fiscal/tf-fiscal.js';
import { PAYLOAD_VECTORS } from '#contracts/tf-fiscal/vectors.js';
import { type ReceivedDelivery, faultsOfTfFiscalDelivery } from './tf-fiscal-verifier.js';

const EXPECTED = { appSecret: 'supplied~secret!', token: 'tok en', now: new Date('2026-09-06T13:00:30Z') };
const RECEIPT =
  '{"version":"1.0","event_id":"987654321098765432","event_type":"cte.event.registered","occurred_at":"2026-09-06T13:00:00Z",' +
  '"data":{"event_code":"110180","n_seq":"1","protocolo":"135260000000099"}}';
const UNNUMBERED =
  '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada",' +
  '"dceMotivoStatus":"Empresa não configurada para emissão de DC-e","dceLinkDace":null,"dceLinkXml":null,' +
  '"dceNumero":null,"dceSerie":null,"dceChaveAcesso":null,"dceDataEmissao":"2026-09-06T12:00:00Z",' +
  '"dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}';
const DENIED =
  '{"tipo":"NF-e","empresaId":"1","nfeId":"NFe-1","nfeStatus":"Negada","nfeMotivoStatus":"778 - Rejeicao","nfeLinkDanfe":"",' +
  '"nfeLinkXml":"","nfeNumero":"","nfeSerie":"","nfeChaveAcesso":"","nfeDataEmissao":"2024-12-04T17:44:26Z",' +
  '"nfeDataAutorizacao":"","nfeNumeroProtocolo":"","nfeDigestValue":""}';
const VERDICT =
  '{"version":"1.0","event_id":"987654321098765432","event_type":"invoice.verify.completed","occurred_at":"2026-07-23T17:16:23Z",' +
  '"data":{"chaveAcesso":"35260764962869000108550990001366171195929648","validationStatus":"REJECTED","status":"Cancelada",' +
  '"cStat":"101","xMotivo":null,"protocolo":{"numero":"1","digestValue":"x"},"dataAutorizacao":null,"eventos":[],' +
  '"verifiedAt":"2026-07-23T17:16:23Z","reason":"cancelled"}}';
const VERIFY = RECEIPT.replace('cte.event.registered', 'webhook.verify').replace(/"data":.*/, '"data":{}}');

/** A sound delivery of a body, signed as the documentation says. */
function delivery(
  event: string,
  body: string,
  changes: Record<string, string | null> = {},
): ReceivedDelivery {
  const timestamp = changes['X-Tffiscal-Timestamp'] ?? '1788699600';
  const headers: Record<string, string | null> = {
    Host: 'receiver.example',
    'Content-Type': 'application/json; charset=utf-8',
    'X-Tffiscal-Event': event,
    'X-Tffiscal-Event-Id': '987654321098765432',
    'X-Tffiscal-Delivery-Id': '233598411337728',
    'X-Tffiscal-Timestamp': timestamp,
    'X-Tffiscal-Signature': createHmac('sha256', EXPECTED.appSecret)
      .update(`${timestamp}.${body}`, 'utf8')
      .digest('hex'),
    token: EXPECTED.token,
    'x-token': EXPECTED.token,
    ...changes,
  };
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name, value],
  );
  return { rawHeaders, body: Buffer.from(body) };
}

function faults(event: string, body: string, changes: Record<string, string | null> = {}): readonly string[] {
  return faultsOfTfFiscalDelivery(delivery(event, body, changes), EXPECTED);
}

describe('faultsOfTfFiscalDelivery', () => {
  it.each([
    ['cte.event.registered', RECEIPT],
    ['dce.rejected', UNNUMBERED],
    ['invoice.rejected', DENIED],
    ['invoice.verify.completed', VERDICT],
    ['webhook.verify', VERIFY],
  ])('accepts a sound %s', (event, body) => {
    expect(faults(event, body)).toEqual([]);
  });

  it('accepts the signature that OpenSSL makes', () => {
    const signature = 'cc3c63d0c1c9095e3a8fd342c0853619534e87b0b5118126b58ad1ca57b7c398';
    const changes = { 'X-Tffiscal-Timestamp': '1788699601', 'X-Tffiscal-Signature': signature };
    expect(faults('cte.event.registered', RECEIPT, changes)).toEqual([]);
  });

  it.each([
    ['one byte more', (body: string) => body.replace('"1"', '"11"')],
    ['whitespace', (body: string) => body.replace('"data":', '"data": ')],
    [
      'another order',
      (body: string) =>
        body.replace('"event_code":"110180","n_seq":"1"', '"n_seq":"1","event_code":"110180"'),
    ],
  ])('finds a body changed after signing: %s', (_, change) => {
    const { rawHeaders } = delivery('cte.event.registered', RECEIPT);
    const changed = { rawHeaders, body: Buffer.from(change(RECEIPT)) };
    expect(faultsOfTfFiscalDelivery(changed, EXPECTED)).toContain('the signature does not match');
  });

  it('finds another secret, an uppercase signature and a signature over another timestamp', () => {
    const sound = delivery('cte.event.registered', RECEIPT);
    expect(faultsOfTfFiscalDelivery(sound, { ...EXPECTED, appSecret: 'another~secret!!' })).toEqual([
      'the signature does not match',
    ]);
    expect(faults('cte.event.registered', RECEIPT, { 'X-Tffiscal-Signature': 'A'.repeat(64) })).toEqual([
      'the signature is not 64 lowercase hexadecimal digits',
    ]);
    const rawHeaders = sound.rawHeaders.map((value) => (value === '1788699600' ? '1788699601' : value));
    expect(faultsOfTfFiscalDelivery({ ...sound, rawHeaders }, EXPECTED)).toEqual([
      'the signature does not match',
    ]);
  });

  it('finds a timestamp that is stale, early or not in seconds', () => {
    for (const timestamp of ['1788699329', '1788699931']) {
      expect(faults('webhook.verify', VERIFY, { 'X-Tffiscal-Timestamp': timestamp })).toEqual([
        `timestamp ${timestamp} is more than 300 s from now`,
      ]);
    }
    expect(faults('webhook.verify', VERIFY, { 'X-Tffiscal-Timestamp': '1788699600000' })).toEqual([
      'timestamp 1788699600000 is not in Unix seconds',
    ]);
    const sound = delivery('webhook.verify', VERIFY);
    expect(faultsOfTfFiscalDelivery(sound, { ...EXPECTED, toleranceSeconds: 29 })).toHaveLength(1);
  });

  it('finds each header that is missing, doubled, respelled or invented', () => {
    for (const name of ['Content-Type', 'X-Tffiscal-Delivery-Id', 'token', 'x-token']) {
      expect(faults('webhook.verify', VERIFY, { [name]: null })).toContain(`header ${name} is missing`);
    }
    const respelled = { 'X-Tffiscal-Event': null, 'x-tffiscal-event': 'webhook.verify' };
    expect(faults('webhook.verify', VERIFY, respelled)).toEqual([
      'header X-Tffiscal-Event is spelled x-tffiscal-event',
    ]);
    expect(faults('webhook.verify', VERIFY, { Token: EXPECTED.token })).toEqual([
      'header token comes 2 times',
      'header token is spelled token, Token',
    ]);
    expect(faults('webhook.verify', VERIFY, { 'X-Tffiscal-Attempt': '1' })).toEqual([
      'header X-Tffiscal-Attempt is not of the contract',
    ]);
  });

  it('finds wrong header values', () => {
    expect(faults('webhook.verify', VERIFY, { token: 'x' })).toEqual(['token is not the registered one']);
    expect(faults('webhook.verify', VERIFY, { 'x-token': 'x' })).toEqual([
      'x-token is not the registered one',
    ]);
    expect(faults('webhook.verify', VERIFY, { 'Content-Type': 'application/json' })).toEqual([
      'Content-Type is application/json',
    ]);
    expect(faults('dce.rejected', UNNUMBERED, { 'X-Tffiscal-Event-Id': ' a' })).toEqual([
      'the event id is malformed',
    ]);
    expect(faults('dce.rejected', UNNUMBERED, { 'X-Tffiscal-Delivery-Id': 'd1' })).toEqual([
      'the delivery id is malformed',
    ]);
  });

  it.each([
    ['event_id is not X-Tffiscal-Event-Id', RECEIPT.replace('987654321098765432', 'x')],
    ['event_type is not X-Tffiscal-Event', RECEIPT.replace('"cte.event.registered"', '"cte.canceled"')],
    ['version is 1', RECEIPT.replace('"1.0"', '1')],
    ['occurred_at is no UTC time in seconds', RECEIPT.replace('13:00:00Z', '13:00:00.000Z')],
    ['a field of data is not a string', RECEIPT.replace('"n_seq":"1"', '"n_seq":1')],
    ['data has a Description field', RECEIPT.replace('"}}', '","a":{"xDescription":1}}}')],
    ['the body has whitespace between tokens', RECEIPT.replace('"n_seq":"1"', '"n_seq": "1"')],
    ['data is not an object', RECEIPT.replace(/"data":.*/, '"data":[]}')],
    ['the body is not JSON', RECEIPT.slice(0, -1)],
    ['the body is not a JSON object', '[]'],
  ])('finds in an envelope that %s', (fault, body) => {
    expect(faults('cte.event.registered', body)).toEqual([fault]);
  });

  it('finds members of an envelope in another order', () => {
    const envelope = RECEIPT.replace('"version":"1.0",', '').replace(/}$/, ',"version":"1.0"}');
    expect(faults('cte.event.registered', envelope)).toEqual([
      'the envelope holds event_id,event_type,occurred_at,data,version',
    ]);
    const data = RECEIPT.replace('"event_code":"110180",', '').replace('"}}', '","event_code":"1"}}');
    expect(faults('cte.event.registered', data)).toEqual([
      'data begins with n_seq,protocolo,event_code and not with event_code,n_seq,protocolo',
    ]);
  });

  it.each([
    ['tipo is "CT-e" in invoice.rejected', DENIED.replace('"NF-e"', '"CT-e"')],
    ['the status is "Autorizada" in invoice.rejected', DENIED.replace('"Negada"', '"Autorizada"')],
    ['nfeSerie is null', DENIED.replace('"nfeSerie":""', '"nfeSerie":null')],
    ['nfeNumero is 7', DENIED.replace('"nfeNumero":""', '"nfeNumero":7')],
    ['empresaId is ""', DENIED.replace('"empresaId":"1"', '"empresaId":""')],
    ['nfeDataEmissao is no UTC time', DENIED.replace('17:44:26Z', '17:44:26-03:00')],
  ])('finds in a result object that %s', (fault, body) => {
    expect(faults('invoice.rejected', body)).toEqual([fault]);
  });

  it('finds fields of a result object that are missing, added or in another order', () => {
    for (const body of [
      DENIED.replace(',"nfeDigestValue":""', ''),
      DENIED.replace('{', '{"event_id":"1",'),
      DENIED.replace('"tipo":"NF-e","empresaId":"1"', '"empresaId":"1","tipo":"NF-e"'),
    ]) {
      expect(faults('invoice.rejected', body)).toContainEqual(expect.stringMatching(/^the fields are /));
    }
    expect(faults('dce.rejected', UNNUMBERED.replace('"dceSerie":null', '"dceSerie":""'))).toEqual([
      'dceSerie is ""',
    ]);
  });

  it.each([
    ['reason does not go with VALIDATED', VERDICT.replace('REJECTED', 'VALIDATED')],
    ['reason does not go with REJECTED', VERDICT.replace(',"reason":"cancelled"', '')],
    [
      'the verdict is MAYBE',
      VERDICT.replace('REJECTED', 'MAYBE').replace(',"reason":"cancelled"', ',"reason":"x"'),
    ],
    ['the fiscal status is Falha', VERDICT.replace('Cancelada', 'Falha')],
    ['chaveAcesso is no access key', VERDICT.replace('3526076496', '35...')],
    ['cStat is 101', VERDICT.replace('"101"', '101')],
    ['protocolo is neither null nor an object with numero', VERDICT.replace('"numero":"1",', '')],
    ['eventos is no array', VERDICT.replace('[]', 'null')],
    ['verifiedAt is no UTC time', VERDICT.replace(/"verifiedAt":"[^"]+"/, '"verifiedAt":"soon"')],
  ])('finds in a verdict that %s', (fault, body) => {
    expect(faults('invoice.verify.completed', body)).toEqual([fault]);
  });

  it('finds events that are never delivered and a test delivery with data', () => {
    expect(faults('invoice.cce.registered', RECEIPT)).toEqual([
      'event invoice.cce.registered is never delivered',
    ]);
    expect(faults('webhook.verify', VERIFY.replace('{}', '{"a":1}'))).toEqual(['the test delivery has data']);
  });

  it('finds a body that is not UTF-8', () => {
    const latin1 = Buffer.from(UNNUMBERED, 'latin1');
    const { rawHeaders } = delivery('dce.rejected', UNNUMBERED);
    expect(faultsOfTfFiscalDelivery({ rawHeaders, body: latin1 }, EXPECTED)).toContain(
      'the body is not UTF-8',
    );
  });
});

describe('the signer and the verifier, which share no code', () => {
  it.each(PAYLOAD_VECTORS)(
    'agree on "$title" (TF-30, TF-31)',
    ({ type, data, publicId = 'evt-1', occurredAt }) => {
      const built = tfFiscal.buildEvent({
        application: { id: 'app', environment: 'test', attributes: {} },
        type,
        publicId,
        occurredAt: occurredAt === undefined ? null : new Date(occurredAt),
        acceptedAt: EXPECTED.now,
        dataJson: data,
      });
      if (!built.ok) throw new Error(JSON.stringify(built.problems));
      const { body } = built.event;
      const headers = tfFiscal.headers({
        url: 'https://receiver.example/',
        body,
        eventType: type,
        publicId,
        deliveryId: '1',
        at: EXPECTED.now,
        credentials: { token: EXPECTED.token },
        applicationSecret: EXPECTED.appSecret,
      });
      expect(faultsOfTfFiscalDelivery({ rawHeaders: headers.flat(), body }, EXPECTED)).toEqual([]);
    },
  );
});
