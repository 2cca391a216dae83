import { describe, expect, it } from '@jest/globals';
import { type JsonObject, parseJsonSource } from '#domain/json-source.js';
import { ProblemList } from '../problem-list.js';
import { buildEnvelope, buildEnvelopeData } from './envelope.js';

function build(type: string, data: string | Record<string, unknown>) {
  const problems = new ProblemList();
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const body = buildEnvelopeData(type, parseJsonSource(json) as JsonObject, problems);
  return {
    body,
    problems: problems.toArray(),
    codes: problems.toArray().map((p) => `${p.pointer} ${p.code}`),
  };
}

const KEY = '35260764962869000108550990001366171195929648';
const SHORT: Record<string, Record<string, string>> = {
  'invoice.canceled': { invoice_id: '7', chave: KEY, protocolo: '135' },
  'invoice.cce.registered': { invoice_id: '7', chave: KEY, n_seq: '1' },
  'cte.event.registered': { event_code: '110110', n_seq: '1', protocolo: '135' },
};
const VERDICT = {
  chaveAcesso: KEY,
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  verifiedAt: '2026-07-23T17:16:23Z',
};
const VERIFY = 'invoice.verify.completed';

describe('the envelope', () => {
  it('holds version, event_id, event_type, occurred_at and data in this order (TF-19)', () => {
    const at = new Date('2026-09-06T13:00:00Z');
    expect(buildEnvelope('cte.event.registered', 'evt:1', at, '{"a":1}')).toBe(
      '{"version":"1.0","event_id":"evt:1","event_type":"cte.event.registered","occurred_at":"2026-09-06T13:00:00Z","data":{"a":1}}',
    );
  });

  it('cuts occurred_at to the second and does not round it (TF-19)', () => {
    const at = new Date('2026-09-06T23:59:59.999Z');
    expect(buildEnvelope('x', 'y', at, '{}')).toContain('"occurred_at":"2026-09-06T23:59:59Z"');
  });

  it('escapes an event id that JSON would not bear', () => {
    expect(buildEnvelope('x', 'a"\\', new Date(0), '{}')).toContain('"event_id":"a\\"\\\\"');
  });
});

describe.each(Object.entries(SHORT))('the data of %s', (type, fields) => {
  it('has its three fields in order, whatever the order published (TF-19)', () => {
    const reversed = Object.fromEntries(Object.entries(fields).reverse());
    expect(build(type, reversed)).toEqual({ body: JSON.stringify(fields), problems: [], codes: [] });
  });

  it('requires each of them as a non-empty string (TF-19)', () => {
    for (const name of Object.keys(fields)) {
      const { [name]: removed, ...rest } = fields;
      expect(removed).toBeDefined();
      expect(build(type, rest).codes).toEqual([`/data/${name} REQUIRED`]);
      expect(build(type, { ...fields, [name]: null }).codes).toEqual([`/data/${name} REQUIRED`]);
      expect(build(type, { ...fields, [name]: '' }).codes).toEqual([`/data/${name} REQUIRED`]);
      expect(build(type, { ...fields, [name]: 1 }).codes).toEqual([`/data/${name} INVALID_TYPE`]);
    }
    expect(build(type, {}).codes).toHaveLength(3);
  });

  it('is followed by further fields in the order sent, exactly as published (TF-19, TF-21)', () => {
    const known = JSON.stringify(fields);
    const data = `{ "z" : 1.00, ${known.slice(1, -1)}, "10":[ 1e+2 , {"b": null,"a":"\\u00E9 x"} ], "2":-0, "\\u0061": "" }`;
    const { body, codes } = build(type, data);
    expect(codes).toEqual([]);
    expect(body).toBe(
      `${known.slice(0, -1)},"z":1.00,"10":[1e+2,{"b":null,"a":"\\u00E9 x"}],"2":-0,"\\u0061":""}`,
    );
  });

  it('refuses a key that ends in Description, at any depth and in any spelling (TF-19)', () => {
    const known = JSON.stringify(fields).slice(1, -1);
    const data = `{${known},"statusDescription":1,"a":[0,{"b":{"Description":2}}],"x\\u0044escription":3,"descriptions":4,"Descriptions":5}`;
    expect(build(type, data).codes).toEqual([
      '/data/statusDescription FIELD_NOT_ALLOWED',
      '/data/a/1/b/Description FIELD_NOT_ALLOWED',
      '/data/xDescription FIELD_NOT_ALLOWED',
    ]);
  });
});

describe('access keys in envelopes', () => {
  it.each(['invoice.canceled', 'invoice.cce.registered'])(
    'are 44 digits or capital letters: %s (TF-22)',
    (type) => {
      const keyed = (chave: string) => build(type, { ...SHORT[type], chave }).codes;
      expect(keyed('3526'.padEnd(44, 'A'))).toEqual([]);
      expect(keyed('0'.repeat(44))).toEqual([]);
      for (const key of [
        '3526...',
        '0'.repeat(43),
        '0'.repeat(45),
        '0'.repeat(43) + 'a',
        '0'.repeat(44) + '\n',
      ]) {
        expect(keyed(key)).toEqual(['/data/chave INVALID_VALUE']);
      }
    },
  );
});

