import { describe, expect, it } from '@jest/globals';
import { tfFiscal } from './tf-fiscal.js';
import { SIGNATURE_VECTORS } from './vectors.js';

const ATTEMPT = {
  url: 'https://receiver.example/hook',
  body: Buffer.from('{"a":"é"}'),
  eventType: 'invoice.authorized',
  publicId: 'evt-1',
  deliveryId: '233598411337728',
  at: new Date('2026-09-06T13:00:00.000Z'),
  credentials: { token: 'tok en' },
  applicationSecret: 'supplied~secret!',
};

describe('the headers of an attempt', () => {
  it('are these eight in this order and casing, each once, the token twice (TF-30)', () => {
    const headers = tfFiscal.headers(ATTEMPT);
    expect(headers).toEqual([
      ['Content-Type', 'application/json; charset=utf-8'],
      ['X-Tffiscal-Event', 'invoice.authorized'],
      ['X-Tffiscal-Event-Id', 'evt-1'],
      ['X-Tffiscal-Delivery-Id', '233598411337728'],
      ['X-Tffiscal-Timestamp', '1788699600'],
      ['X-Tffiscal-Signature', expect.stringMatching(/^[0-9a-f]{64}$/)],
      ['token', 'tok en'],
      ['x-token', 'tok en'],
    ]);
    expect(headers.map(([name]) => name)).toEqual(tfFiscal.headerNames);
  });

  it.each(SIGNATURE_VECTORS)(
    'sign timestamp, dot and body bytes as OpenSSL does, at $at (TF-31)',
    (vector) => {
      const attempt = {
        ...ATTEMPT,
        body: Buffer.from(vector.body),
        applicationSecret: vector.applicationSecret,
        at: new Date(vector.at),
      };
      const headers = new Map(tfFiscal.headers(attempt));
      expect(headers.get('X-Tffiscal-Timestamp')).toBe(vector.timestamp);
      expect(headers.get('X-Tffiscal-Signature')).toBe(vector.signature);
    },
  );

  it('change only in timestamp and signature from attempt to attempt (TF-30, TF-31)', () => {
    expect(changed({ at: new Date('2026-09-06T13:01:00Z') })).toEqual([
      'X-Tffiscal-Timestamp',
      'X-Tffiscal-Signature',
    ]);
    expect(changed({ at: new Date('2026-09-06T13:00:00.999Z') })).toEqual([]);
  });

  it('share the event id between targets of one event, which differ in delivery id (TF-02)', () => {
    expect(changed({ deliveryId: '233598411337729' })).toEqual(['X-Tffiscal-Delivery-Id']);
  });

  it('carry the token and secret of now, whatever earlier attempts carried (TF-33)', () => {
    expect(changed({ credentials: { token: 'new' } })).toEqual(['token', 'x-token']);
    expect(changed({ applicationSecret: 'another~secret!!' })).toEqual(['X-Tffiscal-Signature']);
  });

  it('are refused without a token or secret, which would send an unsigned delivery', () => {
    expect(() => tfFiscal.headers({ ...ATTEMPT, credentials: {} })).toThrow('lacks the token');
    expect(() => tfFiscal.headers({ ...ATTEMPT, applicationSecret: null })).toThrow('lacks the app_secret');
  });
});

function changed(difference: Partial<typeof ATTEMPT>): readonly string[] {
  const before = new Map(tfFiscal.headers(ATTEMPT));
  return tfFiscal
    .headers({ ...ATTEMPT, ...difference })
    .filter(([name, value]) => before.get(name) !== value)
    .map(([name]) => name);
}
