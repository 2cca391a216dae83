/**
 * What a terminal would obey or hide instead of showing it: control characters (C0, DEL, C1), line and paragraph
 * separators, marks that turn the direction of text, characters without width, tags, halves of surrogate pairs.
 * Receivers, tenants and producers write much of what is shown here.
 */
const HOSTILE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/gu;

/** The text on one line, with what must not reach a terminal written as an escape: `\x1b`, `\n`, `\u202e`. */
export function shownText(text: string): string {
  return text.replaceAll(HOSTILE, escapeOf);
}

/** JSON that no terminal obeys, and that every parser reads as the same value. */
export function shownJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HOSTILE, (character) =>
    // A line feed can only be one that the indent put there: within a text it is an escape already.
    character === '\n' ? character : jsonEscapeOf(character),
  );
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  if (code > 0xff) return code > 0xffff ? `\\u{${code.toString(16)}}` : jsonEscapeOf(character);
  return SHORT[character] ?? `\\x${code.toString(16).padStart(2, '0')}`;
}

function jsonEscapeOf(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
