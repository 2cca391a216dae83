import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { SecretBox } from '#storage/secret-box.js';
import { Faults } from './faults.js';

export type Credentials = Readonly<Record<string, string>>;

/**
 * The secret that signs at this moment: a rotation that was set for a time takes effect by itself, here and in
 * the read before each attempt.
 *
 * @param now the database's time, as there
 */
export function openSecretInForce(
  secretBox: SecretBox,
  application: Pick<ApplicationEntity, 'secret' | 'nextSecret' | 'nextSecretAt'>,
  now: Date,
): string | null {
  const sealed = hasCome(application.nextSecretAt, now) ? application.nextSecret : application.secret;
  return sealed && secretBox.open('application-secret', sealed);
}

/** The credentials that are sent at this moment, under the same rule. */
export function openCredentialsInForce(
  secretBox: SecretBox,
  endpoint: Pick<EndpointEntity, 'credentials' | 'nextCredentials' | 'nextCredentialsAt'>,
  now: Date,
): Credentials {
  const next = hasCome(endpoint.nextCredentialsAt, now) ? endpoint.nextCredentials : null;
  return JSON.parse(secretBox.open('endpoint-credentials', next ?? endpoint.credentials)) as Credentials;
}

/** Those of a rotation that is set for a time and has not come; null where none is. */
export function openCredentialsToCome(
  secretBox: SecretBox,
  endpoint: Pick<EndpointEntity, 'nextCredentials' | 'nextCredentialsAt'>,
  now: Date,
): Credentials | null {
  const { nextCredentials, nextCredentialsAt } = endpoint;
  if (nextCredentials === null || hasCome(nextCredentialsAt, now)) return null;
  return JSON.parse(secretBox.open('endpoint-credentials', nextCredentials)) as Credentials;
}

export function sealCredentials(secretBox: SecretBox, credentials: Credentials): Buffer {
  return secretBox.seal('endpoint-credentials', JSON.stringify(credentials));
}

/** @throws DomainError VALIDATION_FAILED where a rotation is set for a time that has passed */
export function refuseWhatHasCome(activateAt: Date, now: Date): void {
  if (!hasCome(activateAt, now)) return;
  const faults = new Faults();
  faults.add({
    pointer: '/activateAt',
    code: 'IN_THE_PAST',
    message: `${activateAt.toISOString()} has passed. Send a time to come, or leave it out to rotate at once.`,
  });
  faults.refuse();
}

export function hasCome(at: Date | null, now: Date): boolean {
  return at !== null && at.getTime() <= now.getTime();
}
