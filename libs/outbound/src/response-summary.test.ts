import { describe, expect, it } from '@jest/globals';
import { summarise } from './response-summary.js';

describe('the response summary (TF-36)', () => {
  it('shows plain text as it is', () => {
    expect(summarise('{"ok":true}')).toBe('{"ok":true}');
    expect(summarise('Nota fiscal não encontrada ✓')).toBe('Nota fiscal não encontrada ✓');
  });

  it('ends after 1,024 characters, never inside one', () => {
    expect(summarise('a'.repeat(1_024))).toHaveLength(1_024);
    expect(summarise('a'.repeat(5_000))).toBe('a'.repeat(1_024));
    expect(summarise(`${'a'.repeat(1_023)}😀😀`)).toBe('a'.repeat(1_023));
    expect(summarise(`${'a'.repeat(1_022)}😀😀`)).toBe(`${'a'.repeat(1_022)}😀`);
  });

  it('replaces what could rewrite a terminal or a page, and NUL, which the database refuses', () => {
    expect(summarise('a\r\nb\tc')).toBe('a  b c');
    expect(summarise('\u001b[31mred\u0000\u0007\u0085\u2028')).toBe('\ufffd[31mred\ufffd\ufffd  ');
    expect(summarise('\u202egnp.exe')).toBe('\ufffdgnp.exe');
  });
});
