import { createHmac } from 'node:crypto';
import type { AttemptToSign } from '../contract.js';

/** In sending order and in the casing that receivers were told (TF-30). */
export const HEADER_NAMES = [
  'Content-Type',
  'X-Tffiscal-Event',
  'X-Tffiscal-Event-Id',
  'X-Tffiscal-Delivery-Id',
  'X-Tffiscal-Timestamp',
  'X-Tffiscal-Signature',
  'token',
  'x-token',
] as const;

/**
 * The headers of one attempt. Only the timestamp and with it the signature differ between the attempts of a
 * delivery, unless token or secret were changed meanwhile (TF-30, TF-31, TF-33).
 */
export function deliveryHeaders(attempt: AttemptToSign): readonly (readonly [string, string])[] {
  const { applicationSecret, credentials } = attempt;
  const token = credentials['token'];
  if (applicationSecret === null || token === undefined) {
    throw new Error(
      `Delivery ${attempt.deliveryId} lacks the ${token === undefined ? 'token' : 'app_secret'}.`,
    );
  }
  const timestamp = String(Math.floor(attempt.at.getTime() / 1000));
  const values: Record<(typeof HEADER_NAMES)[number], string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Tffiscal-Event': attempt.eventType,
    'X-Tffiscal-Event-Id': attempt.publicId,
    'X-Tffiscal-Delivery-Id': attempt.deliveryId,
    'X-Tffiscal-Timestamp': timestamp,
    'X-Tffiscal-Signature': signature(applicationSecret, timestamp, attempt.body),
    token,
    'x-token': token,
  };
  return HEADER_NAMES.map((name) => [name, values[name]]);
}

/** Lowercase hex HMAC-SHA256 over timestamp, a dot and the exact body bytes (TF-31). */
function signature(secret: string, timestamp: string, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
