import type { SecretBox, SecretPurpose } from '#storage/secret-box.js';

/** Beyond this all are forgotten and opened again: more than the endpoints that a worker serves within seconds. */
const MAX_SECRETS = 10_000;

/**
 * Sealed secrets that were opened before. Every attempt reads the sealed value of now and that value is the name
 * it is remembered by, so a rotated secret counts at once; decrypting anew took a sixth of a worker's time.
 */
export class OpenedSecrets {
  private readonly opened = new Map<string, string>();

  constructor(private readonly secretBox: SecretBox) {}

  /** @throws what {@link SecretBox.open} throws */
  open(purpose: SecretPurpose, sealed: Buffer): string {
    const name = purpose + sealed.toString('latin1');
    let plaintext = this.opened.get(name);
    if (plaintext === undefined) {
      plaintext = this.secretBox.open(purpose, sealed);
      if (this.opened.size >= MAX_SECRETS) this.opened.clear();
      this.opened.set(name, plaintext);
    }
    return plaintext;
  }
}
