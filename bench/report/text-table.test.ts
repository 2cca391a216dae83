import { expect, it } from '@jest/globals';
import { check } from 'prettier';
import { markdownTable, textTable } from './text-table.js';

const LINES = [
  ['', 'deliveries/s', 'ms'],
  ['standalone', '3,100', '2.1 / 6.0'],
  ['kafka', '900', ''],
];

it('sets the first column to the left and figures to the right', () => {
  expect(textTable(LINES).split('\n')).toEqual([
    '            deliveries/s         ms',
    'standalone         3,100  2.1 / 6.0',
    'kafka                900',
  ]);
});

it('writes Markdown as Prettier does, so that a generated table passes the check of the format', async () => {
  expect(await check(`${markdownTable(LINES)}\n`, { parser: 'markdown' })).toBe(true);
});
