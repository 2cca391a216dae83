/**
 * JSON read as a tree that keeps the exact text of every value: digits, escapes, the order of members.
 * `JSON.parse` loses all three (`1.0` becomes 1, `"\u00e9"` becomes `é`, the key `"1"` moves to the front),
 * and receivers get what the producer wrote (TF-21).
 *
 * Members are arrays of pairs, never properties, so a key such as `__proto__` is a key like any other.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;

export interface JsonObject {
  readonly kind: 'object';
  /** The exact text, from `{` to `}`, whitespace within included: see {@link minify}. */
  readonly source: string;
  /** In the order written; no two have the same key. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  /** With its escapes resolved. */
  readonly key: string;
  /** The exact text, quotes included. */
  readonly keySource: string;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: 'array';
  readonly source: string;
  readonly items: readonly JsonNode[];
}

export interface JsonString {
  readonly kind: 'string';
  /** The exact text, quotes and escapes included. */
  readonly source: string;
  /** With its escapes resolved; a `\ud800` without its partner is a lone surrogate here. */
  readonly value: string;
}

export interface JsonNumber {
  readonly kind: 'number';
  readonly source: string;
}

export interface JsonBoolean {
  readonly kind: 'boolean';
  readonly source: 'true' | 'false';
}

export interface JsonNull {
  readonly kind: 'null';
  readonly source: 'null';
}

/** Objects and arrays within each other; enough for any payload, and far below what the call stack bears. */
export const MAX_JSON_DEPTH = 64;

/** Why a text was not read. The message says what, where and what to do, and repeats little of the text. */
export class JsonSourceError extends Error {
  override readonly name = 'JsonSourceError';

