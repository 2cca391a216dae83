import { describe, expect, it } from '@jest/globals';
import { canonicalRequest, signedTarget } from './canonical-request.js';
import { DIVERGENT_URL_VECTORS, EXAMPLE, URL_VECTORS } from './vectors.js';

describe('signedTarget', () => {
  it.each([...URL_VECTORS, ...DIVERGENT_URL_VECTORS])(
    'reads $title as the Node verifier does: $url (CC-31)',
    ({ url, path, query, host }) => {
      expect(signedTarget(url)).toEqual({ path, query, host });
    },
  );

  it('reads the normalised spelling, which is the one called, like the submitted one (CC-03, CC-06)', () => {
    for (const { url } of [...URL_VECTORS, ...DIVERGENT_URL_VECTORS]) {
      expect(signedTarget(new URL(url).href)).toEqual(signedTarget(url));
    }
  });

  it('leaves different names that collate as equal in their order, whatever their values (CC-31)', () => {
    const composed = '%C3%A9';
    const decomposed = 'e%CC%81';
    const query = `${decomposed}=2&${composed}=1`;
    expect(signedTarget(`https://erp.example.com/?${query}`).query).toBe(query);
  });
});

describe('canonicalRequest', () => {
  it('is the documented text for the documented example (CC-31, CC-34)', () => {
    const text = canonicalRequest(signedTarget(EXAMPLE.url), Buffer.from(EXAMPLE.body));
    expect(text).toBe(EXAMPLE.canonicalRequest);
  });

  it('has seven lines, whatever query and body hold: nothing in them adds one (CC-31)', () => {
    const target = signedTarget('https://erp.example.com:8443/in?a=%0Ahost%3Aevil');
    expect(canonicalRequest(target, Buffer.from('a\nb')).split('\n')).toEqual([
      'POST',
      '/in',
      'a=%0Ahost%3Aevil',
      'host:erp.example.com:8443',
      '',
      'host',
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });
});
