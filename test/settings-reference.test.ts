import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentExample, settingsReference } from '#config/settings-reference.js';
import { describe, expect, it } from '@jest/globals';

/** Compared with what the schemas say; UPDATE_GENERATED=1 writes the files instead. */
describe('generated files', () => {
  it.each([
    ['docs/reference/settings.md', settingsReference],
    ['.env.example', environmentExample],
  ])('%s says what the settings are', async (name, generate) => {
    const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
    if (process.env['UPDATE_GENERATED'] === '1') {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, generate());
    }
    expect(await readFile(path, 'utf8')).toBe(generate());
  });
});
