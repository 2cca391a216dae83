/** Shorter values are in any text by chance, and masking them would only spoil it. */
const MIN_SECRET_LENGTH = 4;

/**
 * A text that a receiver sent, without the credentials that it may have echoed: what is kept of its answers can be
 * read by people who may not know them.
 */
export function masked(text: string, secrets: Iterable<string>): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET_LENGTH) result = result.replaceAll(secret, '***');
  }
  return result;
}
