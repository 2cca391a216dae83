import { describe, expect, it } from '@jest/globals';
import { formatDuration, formatWaitRange, parseDurationMs, parseWaitRange } from './durations.js';

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['6h', 21_600_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('reads %s', (text, ms) => expect(parseDurationMs(text)).toBe(ms));

  it.each(['', '15', 's', '-1s', '1 s', '1S', '1w', '1e3s', '15s..30s'])('refuses %p', (text) =>
    expect(parseDurationMs(text)).toBeNull(),
  );

  it('reads ranges whose bounds are in order', () => {
    expect(parseWaitRange('15s..30s')).toEqual({ minMs: 15_000, maxMs: 30_000 });
    expect(parseWaitRange('1m')).toEqual({ minMs: 60_000, maxMs: 60_000 });
    for (const text of ['30s..15s', '15s..', '..15s', '1s..2s..3s', ''])
      expect(parseWaitRange(text)).toBeNull();
  });

  it('writes what it reads', () => {
    for (const text of ['500ms', '90s', '1m', '2h', '1d'])
      expect(formatDuration(parseDurationMs(text)!)).toBe(text);
    for (const text of ['15s..30s', '1m']) expect(formatWaitRange(parseWaitRange(text)!)).toBe(text);
  });
});
