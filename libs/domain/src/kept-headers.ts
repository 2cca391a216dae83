import { MASK, masked } from './masked.js';
import { cutAt, safeLine } from './safe-line.js';

type Header = readonly [name: string, value: string];

/** Of the headers of a response, together. What is usual has some 500, and each is written with each attempt. */
export const MAX_RESPONSE_HEADER_CHARACTERS = 4_096;
/** Stands as the last line where headers were cut; a header has a colon. */
const CUT = '…';

/** Headers as they are shown, in the order in which they were sent. */
export interface ShownHeaders {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Whether there were more, or more of the last. */
  readonly cut: boolean;
}

/**
 * The headers of a request as they are kept: a line each, credentials masked. A signature stays, for it is what a
 * receiver compares, and nothing follows from it.
 *
 * @param secrets with which the request was made
 */
export function keptRequestHeaders(headers: readonly Header[], secrets: readonly string[]): string {
  return masked(linesOf(headers, secrets), secrets);
}

/**
 * The headers of a response as they are kept: a line each, at most {@link MAX_RESPONSE_HEADER_CHARACTERS}, without the
 * credentials that the receiver may have echoed, and without characters that could do harm where they are shown.
 */
export function keptResponseHeaders(headers: readonly Header[], secrets: readonly string[]): string {
  const lines = linesOf(headers, secrets);
  const kept = cutAt(lines, MAX_RESPONSE_HEADER_CHARACTERS);
  if (kept.length === lines.length) return masked(lines, secrets);
  return `${masked(kept.endsWith('\n') ? kept.slice(0, -1) : kept, secrets)}\n${CUT}`;
}

/** Reads what the two above wrote. */
export function shownHeaders(kept: string): ShownHeaders {
  const lines = kept === '' ? [] : kept.split('\n');
  const cut = lines.at(-1) === CUT;
  if (cut) lines.pop();
  return {
    headers: lines.map((line) => {
      const colon = line.indexOf(':');
      return colon === -1
        ? { name: line, value: '' }
        : { name: line.slice(0, colon), value: line.slice(colon + 2) };
    }),
    cut,
  };
}

/** A secret that is a whole value is left out here: where it is short, {@link masked} takes it for any text. */
function linesOf(headers: readonly Header[], secrets: readonly string[]): string {
  let lines = '';
  for (const [name, value] of headers) {
    if (lines !== '') lines += '\n';
    lines += `${safeLine(name)}: ${value !== '' && secrets.includes(value) ? MASK : safeLine(value)}`;
  }
  return lines;
}
