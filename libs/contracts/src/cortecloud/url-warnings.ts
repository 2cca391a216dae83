import { type QueryPair, type SignedTarget, encodeQuery, signedTarget } from './canonical-request.js';

/**
 * The published verifiers in Node and Python can read one URL differently, and a receiver that runs the other
 * one would refuse every delivery. Deliveries are signed as Node reads it; where Python, configured with the
 * URL as it was submitted, reads something else, the one who registers it is told what to configure (CC-06).
 *
 * @param submitted an https URL that passed the URL rules
 */
export function urlWarnings(submitted: string): readonly string[] {
  const { href } = new URL(submitted);
  const signed = signedTarget(href);
  const asSubmitted = differences(pythonTarget(submitted), signed);
  if (asSubmitted.length === 0) return [];
  const asNormalised = differences(pythonTarget(href), signed);
  if (asNormalised.length === 0) {
    return [
      `The published Python verifier would refuse deliveries to the URL as it was sent, for it reads ${asSubmitted.join(' and ')}. Configure receivers with ${href}, exactly as it is shown here.`,
    ];
  }
  return [
    `The published Python verifier would refuse deliveries to this URL however it is written, for it sorts the query by code point and reads ${asNormalised.join(' and ')}. Configure receivers with ${href} and verify as the Node one does, or register a URL whose parameter names and values are of lower-case letters and digits, which both sort alike.`,
  ];
}

function differences(read: SignedTarget, signed: SignedTarget): readonly string[] {
  return (['path', 'query', 'host'] as const)
    .filter((part) => read[part] !== signed[part])
    .map((part) => `the ${part} ${read[part]} where ${signed[part]} is signed`);
}

/**
 * As the published Python verifier reads a URL: split as text, nothing normalised, the query decoded and
 * sorted by code point. The submitted URL has passed the URL rules, so that nothing in it makes Python's
 * functions strip or refuse something.
 */
function pythonTarget(url: string): SignedTarget {
  const [, host = '', path = '', query = ''] = /^[^/]*\/\/([^/?]*)([^?]*)\??(.*)$/su.exec(url) ?? [];
  const pairs = query
    .split('&')
    .filter((part) => part !== '')
    .map((part): QueryPair => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/su.exec(part) ?? [];
      return [decodeFormText(name), decodeFormText(value)];
    })
    .sort(([name, value], [otherName, otherValue]) =>
      name === otherName ? byCodePoint(value, otherValue) : byCodePoint(name, otherName),
    );
  return { path: path === '' ? '/' : path, query: encodeQuery(pairs), host };
}

/** `+` is a space, escapes are UTF-8; what does not decode stays as it is or becomes U+FFFD. */
function decodeFormText(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', ' '))
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** JavaScript's own order of strings is by UTF-16 unit, which puts U+FF5E after U+1F600. */
function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
