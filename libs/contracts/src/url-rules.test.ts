import { describe, expect, it } from '@jest/globals';
import { tfFiscal } from './tf-fiscal/tf-fiscal.js';
import { MAX_URL_LENGTH, checkUrl } from './url-rules.js';

function codes(submitted: string, rules = tfFiscal.url): readonly string[] {
  const check = checkUrl(rules, submitted);
  if (check.ok) return [];
  expect(check.problems.every(({ pointer }) => pointer === '/url')).toBe(true);
  return check.problems.map(({ code }) => code);
}

describe('checkUrl', () => {
  it.each([
    ['https://receiver.example/hook', 'https://receiver.example/hook'],
    ['http://receiver.example', 'http://receiver.example/'],
    ['HTTPS://Receiver.Example:443/Hook?b=2&a=1', 'https://receiver.example/Hook?b=2&a=1'],
    ['http://receiver.example:8080/a?x=%20+', 'http://receiver.example:8080/a?x=%20+'],
    ['https://receiver.example/a/../b', 'https://receiver.example/b'],
    ['https://münchen.example/ção', 'https://xn--mnchen-3ya.example/%C3%A7%C3%A3o'],
    ['https://receiver.example/@user:x', 'https://receiver.example/@user:x'],
    ['https://receiver.example?next=//other@x', 'https://receiver.example/?next=//other@x'],
    ['http://8.8.8.8:1/', 'http://8.8.8.8:1/'],
    ['http://[2001:DB8::1]:65535/', 'http://[2001:db8::1]:65535/'],
  ])('takes %s and stores the normalised %s (TF-03)', (submitted, url) => {
    expect(checkUrl(tfFiscal.url, submitted)).toEqual({ ok: true, url });
  });

  it('counts characters as submitted, 500 for tf-fiscal (TF-03)', () => {
    const long = (length: number) => 'https://receiver.example/'.padEnd(length, 'é');
    expect(codes(long(500))).toEqual([]);
    expect(codes(long(501))).toEqual(['URL_TOO_LONG']);
    expect(codes('https://receiver.example/'.padEnd(25, 'x') + '😀'.repeat(475))).toEqual([]);
    const unlimited = { ...tfFiscal.url, maxLength: null };
    expect(codes(long(MAX_URL_LENGTH), unlimited)).toEqual([]);
    expect(codes(long(MAX_URL_LENGTH + 1), unlimited)).toEqual(['URL_TOO_LONG']);
  });

  it.each([
    ['', 'URL_NOT_ABSOLUTE'],
    ['/hook', 'URL_NOT_ABSOLUTE'],
    ['//receiver.example/hook', 'URL_NOT_ABSOLUTE'],
    ['receiver.example/hook', 'URL_NOT_ABSOLUTE'],
    ['receiver.example:8080/hook', 'URL_SCHEME_NOT_ALLOWED'],
    ['ftp://receiver.example/', 'URL_SCHEME_NOT_ALLOWED'],
    ['javascript:alert(1)', 'URL_SCHEME_NOT_ALLOWED'],
    ['file:///etc/passwd', 'URL_SCHEME_NOT_ALLOWED'],
  ])('refuses %j, which is no absolute http or https URL (TF-03)', (submitted, code) => {
    expect(codes(submitted)).toEqual([code]);
  });

  it.each([
    ['http:receiver.example', ['URL_HOST_MISSING']],
    ['http:/receiver.example', ['URL_HOST_MISSING']],
    ['http:///receiver.example', ['URL_HOST_MISSING']],
    ['http:////receiver.example', ['URL_HOST_MISSING']],
    ['http://', ['URL_HOST_MISSING']],
    ['http://?q', ['URL_HOST_MISSING']],
    ['http://:80/', ['URL_HOST_MISSING']],
    ['http:\\\\receiver.example', ['URL_CHARACTER_NOT_ALLOWED', 'URL_HOST_MISSING']],
    ['http://receiver.example\\path', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver.example/a\\b', ['URL_CHARACTER_NOT_ALLOWED']],
    [' http://receiver.example', ['URL_CHARACTER_NOT_ALLOWED', 'URL_NOT_ABSOLUTE']],
    ['http://receiver.example ', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver.example/a b', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://recei\tver.example/', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver.example/\n', ['URL_CHARACTER_NOT_ALLOWED']],
    ['ht\ntp://receiver.example/', ['URL_CHARACTER_NOT_ALLOWED', 'URL_NOT_ABSOLUTE']],
    ['http://receiver.example/\u0000', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver.example/\u007f', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver\u00ad.example/', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver\u200b.example/', ['URL_CHARACTER_NOT_ALLOWED']],
    ['\ufeffhttp://receiver.example/', ['URL_CHARACTER_NOT_ALLOWED', 'URL_NOT_ABSOLUTE']],
    ['http://receiver.example/\ud800', ['URL_CHARACTER_NOT_ALLOWED']],
    ['http://receiver%2eexample/', ['URL_INVALID']],
    ['http://receiver.example:/', ['URL_PORT_NOT_ALLOWED']],
    ['http://receiver.example:080/', ['URL_PORT_NOT_ALLOWED']],
  ])('refuses %j, which a parser would silently repair (TF-03)', (submitted, expected) => {
    expect(codes(submitted)).toEqual(expected);
  });

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://010.8.8.8/',
    'http://127.1:8080/',
    'http://１２７.0.0.1/',
    'http://127.0.0.1./',
  ])('refuses %s and names the address that it spells (TF-03)', (submitted) => {
    const check = checkUrl(tfFiscal.url, submitted);
    expect(check).toMatchObject({ ok: false, problems: [{ code: 'URL_ADDRESS_SPELLING' }] });
    expect(!check.ok && check.problems[0]?.message).toContain(`address ${new URL(submitted).hostname}.`);
  });

  it.each([
    'http://user@receiver.example/',
    'http://user:secret@receiver.example/',
    'http://:secret@receiver.example/',
    'http://@receiver.example/',
    'http://user%40:secret@receiver.example:80/',
  ])('refuses userinfo and never repeats it: %s (TF-03)', (submitted) => {
    expect(codes(submitted)).toEqual(['URL_HAS_USERINFO']);
    expect(JSON.stringify(checkUrl(tfFiscal.url, submitted))).not.toContain('secret');
  });

  it.each(['http://receiver.example/#', 'http://receiver.example/a?b#c', 'http://receiver.example#c'])(
    'refuses a fragment: %s (TF-03)',
    (submitted) => {
      expect(codes(submitted)).toEqual(['URL_HAS_FRAGMENT']);
    },
  );

  it.each(['0', '00', '65536', '99999', '8o', '-1', '80:90', '1e3'])('refuses port %s (TF-03)', (port) => {
    expect(codes(`http://receiver.example:${port}/`)).toEqual(['URL_PORT_NOT_ALLOWED']);
  });

  it.each([
    'http://exa<mple/',
    'http://1.2.3.256/',
    'http://[::1',
    'http://[::g]/',
    'http://[::1]x/',
    'http://a..b%/',
    'http://exa^mple/',
  ])('refuses %s, whose host is none', (submitted) => {
    expect(codes(submitted).length).toBeGreaterThan(0);
  });

  it('allows the schemes of the contract and no other', () => {
    const https = { ...tfFiscal.url, schemes: ['https'] as const };
    expect(codes('https://receiver.example/', https)).toEqual([]);
    expect(codes('http://receiver.example/', https)).toEqual(['URL_SCHEME_NOT_ALLOWED']);
  });

  it.each([
    'ghp-token:@receiver.example/',
    'ghp-token:x@receiver.example/',
    'https://receiver.example:ghp-token/',
    'https://hook:ghp-token/more@receiver.example/',
    'https://ghp-token:more@receiver.example/',
  ])('repeats nothing of %j, where a password or a token was put', (submitted) => {
    const checked = checkUrl(tfFiscal.url, submitted);
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).not.toContain('ghp-token');
  });

  it('reports everything at once, with the place and the cure', () => {
    expect(checkUrl({ schemes: ['https'], maxLength: 20 }, 'http://u@receiver.example:0/a b#c')).toEqual({
      ok: false,
      problems: [
        {
          pointer: '/url',
          code: 'URL_TOO_LONG',
          message: 'The URL has 33 characters. Register one of at most 20.',
        },
        {
          pointer: '/url',
          code: 'URL_CHARACTER_NOT_ALLOWED',
          message: 'Character 30 of the URL is U+0020. Remove it, or percent-encode it if it is meant.',
        },
        { pointer: '/url', code: 'URL_HAS_FRAGMENT', message: expect.stringContaining('Remove "#"') },
        {
          pointer: '/url',
          code: 'URL_SCHEME_NOT_ALLOWED',
          message: 'The scheme "http" is not allowed. Use https://.',
        },
      ],
    });
  });
});
