import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cortecloud } from '#contracts/cortecloud/cortecloud.js';
import { HOUR_MS, SECOND_MS } from '#domain/durations.js';
import { waitAfterFailure } from '#domain/retry-policy.js';
import { parseRetryAfterMs } from '#outbound/retry-after.js';

/** The documented ranges in seconds, written again here. */
const RANGES = [
  [15, 30],
  [30, 60],
  [60, 120],
  [120, 240],
  [240, 480],
] as const;

const NOW = Date.UTC(2026, 7, 4, 12, 0, 30, 250);

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: 1, max: RANGES.length });
const seconds = fc.oneof(
  fc.integer({ min: 0, max: 600 }),
  fc.integer({ min: 3_500, max: 3_700 }),
  fc.nat(10_000_000),
);
/** A header with what it asks for, in milliseconds; null where it asks for nothing. */
const retryAfter = fc.oneof(
  fc.constant({ header: null, askedMs: null }),
  seconds.map((count) => ({ header: String(count), askedMs: count * SECOND_MS })),
  seconds.map((count) => {
    const at = Math.floor(NOW / SECOND_MS + count) * SECOND_MS;
    return { header: new Date(at).toUTCString(), askedMs: at >= NOW ? at - NOW : null };
  }),
  fc
    .constantFrom('-1', '1.5', 'soon', '', '10s', 'Tue, 04 Aug 2026 12:00:00 GMT', '2026-08-04T13:00:00Z')
    .map((header) => ({ header, askedMs: null })),
);

function waitMs(failure: number, header: string | null, draw: number): number {
  const askedMs = header === null ? null : parseRetryAfterMs(header, NOW);
  return waitAfterFailure(cortecloud.policy, 1, failure, askedMs, () => draw) ?? Number.NaN;
}

describe('the wait after a failure', () => {
  it('lies within the documented range where no Retry-After asks for more (CC-37, CC-38)', () => {
    fc.assert(
      fc.property(failures, random, retryAfter, (failure, draw, { header, askedMs }) => {
        const [min, max] = RANGES[failure - 1] ?? [0, 0];
        fc.pre(askedMs === null || askedMs <= min * SECOND_MS);
        const wait = waitMs(failure, header, draw);
        expect(wait).toBeGreaterThanOrEqual(min * SECOND_MS);
        expect(wait).toBeLessThanOrEqual(max * SECOND_MS);
      }),
    );
  });

  it('is uniform in its range: each tenth of the draws makes a tenth of the waits (CC-37)', () => {
    for (const [index, [min, max]] of RANGES.entries()) {
      const waits = Array.from({ length: 11 }, (_, tenth) => waitMs(index + 1, null, tenth / 10));
      waits.forEach((wait, tenth) => {
        expect(wait).toBeCloseTo((min + ((max - min) * tenth) / 10) * SECOND_MS, -1);
      });
    }
  });

  it('is the longer of the draw and a Retry-After of at most 1 h, and so never before either (CC-38)', () => {
    fc.assert(
      fc.property(failures, random, retryAfter, (failure, draw, { header, askedMs }) => {
        const drawn = waitMs(failure, null, draw);
        const wait = waitMs(failure, header, draw);
        expect(wait).toBe(Math.max(drawn, Math.min(askedMs ?? 0, HOUR_MS)));
        expect(wait).toBeGreaterThanOrEqual(drawn);
        expect(wait).toBeLessThanOrEqual(HOUR_MS);
      }),
    );
  });

  it('is the drawn one for a malformed, negative or past Retry-After (CC-38)', () => {
    fc.assert(
      fc.property(failures, random, retryAfter, (failure, draw, { header, askedMs }) => {
        fc.pre(header !== null && askedMs === null);
        expect(waitMs(failure, header, draw)).toBe(waitMs(failure, null, draw));
      }),
    );
  });

  it('uses up six attempts in 8 to 16 minutes where nobody asks for more (CC-37)', () => {
    fc.assert(
      fc.property(fc.array(random, { minLength: 5, maxLength: 5 }), (draws) => {
        const total = draws.reduce((sum, draw, index) => sum + waitMs(index + 1, null, draw), 0);
        expect(total).toBeGreaterThanOrEqual(465 * SECOND_MS);
        expect(total).toBeLessThanOrEqual(930 * SECOND_MS);
      }),
    );
  });
});
