import { createHash } from 'node:crypto';

/** What a registered URL contributes to the text that is signed (CC-31). */
export interface SignedTarget {
  readonly path: string;
  /** Decoded, sorted and encoded again; empty where there is none. */
  readonly query: string;
  /** In lower case, with its port unless that is 443. */
  readonly host: string;
}

export type QueryPair = readonly [name: string, value: string];

// The published Node verifier sorts with `localeCompare` and so in the language of its process; without a
// language pinned here a worker's own would decide (CC-06).
const collator = new Intl.Collator('en');

/**
 * As the published Node verifier reads a URL. The request itself goes to `pathname`, `search` and `host` of
 * the same parser, so that path, query and host on the wire are those signed (CC-03).
 *
 * @param url an absolute https URL, in any spelling
 */
export function signedTarget(url: string): SignedTarget {
  const { pathname, searchParams, host } = new URL(url);
  const pairs = [...searchParams].sort(([name, value], [otherName, otherValue]) =>
    // Different names may collate as equal ("é" in its two forms). They keep their order, whatever their values.
    name === otherName ? collator.compare(value, otherValue) : collator.compare(name, otherName),
  );
  return { path: pathname, query: encodeQuery(pairs), host };
}

export function encodeQuery(pairs: readonly QueryPair[]): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

/** The text whose HMAC is the signature (CC-31). */
export function canonicalRequest({ path, query, host }: SignedTarget, body: Buffer): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  return ['POST', path, query, `host:${host}`, '', 'host', bodyHash].join('\n');
}
