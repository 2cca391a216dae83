import { describe, expect, it } from '@jest/globals';
import { parseRetryAfterMs } from './retry-after.js';

const NOW_MS = Date.UTC(2026, 7, 2, 10, 0, 0);

describe('Retry-After (lessons: S#2200)', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sun, 02 Aug 2026 10:00:30 GMT', 30_000],
    ['Sunday, 02-Aug-26 10:01:00 GMT', 60_000],
    ['Sun Aug  2 10:00:05 2026', 5_000],
    ['Sun, 02 Aug 2026 10:00:00 GMT', 0],
  ])('reads %j', (value, waitMs) => {
    expect(parseRetryAfterMs(value, NOW_MS)).toBe(waitMs);
  });

  it.each([
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '12, 13',
    '2026-08-02T10:00:30Z',
    'Sun, 02 Aug 2026 10:00:30',
    'Sun, 02 Aug 2026 10:00:30 +0200',
    'Sun, 02 Aug 2026 25:61:61 GMT',
    'Sun, 02 Aug 2026 09:59:59 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
  ])('takes %j, malformed, negative or past, as absent', (value) => {
    expect(parseRetryAfterMs(value, NOW_MS)).toBeNull();
  });

  it('cuts what no schedule could hold', () => {
    expect(parseRetryAfterMs('9'.repeat(400), NOW_MS)).toBe(366 * 86_400_000);
    expect(parseRetryAfterMs('Fri, 31 Dec 9999 23:59:59 GMT', NOW_MS)).toBe(366 * 86_400_000);
  });
});
