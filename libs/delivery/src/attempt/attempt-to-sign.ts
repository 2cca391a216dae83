import type { AttemptToSign } from '#contracts/contract.js';
import type { AttemptInput } from '#storage/sql/attempt-inputs.js';
import type { OpenedSecrets } from './opened-secrets.js';

/**
 * What a contract makes the headers of an attempt from.
 *
 * @param at when the request is written
 * @returns null where the body is no longer kept
 * @throws what {@link OpenedSecrets.open} throws
 */
export function attemptToSign(input: AttemptInput, secrets: OpenedSecrets, at: Date): AttemptToSign | null {
  const { url, type, deliveryId, publicId, body, credentials, applicationSecret } = input;
  if (publicId === null || body === null) return null;
  return {
    url,
    body,
    eventType: type,
    publicId,
    deliveryId: String(deliveryId),
    at,
    credentials: JSON.parse(secrets.open('endpoint-credentials', credentials)) as Record<string, string>,
    applicationSecret:
      applicationSecret === null ? null : secrets.open('application-secret', applicationSecret),
  };
}

/** What may be seen neither in the request nor in the answer, wherever either is kept or shown. */
export function secretsIn({ credentials, applicationSecret }: AttemptToSign): string[] {
  return [...Object.values(credentials), applicationSecret ?? ''];
}
