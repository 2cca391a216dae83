import { describe, expect, it } from '@jest/globals';
import { masked } from './masked.js';

describe('masked', () => {
  it('leaves nothing of a credential that was echoed, however often', () => {
    expect(masked('token=s3cret; x-token=s3cret', ['s3cret', 'unused'])).toBe('token=***; x-token=***');
  });

  it('leaves a text alone that holds none, and values too short to mean anything', () => {
    expect(masked('all is well', ['a', 'secret'])).toBe('all is well');
  });
});
