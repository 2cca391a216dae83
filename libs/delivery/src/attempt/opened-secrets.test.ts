import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretBox, type SecretPurpose } from '#storage/secret-box.js';
import { OpenedSecrets } from './opened-secrets.js';

class CountingSecretBox extends SecretBox {
  opened = 0;

  override open(purpose: SecretPurpose, sealed: Buffer): string {
    this.opened++;
    return super.open(purpose, sealed);
  }
}

describe('opened secrets', () => {
  const box = new CountingSecretBox([randomBytes(32)]);
  const secrets = new OpenedSecrets(box);

  it('are decrypted once for each sealed value, and a rotated one at once', () => {
    const before = box.seal('application-secret', 'before');
    const after = box.seal('application-secret', 'after');
    const read = [before, before, after, before].map((sealed) =>
      secrets.open('application-secret', Buffer.from(sealed)),
    );
    expect(read).toEqual(['before', 'before', 'after', 'before']);
    expect(box.opened).toBe(2);
  });

  it('do not pass for another kind of secret', () => {
    const sealed = box.seal('application-secret', 'mine');
    secrets.open('application-secret', sealed);
    expect(() => secrets.open('endpoint-credentials', sealed)).toThrow();
  });
});
