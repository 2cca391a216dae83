import { describe, expect, it } from '@jest/globals';
import { checkUrl } from '../url-rules.js';
import { cortecloud } from './cortecloud.js';
import { urlWarnings } from './url-warnings.js';
import { DIVERGENT_URL_VECTORS, URL_VECTORS } from './vectors.js';

describe('the warnings of a registration', () => {
  it.each(URL_VECTORS)('are none where both verifiers agree: $title (CC-06)', ({ url }) => {
    expect(checkUrl(cortecloud.url, url).ok).toBe(true);
    expect(urlWarnings(url)).toEqual([]);
  });

  it.each(DIVERGENT_URL_VECTORS)(
    'name what Python reads, what is signed and the URL to configure: $title (CC-06)',
    ({ url, path, query, host, inPython, cure }) => {
      const checked = checkUrl(cortecloud.url, url);
      expect(checked.ok).toBe(true);
      const warnings = urlWarnings(url);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`Configure receivers with ${checked.ok && checked.url}`);
      const signed = { path, query, host };
      for (const part of ['path', 'query', 'host'] as const) {
        if (cure === null && part !== 'query') continue;
        const read = inPython[part];
        const told = `the ${part} ${read} where ${signed[part]} is signed`;
        if (read === undefined) expect(warnings[0]).not.toContain(`the ${part} `);
        else expect(warnings[0]).toContain(told);
      }
    },
  );

  it.each(DIVERGENT_URL_VECTORS)(
    'are cured by registering the URL that they name, where one cures: $title (CC-06)',
    ({ url, cure }) => {
      if (cure === null) {
        expect(urlWarnings(new URL(url).href)[0]).toContain('however it is written');
      } else {
        expect(cure).toBe(new URL(url).href);
        expect(urlWarnings(cure)).toEqual([]);
      }
    },
  );

  it('sort as Python does, by code point and not by UTF-16 unit (CC-06)', () => {
    // U+FF5E comes before U+1F600 as a code point and after it as a UTF-16 unit; English sorts it first too.
    expect(urlWarnings('https://erp.example.com/?～=1&😀=2')).toEqual([]);
  });
});
