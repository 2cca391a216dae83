import type { Answer, Received } from '../support/recording-receiver.js';

/** How careless receivers show in their answers what they were sent: a debug page, a log line, a proxy's header. */
const ECHOES: Readonly<Record<string, (request: string) => string>> = {
  plain: (request) => request,
  json: (request) => JSON.stringify({ request }),
  php: (request) => JSON.stringify({ request }).replaceAll('/', '\\/'),
  html: (request) => `<pre>${request.replace(/[&<>"']/g, (character) => HTML[character]!)}</pre>`,
  url: (request) => encodeURIComponent(request),
  hex: (request) => Buffer.from(request).toString('hex'),
  base64: (request) => Buffer.from(request).toString('base64'),
};
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters of a receiver's answer that are kept. */
const KEPT = 1_024;

/** Paths under which every delivery fails, and its credentials come back in the body and in headers. */
export const ECHO_PATHS = [...Object.keys(ECHOES), 'cut'].map((name) => `/${name}`);

/** Answers by the first part of the path; what is no echo is acknowledged. */
export function answerCarelessly({ path, headers }: Received): Answer {
  const kind = path.split('/')[1] ?? '';
  // Without the other headers it fits in what is kept, whatever it is written in.
  const credentials = headers.filter(([name]) =>
    /^(x-token|authorization|x-webhook-client-token)$/i.test(name),
  );
  const request = credentials.map(([name, value]) => `${name}: ${value}`).join('\n');
  if (kind === 'cut') {
    const secret = credentials[0]?.[1] ?? '';
    // Twelve of its characters are kept, and the others are not.
    return { status: 500, body: secret.padStart(KEPT - 12 + secret.length, '.') };
  }
  const show = ECHOES[kind];
  if (!show) return { status: 200 };
  return {
    status: 500,
    headers: { 'x-debug': encodeURIComponent(request), location: `/login?${encodeURIComponent(request)}` },
    body: show(request),
  };
}