describe('the verdict of invoice.verify.completed', () => {
  it('fills what may be absent: null for nullable fields, [] for eventos, no reason (TF-20)', () => {
    const expected =
      `{"chaveAcesso":"${KEY}","validationStatus":"VALIDATED","status":"Autorizada","cStat":null,"xMotivo":null,` +
      '"protocolo":null,"dataAutorizacao":null,"eventos":[],"verifiedAt":"2026-07-23T17:16:23Z"}';
    expect(build(VERIFY, VERDICT)).toEqual({ body: expected, problems: [], codes: [] });
    const empties = {
      cStat: '',
      xMotivo: null,
      protocolo: null,
      dataAutorizacao: '',
      eventos: null,
      reason: null,
    };
    expect(build(VERIFY, { ...empties, ...VERDICT }).body).toBe(expected);
    expect(build(VERIFY, { ...VERDICT, reason: '' }).body).toBe(expected);
  });

  it('requires the key, both statuses and the time of the verdict (TF-20)', () => {
    expect(build(VERIFY, {}).codes).toEqual([
      '/data/chaveAcesso REQUIRED',
      '/data/validationStatus REQUIRED',
      '/data/status REQUIRED',
      '/data/verifiedAt REQUIRED',
    ]);
  });

  it('takes three verdicts and six statuses, not cross-checked, and no others (TF-20)', () => {
    for (const validationStatus of ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR']) {
      for (const status of [
        'Autorizada',
        'Cancelada',
        'Denegada',
        'Inutilizada',
        'NaoEncontrada',
        'Desconhecida',
      ]) {
        const reason = validationStatus === 'VALIDATED' ? {} : { reason: 'Cancelled at SEFAZ' };
        expect(build(VERIFY, { ...VERDICT, validationStatus, status, ...reason }).codes).toEqual([]);
      }
    }
    const wrong = { ...VERDICT, validationStatus: 'validated', status: 'Falha' };
    expect(build(VERIFY, wrong).codes).toEqual([
      '/data/validationStatus INVALID_VALUE',
      '/data/status INVALID_VALUE',
    ]);
    expect(build(VERIFY, wrong).problems[0]?.message).toBe(
      'validationStatus is "validated". Send one of "VALIDATED", "REJECTED", "VALIDATION_ERROR".',
    );
  });

  it.each(['REJECTED', 'VALIDATION_ERROR'])('requires a reason with %s (TF-20)', (validationStatus) => {
    const data = { ...VERDICT, validationStatus };
    expect(build(VERIFY, data).codes).toEqual(['/data/reason REQUIRED']);
    expect(build(VERIFY, { ...data, reason: '' }).codes).toEqual(['/data/reason REQUIRED']);
    expect(build(VERIFY, { ...data, reason: 5 }).codes).toEqual(['/data/reason INVALID_TYPE']);
    expect(build(VERIFY, { reason: 'voided', ...data }).body).toMatch(
      /"verifiedAt":"[^"]+","reason":"voided"}$/,
    );
  });

  it('refuses a reason with VALIDATED (TF-20)', () => {
    expect(build(VERIFY, { ...VERDICT, reason: 'x' }).codes).toEqual(['/data/reason VALUE_NOT_ALLOWED']);
  });

  it('passes protocolo as published once both its texts are there (TF-20, TF-21)', () => {
    const withProtocol = (protocolo: unknown) => build(VERIFY, { ...VERDICT, protocolo });
    expect(withProtocol({ digestValue: 'oAEE', numero: '135', extra: { a: 1 } }).body).toContain(
      '"protocolo":{"digestValue":"oAEE","numero":"135","extra":{"a":1}},',
    );
    expect(withProtocol({}).codes).toEqual([
      '/data/protocolo/numero REQUIRED',
      '/data/protocolo/digestValue REQUIRED',
    ]);
    expect(withProtocol({ numero: 135, digestValue: 'x' }).codes).toEqual([
      '/data/protocolo/numero INVALID_TYPE',
    ]);
    expect(withProtocol('135').codes).toEqual(['/data/protocolo INVALID_TYPE']);
    expect(withProtocol([]).codes).toEqual(['/data/protocolo INVALID_TYPE']);
  });

  it('passes eventos as published (TF-20, TF-21)', () => {
    const data = JSON.stringify(VERDICT).replace('{', '{"eventos": [ {"tpEvento" : "110111", "n":1.0} ],');
    expect(build(VERIFY, data).body).toContain('"eventos":[{"tpEvento":"110111","n":1.0}],"verifiedAt"');
    expect(build(VERIFY, { ...VERDICT, eventos: {} }).codes).toEqual(['/data/eventos INVALID_TYPE']);
  });

  it('refuses numbers, offsets and abbreviated keys (TF-20, TF-22)', () => {
    const data = {
      ...VERDICT,
      chaveAcesso: '3526...',
      cStat: 100,
      dataAutorizacao: '2026-07-23T14:30:09-03:00',
    };
    expect(build(VERIFY, data).codes).toEqual([
      '/data/chaveAcesso INVALID_VALUE',
      '/data/cStat INVALID_TYPE',
      '/data/dataAutorizacao INVALID_VALUE',
    ]);
  });
});
