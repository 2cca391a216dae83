import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Contract } from '#contracts/contract.js';
import { waits } from '#contracts/delivery-policy.js';
import { ProblemList } from '#contracts/problem-list.js';
import { findEventType, readDataObject } from '#contracts/published-data.js';
import { minify } from '#domain/json-source.js';
import { deliveryOf, itKeepsThePromisesOfEveryContract } from './contract-promises.js';

// Written from docs/guides/adding-a-contract.md, for a contract that somebody might have published: T-1 the body
// is {"event","ref","at","data"}, `at` in Unix seconds, `data` as the shop wrote it. T-2 https only, a generated
// secret per endpoint. T-3 base64 HMAC-SHA256 over time, dot and body. T-4 two retries, after 1 and 10 min.
const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);

const tiny: Contract = {
  name: 'tiny',
  title: 'Tiny: paid orders',
  eventTypes: [{ name: 'order.paid', reserved: false, description: 'An order was paid.', fields: [] }],
  eventIdentity: 'producer',
  application: { attributes: z.strictObject({}), secret: null },
  endpoint: {
    hasWebhook: false,
    eventTypes: 'any-or-filter',
    credentials: z.strictObject({ secret: z.exactOptional(z.string().min(1)) }),
    credentialNames: ['secret'],
    issuedCredentialNames: ['secret'],
    issueCredentials(supplied) {
      if (supplied['secret'] !== undefined) return { credentials: supplied, issued: {} };
      const issued = { secret: randomBytes(32).toString('hex') };
      return { credentials: issued, issued };
    },
  },
  url: { schemes: ['https'], maxLength: null, used: 'current' },
  policy: {
    waits: waits('1m', '10m'),
    timeoutMs: 5_000,
    firstAttemptDelayMs: 0,
    breakerThreshold: 0,
    respectRetryAfter: false,
    retryAfterCapMs: 0,
    concurrencyPerWorker: 10,
    sendTraceparent: false,
    exhausted: 'dead',
    redelivery: 'full-cycle',
  },
  testEvent: null,
  buildEvent({ type, publicId, occurredAt, acceptedAt, dataJson }) {
    if (publicId === null) throw new Error('The shop names its events.');
    const problems = new ProblemList();
    const data = findEventType(tiny, type, problems) && readDataObject(dataJson, problems);
    if (!data) return { ok: false, problems: problems.toArray() };
    const at = occurredAt ?? acceptedAt;
    const head = `"event":"${type}","ref":${JSON.stringify(publicId)},"at":${unixSeconds(at)}`;
    const body = Buffer.from(`{${head},"data":${minify(data.source)}}`);
    return { ok: true, event: { publicId, occurredAt: at, body, reserved: false } };
  },
  headerNames: ['X-Tiny-Time', 'X-Tiny-Signature'],
  headers({ at, body, deliveryId, credentials: { secret } }) {
    if (secret === undefined) throw new Error(`Delivery ${deliveryId} lacks the secret.`);
    const time = String(unixSeconds(at));
    const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('base64');
    return Object.entries({ 'X-Tiny-Time': time, 'X-Tiny-Signature': signature });
  },
};

const SAMPLE = { type: 'order.paid', data: '{ "total": 10.50, "order": "77" }' };

itKeepsThePromisesOfEveryContract(tiny, SAMPLE);

it('sends these bytes, signed as OpenSSL signs them (T-1, T-3)', () => {
  const { body, headers } = deliveryOf(tiny, { ...SAMPLE, credentials: { secret: 'tiny~secret' } });
  expect(body.toString()).toBe(
    '{"event":"order.paid","ref":"evt-1","at":1785844800,"data":{"total":10.50,"order":"77"}}',
  );
  expect(headers[1]).toEqual(['X-Tiny-Signature', 'JZez/Gf6g6/NhLSLOwet0koqhg8Y2KvikO43RGYc+MY=']);
});
