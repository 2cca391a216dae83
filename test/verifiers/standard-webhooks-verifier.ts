import { createHmac, timingSafeEqual } from 'node:crypto';
import { headerOf, type Received } from '../support/recording-receiver.js';

/** Seconds that a timestamp may be off, as the specification recommends. */
const TOLERANCE_S = 5 * 60;

/**
 * What a library for Standard Webhooks 1.0 does with a request: written from the specification alone, and shares no code
 * with the signer.
 *
 * @param secret `whsec_` and base64, as receivers are given it
 * @returns why it is refused, or null
 */
export function standardWebhooksRefusal(
  received: Pick<Received, 'headers' | 'body'>,
  secret: string,
  now: Date = new Date(),
): string | null {
  const id = headerOf(received, 'webhook-id');
  const timestamp = headerOf(received, 'webhook-timestamp');
  const signatures = headerOf(received, 'webhook-signature');
  if (!id || !timestamp || !signatures) return 'a header is missing';
  if (!/^\d+$/.test(timestamp)) return 'the timestamp is not in seconds';
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > TOLERANCE_S) return 'the timestamp is off';
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), received.body]))
    .digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned ? null : 'no signature fits';
}
