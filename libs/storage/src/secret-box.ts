import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** Where a sealed value names its key: statements that look for one read it there. */
export const KEY_ID_AT = 1;
export const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of a sealed value, so that another layout can follow. */
const LAYOUT = 1;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** What a sealed value is for; bound into it, so that one kind cannot be passed off as another. */
export type SecretPurpose = 'application-secret' | 'endpoint-credentials';

/** A sealed value's key is not in the list: the process is configured wrongly, and the value may be sound. */
export class UnknownEncryptionKey extends Error {
  override readonly name = 'UnknownEncryptionKey';

  constructor(
    purpose: SecretPurpose,
    readonly keyId: string,
  ) {
    super(
      `A sealed ${purpose} was encrypted with key ${keyId}, which ENCRYPTION_KEY does not list. ` +
        `Add that key to the end of the list.`,
    );
  }
}

/**
 * Encrypts secrets at rest: layout, key id, nonce, tag, ciphertext. The first key encrypts, all decrypt, so a
 * list of keys rotates.
 */
export class SecretBox {
  /** In the order of the list: 8 hexadecimal digits, part of a digest, which tell nothing of the key. */
  readonly keyIds: readonly string[];
  private readonly keys: readonly { id: Buffer; key: Buffer }[];

  /** @param keys 32 bytes each, at least one */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
      throw new Error(`SecretBox needs at least one key of ${KEY_BYTES} bytes.`);
    }
    this.keys = keys.map((key) => ({
      id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES),
      key,
    }));
    this.keyIds = this.keys.map(({ id }) => id.toString('hex'));
  }

  seal(purpose: SecretPurpose, plaintext: string): Buffer {
    const { id, key } = this.keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([LAYOUT]), id, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /**
   * @throws UnknownEncryptionKey
   * @throws when the value was changed; the message names no secret
   */
  open(purpose: SecretPurpose, sealed: Buffer): string {
    if (sealed.length < HEADER_BYTES || sealed[0] !== LAYOUT) {
      throw new Error(`A sealed ${purpose} has an unknown layout.`);
    }
    const nonceAt = KEY_ID_AT + KEY_ID_BYTES;
    const id = sealed.subarray(KEY_ID_AT, nonceAt);
    const entry = this.keys.find((candidate) => candidate.id.equals(id));
    if (!entry) throw new UnknownEncryptionKey(purpose, id.toString('hex'));
    const tagAt = nonceAt + NONCE_BYTES;
    const decipher = createDecipheriv(ALGORITHM, entry.key, sealed.subarray(nonceAt, tagAt))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(tagAt, HEADER_BYTES));
    return decipher.update(sealed.subarray(HEADER_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}