  constructor(
    /** `DUPLICATE_KEY`: well-formed otherwise. */
    readonly code: 'NOT_JSON' | 'DUPLICATE_KEY' | 'TOO_DEEP',
    /** JSON pointer to the value (or the second of two equal keys) where reading stopped. */
    readonly pointer: string,
    /** Position in the text in UTF-16 units, from 0. */
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads one strict RFC 8259 text, whatever it holds; nothing is assumed of it. Beyond the grammar it refuses
 * a key that appears twice in one object, deeper nesting than `maxDepth`, and raw lone surrogates, which no
 * UTF-8 text can hold (as escapes they pass, like `\u0000`).
 *
 * Slices share memory with `text`: keep a node and the whole text is kept. On the path of every event: some
 * 3 µs per KB, three times the native `JSON.parse`.
 *
 * @param maxDepth for a text that wraps payloads of {@link MAX_JSON_DEPTH}, that plus the wrapping
 * @throws JsonSourceError
 */
export function parseJsonSource(text: string, { maxDepth = MAX_JSON_DEPTH } = {}): JsonNode {
  return new JsonSourceParser(text, maxDepth).document();
}

/** The value under a key, or undefined. For a look-up or two: it walks the members. */
export function memberValue(object: JsonObject, key: string): JsonNode | undefined {
  return object.members.find((member) => member.key === key)?.value;
}

/** The JSON pointer (RFC 6901) to a member or item of what `parent` points to. */
export function childPointer(parent: string, child: string | number): string {
  return `${parent}/${String(child).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Removes insignificant whitespace and nothing else. The text must be well-formed JSON; of anything else the
 * result means nothing, but it is always a result, in linear time.
 */
export function minify(json: string): string {
  if (!/[ \t\n\r]/.test(json)) return json;
  let compact = '';
  let keptFrom = 0;
  let at = 0;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (isWhitespace(code)) {
      compact += json.slice(keptFrom, at);
      do at += 1;
      while (isWhitespace(json.charCodeAt(at)));
      keptFrom = at;
    } else {
      at += 1;
    }
  }
  return compact + json.slice(keptFrom);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;

const TRUE: JsonBoolean = { kind: 'boolean', source: 'true' };
const FALSE: JsonBoolean = { kind: 'boolean', source: 'false' };
const NULL: JsonNull = { kind: 'null', source: 'null' };

/** Up to here comparing each key with those before it costs less than filling a set. */
const FEW_MEMBERS = 16;

/** All comparisons are with NaN, and so false, past the end of the text: every loop ends there. */
class JsonSourceParser {
  private at = 0;
  /** The first of them. Thrown at the end, so that it says of a text that the grammar was kept. */
  private duplicate: JsonSourceError | null = null;
  /** The key or index being read at each depth; only its first `depth` entries mean anything. */
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  document(): JsonNode {
    if (!this.text.isWellFormed()) {
      const offset = this.text.search(/\p{Surrogate}/u);
      throw this.error('NOT_JSON', 0, offset, 'A lone surrogate is no Unicode text; write it as an escape');
    }
    this.skipWhitespace();
    const node = this.value(0);
    this.skipWhitespace();
    if (this.at < this.text.length) throw this.unexpected(0, 'the end of the text');
    if (this.duplicate) throw this.duplicate;
    return node;
  }

  private value(depth: number): JsonNode {
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.string(depth);
      case OPEN_BRACE:
        return this.object(depth);
      case OPEN_BRACKET:
        return this.array(depth);
      case LOWER_T:
        return this.literal(depth, TRUE);
      case LOWER_F:
        return this.literal(depth, FALSE);
      case LOWER_N:
        return this.literal(depth, NULL);
      default:
        return this.number(depth);
    }
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const start = this.at;
    const members: JsonMember[] = [];
    let seen: Set<string> | null = null;
    this.at += 1;
    this.skipWhitespace();
    if (this.text.charCodeAt(this.at) === CLOSE_BRACE) {
      this.at += 1;
      return { kind: 'object', source: this.text.slice(start, this.at), members };
    }
    for (;;) {
      const keyAt = this.at;
      if (this.text.charCodeAt(keyAt) !== QUOTE) throw this.unexpected(depth, 'a key in double quotes');
      const { value: key, source: keySource } = this.string(depth);
      if (members.length === FEW_MEMBERS) seen = new Set(members.map((member) => member.key));
      this.path[depth] = key;
      if (seen ? seen.has(key) : hasKey(members, key)) {
        const message = `The key ${excerpt(keySource)} appears twice in one object; send it once`;
        this.duplicate ??= this.error('DUPLICATE_KEY', depth + 1, keyAt, message);
      }
      seen?.add(key);
      this.skipWhitespace();
      if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected(depth + 1, '":" after the key');
      this.at += 1;
      this.skipWhitespace();
      members.push({ key, keySource, value: this.value(depth + 1) });
      this.skipWhitespace();
      const next = this.text.charCodeAt(this.at);
      if (next !== COMMA && next !== CLOSE_BRACE) throw this.unexpected(depth, '"," or "}" after the member');
      this.at += 1;
      if (next === CLOSE_BRACE) break;
      this.skipWhitespace();
    }
    return { kind: 'object', source: this.text.slice(start, this.at), members };
  }

  private array(depth: number): JsonArray {
    this.enter(depth);
    const start = this.at;
    const items: JsonNode[] = [];
    this.at += 1;
    this.skipWhitespace();
    if (this.text.charCodeAt(this.at) === CLOSE_BRACKET) {
      this.at += 1;
      return { kind: 'array', source: this.text.slice(start, this.at), items };
    }
    for (;;) {
      this.path[depth] = items.length;
      items.push(this.value(depth + 1));
      this.skipWhitespace();
      const next = this.text.charCodeAt(this.at);
      if (next !== COMMA && next !== CLOSE_BRACKET) throw this.unexpected(depth, '"," or "]" after the item');
      this.at += 1;
      if (next === CLOSE_BRACKET) break;
      this.skipWhitespace();
    }
    return { kind: 'array', source: this.text.slice(start, this.at), items };
  }

  private string(depth: number): JsonString {
    const text = this.text;
    const start = this.at;
    let escaped = false;
    let at = start + 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) {
        at += 1;
      } else if (code === QUOTE) {
        break;
      } else if (code === BACKSLASH) {
        escaped = true;
        at = this.escape(depth, at);
      } else {
        this.at = at;
        throw this.unexpected(depth, 'the closing quote of a string (control characters must be escaped)');
      }
    }
    this.at = at + 1;
    const source = text.slice(start, this.at);
    const value = escaped ? (JSON.parse(source) as string) : text.slice(start + 1, at);
    return { kind: 'string', source, value };
  }

  /** Where the text goes on after the escape at `at`. */
  private escape(depth: number, at: number): number {
    const code = this.text.charCodeAt(at + 1);
    if (code === LOWER_U) {
      for (let digit = at + 2; digit < at + 6; digit += 1) {
        if (isHexDigit(this.text.charCodeAt(digit))) continue;
        this.at = digit;
        throw this.unexpected(depth, 'four hexadecimal digits after "\\u"');
      }
      return at + 6;
    }
    if ('"\\/bfnrt'.includes(this.text.charAt(at + 1)) && !Number.isNaN(code)) return at + 2;
    this.at = at + 1;
    throw this.unexpected(depth, 'one of " \\ / b f n r t u after the backslash');
  }

  private number(depth: number): JsonNumber {
    const start = this.at;
    if (this.text.charCodeAt(this.at) === MINUS) this.at += 1;
    const first = this.text.charCodeAt(this.at);
    if (!isDigit(first)) throw this.unexpected(depth, this.at === start ? 'a value' : 'a digit');
    if (first === ZERO) this.at += 1;
    else this.digits(depth);
    if (this.text.charCodeAt(this.at) === DOT) {
      this.at += 1;
      this.digits(depth);
    }
    // `| 0x20` makes E and e one.
    if ((this.text.charCodeAt(this.at) | 0x20) === LOWER_E) {
      this.at += 1;
      const sign = this.text.charCodeAt(this.at);
      if (sign === PLUS || sign === MINUS) this.at += 1;
      this.digits(depth);
    }
    return { kind: 'number', source: this.text.slice(start, this.at) };
  }

  private digits(depth: number): void {
    if (!isDigit(this.text.charCodeAt(this.at))) throw this.unexpected(depth, 'a digit');
    do this.at += 1;
    while (isDigit(this.text.charCodeAt(this.at)));
  }

  private literal<T extends JsonBoolean | JsonNull>(depth: number, node: T): T {
    if (!this.text.startsWith(node.source, this.at)) throw this.unexpected(depth, 'a value');
    this.at += node.source.length;
    return node;
  }

  private enter(depth: number): void {
    if (depth < this.maxDepth) return;
    const message = `Objects and arrays are nested more than ${this.maxDepth} deep; send a flatter value`;
    throw this.error('TOO_DEEP', depth, this.at, message);
  }

  private skipWhitespace(): void {
    while (isWhitespace(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private unexpected(depth: number, expected: string): JsonSourceError {
    const found = this.text.codePointAt(this.at);
    const what =
      found === undefined ? 'the text ends' : `there is ${JSON.stringify(String.fromCodePoint(found))}`;
    return this.error('NOT_JSON', depth, this.at, `Expected ${expected}, but ${what} at offset ${this.at}`);
  }

  private error(
    code: JsonSourceError['code'],
    depth: number,
    offset: number,
    message: string,
  ): JsonSourceError {
    const pointer = this.path.slice(0, depth).reduce<string>(childPointer, '');
    return new JsonSourceError(code, pointer, offset, `${message}.`);
  }
}

function hasKey(members: readonly JsonMember[], key: string): boolean {
  for (const member of members) if (member.key === key) return true;
  return false;
}

function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** The position after the string that begins at `at`, or the end of a text that never closes it. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function excerpt(source: string): string {
  return source.length <= 60 ? source : `${source.slice(0, 60)}…`;
}
