import type { FieldProblem } from '#domain/errors.js';
import type { Contract } from './contract.js';
import { excerpt } from './problem-list.js';

/** For contracts without a limit of their own: beyond this some receivers refuse the request line. */
export const MAX_URL_LENGTH = 2048;

export type UrlCheck =
  | {
      readonly ok: true;
      /** After WHATWG normalisation (host in lower case and punycode, default port dropped): stored, shown and called. */
      readonly url: string;
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * The syntactic part of a contract's URL rules (TF-03, CC-03). A WHATWG parser repairs much in silence
 * (`http:/host`, `https:\\host`, a tab within a name, `010.8.8.8` as 8.8.8.8), so that a typing mistake would
 * be registered as some other URL; such spellings are refused here. Normalisation that changes no meaning is
 * left to it, and the answer shows the outcome. Which addresses are forbidden is the address guard's matter; it
 * gets the URL that is returned.
 *
 * No message repeats the URL, which may hold a password or a token.
 */
export function checkUrl(rules: Pick<Contract['url'], 'schemes' | 'maxLength'>, submitted: string): UrlCheck {
  const problems: FieldProblem[] = [];
  const refuse = (code: string, message: string) => problems.push({ pointer: '/url', code, message });

  const maxLength = rules.maxLength ?? MAX_URL_LENGTH;
  const length = [...submitted].length;
  if (length > maxLength) {
    refuse('URL_TOO_LONG', `The URL has ${length} characters. Register one of at most ${maxLength}.`);
  }
  const unwanted = /[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\\]/u.exec(submitted);
  if (unwanted) {
    const place = [...submitted.slice(0, unwanted.index)].length + 1;
    const message = `Character ${place} of the URL is ${codePoint(unwanted[0])}. Remove it, or percent-encode it if it is meant.`;
    refuse('URL_CHARACTER_NOT_ALLOWED', message);
  }
  if (submitted.includes('#')) {
    refuse('URL_HAS_FRAGMENT', 'The URL has a fragment, which is never sent. Remove "#" and what follows.');
  }

  const allowed = rules.schemes.map((scheme) => `${scheme}://`).join(' or ');
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/isu.exec(submitted) ?? [];
  const authority = /^\/\/([^/?#\\]+)/u.exec(rest)?.[1];
  if (scheme === undefined) {
    refuse('URL_NOT_ABSOLUTE', `The URL is not absolute. Begin it with ${allowed}.`);
  } else if (!rules.schemes.some((one) => one === scheme.toLowerCase())) {
    // Without what follows a scheme it may be a user name whose scheme was forgotten.
    const named = rest.startsWith('//') ? `The scheme "${excerpt(scheme)}"` : 'The scheme';
    refuse('URL_SCHEME_NOT_ALLOWED', `${named} is not allowed. Use ${allowed}.`);
  } else if (authority === undefined) {
    refuse('URL_HOST_MISSING', `No host follows the scheme. Begin the URL with ${allowed} and the host.`);
  } else {
    checkAuthority(authority, refuse);
  }
  if (problems.length > 0) return { ok: false, problems };

  if (!URL.canParse(submitted)) {
    refuse('URL_INVALID', 'The host of the URL is neither a name nor an address. Check its spelling.');
    return { ok: false, problems };
  }
  const { href, hostname } = new URL(submitted);
  if (/^\d+(\.\d+){3}$/.test(hostname) && authority?.replace(/:\d+$/, '') !== hostname) {
    const message = `The host of the URL is another spelling of the address ${hostname}. Write ${hostname} if it is meant.`;
    refuse('URL_ADDRESS_SPELLING', message);
    return { ok: false, problems };
  }
  return { ok: true, url: href };
}

function checkAuthority(authority: string, refuse: (code: string, message: string) => void): void {
  if (authority.includes('@')) {
    const message =
      'The URL has a user name or password, which logs would show. Remove what is before the host, "@" included.';
    refuse('URL_HAS_USERINFO', message);
    return;
  }
  const [, host = authority, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(authority) ?? [];
  if (host === '') refuse('URL_HOST_MISSING', 'No host comes before the port. Add the host.');
  if (host.includes('%')) {
    refuse('URL_INVALID', 'The host of the URL has a percent sign. Write the name or address plainly.');
  }
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)) {
    const named = /^\d+$/.test(port) ? excerpt(port) : 'What follows the host';
    const message = `${named} is no port. Write 1 to 65535, or remove it with its colon.`;
    refuse('URL_PORT_NOT_ALLOWED', message);
  }
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return character === '\\' ? 'a backslash' : `U+${hex}`;
}
