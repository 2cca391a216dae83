import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const ROOT = new URL('../', import.meta.url);
const NOT_YET = 'not yet';

interface Row {
  readonly promise: string;
  readonly file: string;
  readonly test: string;
}

/** The rows of all tables of a page. */
function rowsOf(page: string): Row[] {
  return readFileSync(new URL(page, ROOT), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (thread |threat |-)/.test(line))
    .map((line) => {
      const [, , promise = '', file = '', test = ''] = line.split('|').map((cell) => cell.trim());
      return { promise, file: file.replaceAll('`', ''), test };
    });
}

/** Every title in a test file, as it is written there: `%s` and `$what` stand for what a table puts in. */
function titlesIn(file: string): string[] {
  const source = readFileSync(new URL(file, ROOT), 'utf8');
  return [...source.matchAll(/'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`/g)].map(
    ([, single, double, template]) => single ?? double ?? template!,
  );
}

describe.each([
  ['docs/reference/lessons.md', 50],
  ['docs/security.md', 20],
])('%s', (page, atLeast) => {
  const rows = rowsOf(page);

  it('has a test for each promise, or says that it has none yet', () => {
    expect(rows.length).toBeGreaterThan(atLeast);
    expect(rows.filter(({ promise, file, test }) => !promise || !file || !test)).toEqual([]);
  });

  it('names tests that are there', () => {
    const named = rows.filter(({ file }) => file !== NOT_YET);
    const missing = named.filter(
      ({ file, test }) => !existsSync(new URL(file, ROOT)) || !titlesIn(file).includes(test),
    );
    expect(missing).toEqual([]);
  });
});
