import { describe, expect, it } from '@jest/globals';
import {
  keptRequestHeaders,
  keptResponseHeaders,
  MAX_RESPONSE_HEADER_CHARACTERS,
  shownHeaders,
} from './kept-headers.js';

const TOKEN = 'token-of-acme-0123456789';

describe('the headers of a request', () => {
  it('are shown in order and casing, with what is no secret as it was', () => {
    const sent = [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['X-Signature', 'a1b2: c3'],
      ['x-empty', ''],
    ] as const;
    expect(shownHeaders(keptRequestHeaders(sent, [TOKEN, '']))).toEqual({
      headers: sent.map(([name, value]) => ({ name, value })),
      cut: false,
    });
  });

  it('show no credential, whole or within, and none that is too short to be looked for in a text', () => {
    const sent = [
      ['token', TOKEN],
      ['Authorization', `Key api-key="${TOKEN}"`],
      ['x-token', 'a'],
      ['X-Letter', 'a b'],
    ] as const;
    expect(shownHeaders(keptRequestHeaders(sent, [TOKEN, 'a'])).headers.map(({ value }) => value)).toEqual([
      '***',
      'Key api-key="***"',
      '***',
      'a b',
    ]);
  });

  it('may be none', () => {
    expect(shownHeaders(keptRequestHeaders([], [TOKEN]))).toEqual({ headers: [], cut: false });
  });
});

describe('the headers of a response', () => {
  it('show no credential that the receiver repeated', () => {
    const came = [
      ['X-Debug', `token=${encodeURIComponent(TOKEN)}`],
      ['X-Base64', Buffer.from(`user:${TOKEN}`).toString('base64')],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ] as const;
    const kept = keptResponseHeaders(came, [TOKEN]);
    expect(kept).not.toContain(TOKEN);
    expect(Buffer.from(/X-Base64: (.*)/.exec(kept)![1]!, 'base64').toString()).not.toContain(TOKEN.slice(4));
    expect(shownHeaders(kept).headers).toMatchObject([
      { name: 'X-Debug', value: 'token=***' },
      { name: 'X-Base64' },
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
    ]);
  });

  it('keep no character that could rewrite a terminal or make a line of its own', () => {
    const came = [['X-Evil', 'a\u0000b\u001b[2Jc\u202ed\r\nX-Forged: yes']] as const;
    expect(shownHeaders(keptResponseHeaders(came, [])).headers).toEqual([
      { name: 'X-Evil', value: 'a\ufffdb\ufffd[2Jc\ufffdd  X-Forged: yes' },
    ]);
  });

  it('are cut where they are many, and that is said', () => {
    const came = Array.from({ length: 100 }, (_, n) => [`X-${n}`, 'v'.repeat(95)] as const);
    const kept = keptResponseHeaders(came, []);
    expect(kept.length).toBeLessThanOrEqual(MAX_RESPONSE_HEADER_CHARACTERS + 2);
    const shown = shownHeaders(kept);
    expect(shown.cut).toBe(true);
    expect(shown.headers.length).toBeGreaterThan(35);
    expect(shown.headers[0]).toEqual({ name: 'X-0', value: 'v'.repeat(95) });
  });

  it('are whole where the cut goes between two of them', () => {
    const value = 'v'.repeat(MAX_RESPONSE_HEADER_CHARACTERS - 'X: \n'.length);
    expect(
      shownHeaders(
        keptResponseHeaders(
          [
            ['X', value],
            ['Y', 'z'],
          ],
          [],
        ),
      ),
    ).toEqual({ headers: [{ name: 'X', value }], cut: true });
  });

  it('show nothing of a credential that the cut goes through', () => {
    const room = MAX_RESPONSE_HEADER_CHARACTERS - 'X: '.length;
    const kept = keptResponseHeaders([['X', `${'.'.repeat(room - 12)}${TOKEN}`]], [TOKEN]);
    expect(kept).not.toContain(TOKEN.slice(0, 4));
    expect(shownHeaders(kept)).toMatchObject({
      cut: true,
      headers: [{ value: expect.stringMatching(/\.\*{3}$/) }],
    });
  });
});
