import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const [first, second] = [randomBytes(32), randomBytes(32)];

describe('SecretBox', () => {
  it('opens what it sealed, and never seals the same way twice', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('application-secret', 'süß');
    expect(box.open('application-secret', sealed)).toBe('süß');
    expect(sealed.includes(Buffer.from('süß'))).toBe(false);
    expect(box.seal('application-secret', 'süß').equals(sealed)).toBe(false);
  });

  it('rotates: the first key encrypts, all decrypt', () => {
    const sealed = new SecretBox([first]).seal('endpoint-credentials', '{}');
    const rotated = new SecretBox([second, first]);
    expect(rotated.open('endpoint-credentials', sealed)).toBe('{}');
    expect(() =>
      new SecretBox([first]).open('endpoint-credentials', rotated.seal('endpoint-credentials', '{}')),
    ).toThrow('ENCRYPTION_KEY');
  });

  it('refuses what was changed, or sealed for another purpose, and names no secret', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('application-secret', 'top-secret');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1]! ^= 1;
    for (const open of [
      () => box.open('application-secret', changed),
      () => box.open('endpoint-credentials', sealed),
      () => box.open('application-secret', Buffer.from('x')),
    ]) {
      expect(open).toThrow();
      expect(open).not.toThrow('top-secret');
    }
  });

  it('needs keys of 32 bytes', () => {
    expect(() => new SecretBox([])).toThrow('at least one key');
    expect(() => new SecretBox([randomBytes(16)])).toThrow('32 bytes');
  });
});
