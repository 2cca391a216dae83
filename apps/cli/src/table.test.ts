import { describe, expect, it } from '@jest/globals';
import { type Column, tableOf } from './table.js';

const COLUMNS: Column<{ id: string; url: string }>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'url', of: ({ url }) => url },
];
const ITEMS = [
  { id: '251604938752001', url: `https://example.com/${'x'.repeat(60)}` },
  { id: '2', url: 'a\nb' },
];

describe('tableOf', () => {
  it('cuts the widest column first, so that ids stay whole', () => {
    const lines = tableOf(ITEMS, COLUMNS, 60).trimEnd().split('\n');
    expect(lines.map((line) => line.length <= 60)).toEqual([true, true, true]);
    expect(lines[1]).toMatch(/^251604938752001 {2}https:\/\/example\.com\/x+…$/);
  });

  it('cuts nothing where there is no width, and keeps an item on its line', () => {
    expect(tableOf(ITEMS, COLUMNS, null).split('\n')).toEqual([
      'id               url',
      `251604938752001  https://example.com/${'x'.repeat(60)}`,
      '2                a\\nb',
      '',
    ]);
  });
});
