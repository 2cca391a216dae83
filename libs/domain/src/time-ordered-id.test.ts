import { describe, expect, it } from '@jest/globals';
import { firstIdAt, idDay, idTime, parseTimeOrderedId } from './time-ordered-id.js';

describe('time-ordered ids', () => {
  it('carry their time to the millisecond and their day', () => {
    const at = new Date('2026-11-30T23:59:59.999Z');
    expect(idTime(firstIdAt(at))).toEqual(at);
    expect(idTime(firstIdAt(at) + 4095)).toEqual(at);
    expect(idDay(firstIdAt(at))).toEqual(new Date('2026-11-30T00:00:00Z'));
  });

  it('are safe integers until 2090', () => {
    expect(Number.isSafeInteger(firstIdAt(new Date('2090-01-01T00:00:00Z')))).toBe(true);
  });

  it('are read from decimal digits and nothing else', () => {
    expect(parseTimeOrderedId('247314076471297')).toBe(247314076471297);
    for (const text of ['', '0', '007', '-1', '1.5', '1e5', ' 1', '9007199254740993', '99999999999999999']) {
      expect(parseTimeOrderedId(text)).toBeNull();
    }
  });
});
