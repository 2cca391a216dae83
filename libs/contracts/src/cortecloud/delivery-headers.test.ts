import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { AttemptToSign } from '../contract.js';
import { cortecloud } from './cortecloud.js';
import { DIVERGENT_URL_VECTORS, EXAMPLE, URL_VECTORS } from './vectors.js';

const ATTEMPT: AttemptToSign = {
  url: EXAMPLE.url,
  body: Buffer.from(EXAMPLE.body),
  eventType: 'service.status_changed',
  publicId: EXAMPLE.eventId,
  deliveryId: '233598411337728',
  at: new Date('2026-08-04T12:00:30.000Z'),
  credentials: { apiKey: EXAMPLE.apiKey, secret: EXAMPLE.secret, ownKey: EXAMPLE.ownKey },
  applicationSecret: null,
};

function headersOf(difference: Partial<AttemptToSign> = {}) {
  return new Map(cortecloud.headers({ ...ATTEMPT, ...difference }));
}

function changed(difference: Partial<AttemptToSign>): readonly string[] {
  const before = headersOf();
  return [...headersOf(difference)]
    .filter(([name, value]) => before.get(name) !== value)
    .map(([name]) => name);
}

describe('the headers of an attempt', () => {
  it('are those of the documented example, in its order and casing (CC-30, CC-32, CC-33, CC-34)', () => {
    expect(cortecloud.headers(ATTEMPT)).toEqual([
      [
        'Authorization',
        `SB1-HMAC-SHA256 api-key="sb_wk_exemplo", signed-headers="host", signature="${EXAMPLE.signature}"`,
      ],
      ['Content-Type', 'application/json'],
      ['X-Webhook-Event', 'service.status_changed'],
      ['X-Webhook-Id', EXAMPLE.eventId],
      ['X-Webhook-Delivery', '233598411337728'],
      ['X-Webhook-Client-Token', EXAMPLE.clientToken],
    ]);
    expect([...headersOf().keys()]).toEqual(cortecloud.headerNames);
  });

  it('have no client token without an own key (CC-30, CC-33)', () => {
    const { apiKey, secret } = EXAMPLE;
    const without = headersOf({ credentials: { apiKey, secret } });
    expect([...without.keys()]).toEqual(cortecloud.headerNames.slice(0, -1));
    expect(without.get('Authorization')).toBe(headersOf().get('Authorization'));
  });

  it('never contain the secret or the own key (CC-04, CC-05)', () => {
    const sent = JSON.stringify(cortecloud.headers(ATTEMPT));
    expect(sent).not.toContain(EXAMPLE.secret);
    expect(sent).not.toContain(EXAMPLE.ownKey);
  });

  it('are the same on every attempt, for nothing of the time is in them (CC-30)', () => {
    expect(changed({ at: new Date('2026-08-04T13:00:00.000Z') })).toEqual([]);
    expect(changed({ deliveryId: '233598411337729' })).toEqual(['X-Webhook-Delivery']);
  });

  it('sign the URL of the attempt: path, query and host as they go over the wire (CC-03, CC-10, CC-31)', () => {
    for (const url of [
      'https://erp.example.com/other',
      `${EXAMPLE.url}?a=1`,
      'https://erp.example.com:444/',
    ]) {
      expect(changed({ url })).toEqual(['Authorization']);
    }
    for (const { url, path, query, host } of [...URL_VECTORS, ...DIVERGENT_URL_VECTORS]) {
      const bodyHash = EXAMPLE.canonicalRequest.split('\n').at(-1);
      const text = `POST\n${path}\n${query}\nhost:${host}\n\nhost\n${bodyHash}`;
      const signature = createHmac('sha256', EXAMPLE.secret).update(text).digest('hex');
      expect(headersOf({ url }).get('Authorization')).toContain(`signature="${signature}"`);
    }
  });

  it('sign every byte of the body (CC-31, CC-32)', () => {
    expect(changed({ body: Buffer.from(`${EXAMPLE.body} `) })).toEqual(['Authorization']);
    expect(changed({ body: Buffer.from([0xff, 0x00]) })).toEqual(['Authorization']);
  });

  it('carry the pair and own key of now, whatever earlier attempts carried (CC-12, CC-33)', () => {
    const rotated = { ...ATTEMPT.credentials, ...cortecloud.endpoint.issueCredentials({}).issued };
    expect(changed({ credentials: rotated })).toEqual(['Authorization']);
    expect(headersOf({ credentials: rotated }).get('Authorization')).toContain(`"${rotated['apiKey']}"`);
    const another = { ...ATTEMPT.credentials, ownKey: 'chave própria' };
    expect(changed({ credentials: another })).toEqual(['X-Webhook-Client-Token']);
  });

  it('are refused without a pair, which would send an unsigned delivery', () => {
    const { apiKey, secret } = EXAMPLE;
    expect(() => headersOf({ credentials: { secret } })).toThrow('lacks the apiKey');
    expect(() => headersOf({ credentials: { apiKey } })).toThrow('lacks the secret');
  });
});
