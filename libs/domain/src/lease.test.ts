import { describe, expect, it } from '@jest/globals';
import { DEFAULT_DEADLINES, leaseMs, leaseNeededMs, queueHorizonMs } from './lease.js';

describe('the lease', () => {
  it('is 60 s with the default deadlines', () => expect(leaseMs(DEFAULT_DEADLINES)).toBe(60_000));

  it('outlasts the longest attempt, its repetition on a fresh connection, and the wait in a queue', () => {
    const longest = DEFAULT_DEADLINES.connectTimeoutMs + 2 * DEFAULT_DEADLINES.maxResponseTimeoutMs;
    expect(leaseNeededMs(DEFAULT_DEADLINES, DEFAULT_DEADLINES.maxResponseTimeoutMs)).toBeGreaterThan(longest);
    expect(
      queueHorizonMs(DEFAULT_DEADLINES) +
        leaseNeededMs(DEFAULT_DEADLINES, DEFAULT_DEADLINES.maxResponseTimeoutMs),
    ).toBeLessThan(leaseMs(DEFAULT_DEADLINES));
    expect(queueHorizonMs(DEFAULT_DEADLINES)).toBeGreaterThan(9_000);
  });
});
