import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moments.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');

describe('momentOf', () => {
  it.each([
    ['2026-01-31T10:00:00Z', 'ago', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00-03:00', 'ago', '2026-01-31T13:00:00.000Z'],
    ['2026-01-31', 'ago', '2026-01-31T00:00:00.000Z'],
    ['2h', 'ago', '2026-01-31T10:00:00.000Z'],
    ['1.5d', 'ago', '2026-01-30T00:00:00.000Z'],
    ['24h', 'ahead', '2026-02-01T12:00:00.000Z'],
  ] as const)('reads %s (%s)', (text, direction, time) => {
    expect(momentOf('since', direction, text, NOW)).toBe(time);
  });

  it.each(['yesterday', '2026-01-31T10:00:00', '2026-13-01', '2 h', '31/01/2026', '', '999999999d'])(
    'refuses %j, which is no time or means another one elsewhere',
    (text) => {
      expect(() => momentOf('since', 'ago', text, NOW)).toThrow(`--since ${JSON.stringify(text)} is no time`);
    },
  );
});
