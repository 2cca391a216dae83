import { describe, expect, it } from '@jest/globals';
import { type Column, tableOf } from './table.js';

const COLUMNS: Column<{ id: string; url: string }>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'url', of: ({ url }) => url, cut: true },
  { title: 'length', of: ({ url }) => url.length, spare: true },
];
const ITEMS = [
  { id: '251604938752001', url: `https://example.com/${'x'.repeat(60)}` },
  { id: '2', url: 'a\nb' },
];

describe('tableOf', () => {
  it('cuts text and leaves ids whole', () => {
    const lines = tableOf(ITEMS, COLUMNS, 60).trimEnd().split('\n');
    expect(lines.map((line) => line.length <= 60)).toEqual([true, true, true]);
    expect(lines[1]).toMatch(/^251604938752001 {2}https:\/\/example\.com\/x+… {2}80$/);
  });

  it('leaves columns out where cutting is not enough, and never an id', () => {
    expect(tableOf(ITEMS, COLUMNS, 32).split('\n')).toEqual([
      'id               url',
      '251604938752001  https://exampl…',
      '2                a\\nb',
      '',
    ]);
    expect(tableOf(ITEMS, COLUMNS, 10)).toContain('251604938752001  https://exa…');
  });

  it('cuts nothing where there is no width, and keeps an item on its line', () => {
    expect(tableOf(ITEMS, COLUMNS, null).split('\n')).toEqual([
      `id               url${' '.repeat(79)}length`,
      `251604938752001  https://example.com/${'x'.repeat(60)}  80`,
      `2                a\\nb${' '.repeat(78)}3`,
      '',
    ]);
  });
});
