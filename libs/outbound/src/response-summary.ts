const SUMMARY_CHARACTERS = 1_024;
/** A character of UTF-8 has at most four bytes: more of the body cannot show. */
export const SUMMARY_BYTES = SUMMARY_CHARACTERS * 4;

const PLAIN = /^[\x20-\x7e]*$/;
// Line breaks and tabs are only layout. Other control characters, and those that reverse or hide text, could
// rewrite a terminal or an audit page, and PostgreSQL does not store NUL.
const LAYOUT = /[\t\n\r\u0085\u2028\u2029]/g;
const CONTROL = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The first 1,024 characters of what was received, as a line that is safe to show: data, whatever it is. */
export function summarise(received: string): string {
  const cut = received.length > SUMMARY_CHARACTERS ? cutAt(received, SUMMARY_CHARACTERS) : received;
  return PLAIN.test(cut) ? cut : cut.replace(LAYOUT, ' ').replace(CONTROL, '\ufffd');
}

/** Never between the two halves of a character beyond U+FFFF. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
