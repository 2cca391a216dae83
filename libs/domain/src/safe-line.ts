const PLAIN = /^[\x20-\x7e]*$/;
// Line breaks and tabs are only layout. Other control characters, and those that reverse or hide text, could
// rewrite a terminal or an audit page, and PostgreSQL does not store NUL.
const LAYOUT = /[\t\n\r\u0085\u2028\u2029]/g;
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text that a stranger sent as one line that is safe to keep and to show: data, whatever it is. */
export function safeLine(text: string): string {
  return PLAIN.test(text) ? text : text.replace(LAYOUT, ' ').replace(CONTROL, '\ufffd');
}

/** The beginning of a text, never cut between the two halves of a character beyond U+FFFF. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
