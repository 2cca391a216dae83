import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { SecretBox } from '#storage/secret-box.js';

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

export function sealCredentials(secretBox: SecretBox, credentials: Credentials): Buffer {
  return secretBox.seal('endpoint-credentials', JSON.stringify(credentials));
}

export function hasCome(at: Date | null, now: Date): boolean {
  return at !== null && at.getTime() <= now.getTime();
}
