import { readFile, writeFile } from 'node:fs/promises';
import { cliReference } from '#apps/cli/src/cli-reference.js';
import { readCommandLine } from '#apps/cli/src/command-line.js';
import { COMMANDS } from '#apps/cli/src/command-table.js';
import { describe, expect, it } from '@jest/globals';

const REFERENCE = new URL('../../docs/reference/cli.md', import.meta.url);

/** The words of a line as a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
}

describe('the reference of the command line', () => {
  it('is the help of every command (UPDATE_GENERATED=1 writes it)', async () => {
    const text = await cliReference();
    if (process.env['UPDATE_GENERATED'] === '1') await writeFile(REFERENCE, text);
    expect(await readFile(REFERENCE, 'utf8')).toBe(text);
  });

  it.each(
    COMMANDS.flatMap((entry) => ('commands' in entry ? entry.commands : [entry])).flatMap(({ examples }) =>
      examples.map(([line]) => line),
    ),
  )('shows an example that is understood: %s', async (line) => {
    expect(await readCommandLine(wordsOf(line), 100)).toMatchObject({ kind: 'run' });
  });
});
