import { describe, expect, it } from '@jest/globals';
import { shownJson, shownText } from './shown-text.js';

describe('shownText', () => {
  it.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['\u009b2J', '\\x9b2J'],
    ['two\r\nlines\tand a tab', 'two\\r\\nlines\\tand a tab'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['line\u2028separator', 'line\\u2028separator'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['half \ud83d of a pair', 'half \\ud83d of a pair'],
    ['São Paulo 😀 ☃ 東京', 'São Paulo 😀 ☃ 東京'],
  ])('shows %j as %j', (text, shown) => {
    expect(shownText(text)).toBe(shown);
  });
});

describe('shownJson', () => {
  it('is the same value to a parser, and nothing that a terminal obeys', () => {
    const value = { name: 'a\u001b[2J\u009b\u007f\u202e\n\u{e0041}é😀' };
    const text = shownJson(value, 2);
    expect(JSON.parse(text)).toEqual(value);

    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u{e0041}]/u);
  });
});
