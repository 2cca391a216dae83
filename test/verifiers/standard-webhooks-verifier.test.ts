import { describe, expect, it } from '@jest/globals';
import { standardWebhooksRefusal } from './standard-webhooks-verifier.js';

const SECRET = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
const AT = new Date(1_731_705_121_000);

function request(fields: { signature?: string; body?: string } = {}) {
  const headers = [
    ['Webhook-Id', 'msg_loFOjxBNrRLzqYUf'],
    ['Webhook-Timestamp', '1731705121'],
    ['Webhook-Signature', fields.signature ?? 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0='],
  ] as const;
  return { headers, body: Buffer.from(fields.body ?? '{"event_type":"ping","data":{"success":true}}') };
}

describe('the verifier of Standard Webhooks', () => {
  it('takes the published example, also among other signatures', () => {
    expect(standardWebhooksRefusal(request(), SECRET, AT)).toBeNull();
    const among = 'v1a,AAAA v1,AAAA v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=';
    expect(standardWebhooksRefusal(request({ signature: among }), SECRET, AT)).toBeNull();
  });

  it('refuses another body, another secret, and what is old', () => {
    expect(standardWebhooksRefusal(request({ body: '{}' }), SECRET, AT)).toBe('no signature fits');
    expect(standardWebhooksRefusal(request(), 'whsec_AAAA', AT)).toBe('no signature fits');
    const later = new Date(AT.getTime() + 301_000);
    expect(standardWebhooksRefusal(request(), SECRET, later)).toBe('the timestamp is off');
  });
});
