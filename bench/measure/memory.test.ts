import { expect, it } from '@jest/globals';
import { memoryMiBOf, parsePss } from './memory.js';

it('takes the proportional size, not the resident one', () => {
  const text =
    '55d0-7ffe ---p 00000000 00:00 0 [rollup]\nRss:  263168 kB\nPss:   98304 kB\nPss_Dirty: 5 kB\n';
  expect(parsePss(text)).toBe(98_304);
  expect(parsePss('')).toBe(0);
});

it('measures a living process', () => {
  expect(memoryMiBOf({ root: process.pid, without: [] })).toBeGreaterThan(10);
});
