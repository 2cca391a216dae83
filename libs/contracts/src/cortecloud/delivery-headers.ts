import { createHmac } from 'node:crypto';
import type { AttemptToSign } from '../contract.js';
import { canonicalRequest, signedTarget } from './canonical-request.js';

/** In sending order and in the casing that receivers were told (CC-30); the last only with an own key. */
export const HEADER_NAMES = [
  'Authorization',
  'Content-Type',
  'X-Webhook-Event',
  'X-Webhook-Id',
  'X-Webhook-Delivery',
  'X-Webhook-Client-Token',
] as const;

/** The headers of one attempt: the same on every attempt while URL and credentials stay (CC-30 to CC-33). */
export function deliveryHeaders(attempt: AttemptToSign): readonly (readonly [string, string])[] {
  const { apiKey, secret, ownKey } = attempt.credentials;
  if (apiKey === undefined || secret === undefined) {
    throw new Error(
      `Delivery ${attempt.deliveryId} lacks the ${apiKey === undefined ? 'apiKey' : 'secret'}.`,
    );
  }
  const signature = hexHmac(secret, canonicalRequest(signedTarget(attempt.url), attempt.body));
  const values: Record<(typeof HEADER_NAMES)[number], string | null> = {
    Authorization: `SB1-HMAC-SHA256 api-key="${apiKey}", signed-headers="host", signature="${signature}"`,
    'Content-Type': 'application/json',
    'X-Webhook-Event': attempt.eventType,
    'X-Webhook-Id': attempt.publicId,
    'X-Webhook-Delivery': attempt.deliveryId,
    'X-Webhook-Client-Token': ownKey === undefined ? null : `sha256=${hexHmac(ownKey, attempt.publicId)}`,
  };
  return HEADER_NAMES.flatMap((name) => {
    const value = values[name];
    return value === null ? [] : [[name, value] as const];
  });
}

function hexHmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}
