/** Shorter values are in any text by chance, and masking them would only spoil it. */
const MIN_SECRET_LENGTH = 4;
export const MASK = '***';

/** Beyond this all are forgotten and made anew. */
const MAX_REMEMBERED = 10_000;
const remembered = new Map<string, readonly string[]>();

/**
 * A text that a receiver sent, without the credentials that it may have echoed: what is kept of its answers can be
 * read by people who may not know them. Found as they are and as careless receivers print them: escaped for JSON,
 * HTML or a URL, and in base64 or hex. One that hides them otherwise has them already and could publish them
 * anywhere. The text may end within a credential, for it was cut, or the connection was.
 */
export function masked(text: string, secrets: Iterable<string>): string {
  if (text.length < MIN_SECRET_LENGTH) return text;
  let result = text;
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    for (const form of formsOf(secret)) result = withoutBeginningAtEnd(result.replaceAll(form, MASK), form);
  }
  return result;
}

/** Leaves out the first part of `form` where the text ends in the middle of it. */
function withoutBeginningAtEnd(text: string, form: string): string {
  const head = form.slice(0, MIN_SECRET_LENGTH);
  let at = text.indexOf(head, Math.max(0, text.length - form.length));
  while (at !== -1 && !form.startsWith(text.slice(at))) at = text.indexOf(head, at + 1);
  return at === -1 ? text : text.slice(0, at) + MASK;
}

/** Every spelling that is masked, the longest first, for one may hold another. */
function formsOf(secret: string): readonly string[] {
  let forms = remembered.get(secret);
  if (forms === undefined) {
    forms = [...new Set(spellings(secret))]
      .filter((form) => form.length >= MIN_SECRET_LENGTH)
      .sort((a, b) => b.length - a.length);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(secret, forms);
  }
  return forms;
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset));
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[\u0080-\uffff]/g, unicodeEscape),
    json.replaceAll('/', '\\/').replace(/[\u0080-\uffff]/g, unicodeEscape),
    secret.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character]!),
    ...urlSpellings(secret),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** What is escaped in URLs beside what `encodeURIComponent` does: nothing, as RFC 3986 asks, as forms do, as PHP does. */
const ALSO_ESCAPED = [/(?!)/g, /[!'()*]/g, /[!'()~]/g, /[!'()*~]/g];

function urlSpellings(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  return ALSO_ESCAPED.flatMap((also) => {
    const text = percent.replace(also, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
    return [text, text.replaceAll('%20', '+'), text.replace(/%../g, (escape) => escape.toLowerCase())];
  });
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The characters that these bytes alone decide in the base64 of a longer text, in which they begin at a byte whose
 * number leaves `offset` when it is divided by three.
 */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
