import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from './rate-limiter.js';

function setUp() {
  let nowMs = 1_000;
  const limiter = new RateLimiter(() => nowMs);
  return {
    limiter,
    pass: (ms: number) => (nowMs += ms),
    take: (count: number, perSecond: number, key = 'a') =>
      Array.from({ length: count }, () => limiter.take(key, perSecond)),
  };
}

describe('RateLimiter', () => {
  it('grants a second’s worth at once, says what is left, and then refuses', () => {
    expect(setUp().take(4, 3)).toEqual([
      { granted: true, remaining: 2 },
      { granted: true, remaining: 1 },
      { granted: true, remaining: 0 },
      { granted: false, remaining: 0 },
    ]);
  });

  it('grants again as time passes, evenly, and never more than a second’s worth', () => {
    const { take, pass } = setUp();
    take(10, 10);
    pass(100);
    expect(take(2, 10).map(({ granted }) => granted)).toEqual([true, false]);
    pass(60_000);
    expect(take(11, 10).filter(({ granted }) => granted)).toHaveLength(10);
  });

  it('is not paid for what it refused', () => {
    const { take, pass } = setUp();
    take(100, 1);
    pass(1_000);
    expect(take(1, 1)).toEqual([{ granted: true, remaining: 0 }]);
  });

  it('counts each key by itself, however many there are', () => {
    const { take, pass } = setUp();
    for (let key = 0; key < 10_001; key++) expect(take(1, 1, `key-${key}`)[0]!.granted).toBe(true);
    expect(take(1, 1, 'key-10000')[0]!.granted).toBe(false);
    pass(1_000);
    expect(take(1, 1, 'key-0')[0]!.granted).toBe(true);
  });

  it('forgets keys at rest and keeps those that are not', () => {
    const { take, pass } = setUp();
    take(2, 2, 'at rest');
    pass(900);
    take(2, 2, 'busy');
    pass(100);
    for (let key = 0; key < 10_000; key++) take(1, 1, `key-${key}`);
    expect(take(1, 2, 'busy')).toEqual([{ granted: false, remaining: 0 }]);
    expect(take(1, 2, 'at rest')).toEqual([{ granted: true, remaining: 1 }]);
  });
});
