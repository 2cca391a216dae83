import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const LOADER = fileURLToPath(new URL('../support/source-loader.mjs', import.meta.url));
const SOURCE = new URL('../../libs/contracts/src/cortecloud/canonical-request.ts', import.meta.url).href;

// Estonian sorts z before t, Danish aa after z: a worker of that language must not sign otherwise.
const QUERY = 'z=1&t=2&aa=3&b=4';
const PROGRAM = `
  import { signedTarget } from ${JSON.stringify(SOURCE)};
  const { locale } = new Intl.Collator().resolvedOptions();
  console.log(locale, signedTarget('https://erp.example.com/?${QUERY}').query);
`;

describe('a worker in another language', () => {
  it.each(['et-EE', 'da-DK', 'en-US'])('signs the query in the order of English: %s (CC-06)', (locale) => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', LOADER, '--input-type=module', '-e', PROGRAM],
      { encoding: 'utf8', env: { LC_ALL: `${locale.replace('-', '_')}.UTF-8` } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: `${locale} aa=3&b=4&t=2&z=1\n`, stderr: '' });
  });
});
