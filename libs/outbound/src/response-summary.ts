import { cutAt, safeLine } from '#domain/safe-line.js';

const SUMMARY_CHARACTERS = 1_024;
/** A character of UTF-8 has at most four bytes: more of the body cannot show. */
export const SUMMARY_BYTES = SUMMARY_CHARACTERS * 4;

/** The first 1,024 characters of what was received, as a line that is safe to show: data, whatever it is. */
export function summarise(received: string): string {
  return safeLine(cutAt(received, SUMMARY_CHARACTERS));
}
