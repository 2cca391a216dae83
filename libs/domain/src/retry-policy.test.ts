import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from './durations.js';
import { cycleLength, type DeliveryPolicy, waitAfterFailure } from './retry-policy.js';

const POLICY: DeliveryPolicy = {
  waits: [
    { minMs: 1_000, maxMs: 1_000 },
    { minMs: 15_000, maxMs: 30_000 },
  ],
  timeoutMs: 10_000,
  firstAttemptDelayMs: 0,
  breakerThreshold: 10,
  respectRetryAfter: false,
  retryAfterCapMs: HOUR_MS,
  concurrencyPerWorker: 10,
  sendTraceparent: false,
  exhausted: 'dead',
  redelivery: 'full-cycle',
};

describe('waitAfterFailure', () => {
  it('gives each failure its wait and ends the cycle after the last attempt', () => {
    expect(waitAfterFailure(POLICY, 1, 1, null, () => 0.5)).toBe(1_000);
    expect(waitAfterFailure(POLICY, 1, 2, null, () => 0)).toBe(15_000);
    expect(waitAfterFailure(POLICY, 1, 2, null, () => 0.5)).toBe(22_500);
    expect(waitAfterFailure(POLICY, 1, 3, null, () => 0.5)).toBeNull();
  });

  it('makes a later cycle as long as the first, or one attempt, as the contract says', () => {
    expect(cycleLength(POLICY, 2)).toBe(3);
    const single: DeliveryPolicy = { ...POLICY, redelivery: 'single-attempt' };
    expect(cycleLength(single, 1)).toBe(3);
    expect(cycleLength(single, 2)).toBe(1);
    expect(waitAfterFailure(single, 2, 1, null, () => 0)).toBeNull();
  });

  it('ignores Retry-After unless it is to be respected', () => {
    expect(waitAfterFailure(POLICY, 1, 1, 60_000, () => 0)).toBe(1_000);
    const respecting: DeliveryPolicy = { ...POLICY, respectRetryAfter: true };
    expect(waitAfterFailure(respecting, 1, 1, 60_000, () => 0)).toBe(60_000);
    expect(waitAfterFailure(respecting, 1, 1, 10, () => 0)).toBe(1_000);
    expect(waitAfterFailure(respecting, 1, 1, 9 * HOUR_MS, () => 0)).toBe(HOUR_MS);
  });
});
