import { describe, expect, it } from '@jest/globals';
import { CONTRACT_NAMES, contractNamed, findContract } from './registry.js';

describe('the registry', () => {
  it('finds each contract under its own name, and nothing under others', () => {
    expect(CONTRACT_NAMES).toContain('tf-fiscal');
    for (const name of CONTRACT_NAMES) {
      expect(findContract(name)?.name).toBe(name);
      expect(contractNamed(name)).toBe(findContract(name));
    }
    expect(findContract('__proto__')).toBeUndefined();
  });

  it('says which contracts there are when a stored one is unknown', () => {
    expect(() => contractNamed('gone')).toThrow(
      'Contract "gone" is not in the registry; known are tf-fiscal',
    );
  });
});
