import { describe, expect, it } from '@jest/globals';
import { masked } from './masked.js';

const AWKWARD = `kä"/<b>&'s p+=\\e`;

describe('masked', () => {
  it('leaves nothing of a credential that was echoed, however often', () => {
    expect(masked('token=s3cret; x-token=s3cret', ['s3cret', 'unused'])).toBe('token=***; x-token=***');
  });

  it('leaves a text alone that holds none, and values too short to mean anything', () => {
    expect(masked('all is well', ['a', 'secret'])).toBe('all is well');
    expect(masked('the end of it: sec', ['secret'])).toBe('the end of it: sec');
  });

  const url = encodeURIComponent(AWKWARD);
  const hex = Buffer.from(AWKWARD).toString('hex');
  it.each<[string, string]>([
    ['JSON', JSON.stringify(AWKWARD).slice(1, -1)],
    ['the JSON of PHP', 'k\\u00e4\\"\\/<b>&\'s p+=\\\\e'],
    ['the JSON of Python', 'k\\u00e4\\"/<b>&\'s p+=\\\\e'],
    ['HTML', 'kä&quot;/&lt;b&gt;&amp;&#39;s p+=\\e'],
    ['a URL', url],
    ['a URL in lower case', url.replace(/%../g, (escape) => escape.toLowerCase())],
    ['a URL by RFC 3986', url.replaceAll("'", '%27')],
    ['a form', url.replaceAll('%20', '+')],
    ['the form of a browser', new URLSearchParams({ t: AWKWARD }).toString().slice('t='.length)],
    ['hex', hex],
    ['upper-case hex', hex.toUpperCase()],
  ])('knows a credential as it is written in %s', (_, form) => {
    expect(masked(`token: ${form}, and again ${form}.`, [AWKWARD])).toBe('token: ***, and again ***.');
  });

  it.each(['base64', 'base64url'] as const)(
    'knows a credential within %s, wherever it begins',
    (encoding) => {
      for (const before of ['', 'u', 'us', 'user']) {
        const text = Buffer.from(`${before}?>?>?>-secret-~~~:password`).toString(encoding);
        const left = Buffer.from(
          masked(text, ['?>?>?>-secret-~~~']).replaceAll('***', ''),
          encoding,
        ).toString();
        expect(left).not.toMatch(/>|secret|~~/);
      }
    },
  );

  it('masks the beginning of a credential where the text ends within it', () => {
    expect(masked('{"token":"s3cr', ['s3cret'])).toBe('{"token":"***');
    expect(masked('repeated: aaaaaa', ['aaaaaaaa'])).toBe('repeated: ***');
    expect(masked('s3cr is not at the end', ['s3cret'])).toBe('s3cr is not at the end');
  });
});
