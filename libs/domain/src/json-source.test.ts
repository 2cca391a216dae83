import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type JsonNode,
  JsonSourceError,
  childPointer,
  memberValue,
  minify,
  parseJsonSource,
} from './json-source.js';

function refusalOf(text: string): JsonSourceError {
  try {
    parseJsonSource(text);
  } catch (error) {
    if (error instanceof JsonSourceError) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 80)} was accepted`);
}

/** What `JSON.parse` would have made of the text that the node was read from. */
function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
    case 'array':
      return node.items.map(plain);
    case 'string':
      return node.value;
    default:
      return JSON.parse(node.source);
  }
}

describe('parseJsonSource', () => {
  it('keeps digits, escapes and the order of integer-like keys, which JSON.parse loses (TF-21)', () => {
    const text = '{"b":1.0,"10":12345678901234567890,"1":-0.0,"a":"\\u00e9\\/","2":1E+400}';
    const root = parseJsonSource(text);
    expect(root.source).toBe(text);
    expect(root.kind === 'object' && root.members.map((m) => [m.key, m.value.source])).toEqual([
      ['b', '1.0'],
      ['10', '12345678901234567890'],
      ['1', '-0.0'],
      ['a', '"\\u00e9\\/"'],
      ['2', '1E+400'],
    ]);
  });

  it('slices nested values from bracket to bracket, whitespace within included', () => {
    const root = parseJsonSource(' { "data" :\t{ "a" : [ 1 , { } ] } , "z" : null } ');
    expect(root.kind === 'object' && memberValue(root, 'data')?.source).toBe('{ "a" : [ 1 , { } ] }');
  });

  it('resolves escapes of keys and values beside their source', () => {
    const root = parseJsonSource('{"caf\\u00e9":"a\\nb"}');
    expect(root.kind === 'object' && root.members[0]).toEqual({
      key: 'café',
      keySource: '"caf\\u00e9"',
      value: { kind: 'string', source: '"a\\nb"', value: 'a\nb' },
    });
  });

  it('passes NUL and lone surrogates as the escapes that they were', () => {
    const text = '["\\u0000","\\ud800","\\uDFFF"]';
    expect(parseJsonSource(text).source).toBe(text);
  });

  it('treats __proto__ as a key like any other', () => {
    const root = parseJsonSource('{"__proto__":{"polluted":true},"constructor":1}');
    expect(root.kind === 'object' && root.members.map((member) => member.key)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['few members', '{"x":{"a":1,"b":2,"a":3}}', '/x/a', 18],
    ['an escaped spelling', '{"a":1,"\\u0061":2}', '/a', 7],
    ['__proto__', '{"__proto__":1,"__proto__":2}', '/__proto__', 15],
    ['a key that pointers escape', '[{"a/b~c":1,"a/b~c":2}]', '/0/a~1b~0c', 12],
  ])('refuses a duplicate key: %s', (_, text, pointer, offset) => {
    expect(refusalOf(text)).toMatchObject({ code: 'DUPLICATE_KEY', pointer, offset });
  });

  it('refuses a duplicate key among many members, whichever two they are', () => {
    for (let first = 0; first < 40; first += 1) {
      const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
      const text = `{${[...keys, `k${first}`].map((key) => `"${key}":0`).join(',')}}`;
      expect(refusalOf(text)).toMatchObject({ code: 'DUPLICATE_KEY', pointer: `/k${first}` });
    }
  });

  it('calls a text with a duplicate key and a fault after it no JSON', () => {
    expect(refusalOf('{"a":1,"a":2')).toMatchObject({ code: 'NOT_JSON', offset: 12 });
  });

  it('reads 64 levels and refuses the 65th, wherever the limit is set', () => {
    const nested = (depth: number) => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
    expect(parseJsonSource(nested(64)).kind).toBe('array');
    expect(refusalOf(nested(66))).toMatchObject({
      code: 'TOO_DEEP',
      pointer: '/0/a'.repeat(32),
      offset: 192,
    });
    expect(parseJsonSource(nested(66), { maxDepth: 66 }).kind).toBe('array');
  });

  it('does not exhaust the stack on a million brackets', () => {
    expect(refusalOf('['.repeat(1_000_000)).code).toBe('TOO_DEEP');
  });

  it.each([
    ['', ''],
    [' ', ''],
    ['\ufeff{}', ''],
    ['{} {}', ''],
    ['{"a":1,}', ''],
    ['{a:1}', ''],
    ["{'a':1}", ''],
    ['{"a" 1}', '/a'],
    ['{"a":}', '/a'],
    ['{"a":[1,2,x]}', '/a/2'],
    ['[1,]', '/1'],
    ['[1', ''],
    ['[1 2]', ''],
    ['{"a":1', ''],
    ['01', ''],
    ['-', ''],
    ['+1', ''],
    ['1.', ''],
    ['.5', ''],
    ['1e', ''],
    ['1e+', ''],
    ['0x10', ''],
    ['NaN', ''],
    ['Infinity', ''],
    ['tru', ''],
    ['nulll', ''],
    ['"a', ''],
    ['"a\\', ''],
    ['"\\x"', ''],
    ['"\\u12G4"', ''],
    ['"\\u12', ''],
    ['"a\nb"', ''],
    ['"a\u0000b"', ''],
    ['[1]\u00a0', ''],
    ['/* */1', ''],
  ])('refuses %j, which is not JSON', (text, pointer) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(refusalOf(text)).toMatchObject({ code: 'NOT_JSON', pointer });
  });

  it('says what it expected, what it found and where', () => {
    expect(refusalOf('{"a": tree}').message).toBe('Expected a value, but there is "t" at offset 6.');
    expect(refusalOf('{"a": 1').message).toBe(
      'Expected "," or "}" after the member, but the text ends at offset 7.',
    );
  });

  it('refuses a raw lone surrogate, which no UTF-8 text can hold', () => {
    expect(refusalOf('["a\ud800"]')).toMatchObject({ code: 'NOT_JSON', offset: 3 });
    expect(refusalOf('["😀\udc00"]')).toMatchObject({ code: 'NOT_JSON', offset: 4 });
  });

  it('reads whatever JSON.stringify writes, indented or not, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('', ' ', '\t', '\n\r '), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plain(parseJsonSource(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts of damaged texts exactly what JSON.parse accepts, duplicate keys aside', () => {
    const damage = fc.record({
      value: fc.jsonValue({ maxDepth: 3 }),
      at: fc.nat(),
      removed: fc.nat(2),
      added: fc.constantFrom(
        '',
        '"',
        '\\',
        '0',
        '-',
        '.',
        'e',
        ',',
        ':',
        '{',
        '}',
        '[',
        ']',
        ' ',
        '\u0001',
        't',
      ),
    });
    fc.assert(
      fc.property(damage, ({ value, at, removed, added }) => {
        const whole = JSON.stringify(value);
        const place = at % (whole.length + 1);
        const text = (whole.slice(0, place) + added + whole.slice(place + removed)).toWellFormed();
        const native = outcome(() => JSON.parse(text));
        const ours = outcome(() => parseJsonSource(text));
        expect(ours === 'DUPLICATE_KEY' ? 'read' : ours).toBe(native);
      }),
      { numRuns: 2_000 },
    );
  });
});

function outcome(read: () => unknown): string {
  try {
    read();
    return 'read';
  } catch (error) {
    return error instanceof JsonSourceError ? error.code : 'NOT_JSON';
  }
}

describe('minify', () => {
  it('removes whitespace between tokens and none within strings', () => {
    expect(minify(' { "a b" : [ 1.0 , "c \\" d" ,\r\n\t"\\\\" , {} ] } ')).toBe(
      '{"a b":[1.0,"c \\" d","\\\\",{}]}',
    );
  });

  it('gives the compact form of any indented text, and of a compact one itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const compact = JSON.stringify(value);
        expect(minify(JSON.stringify(value, null, 3))).toBe(compact);
        expect(minify(compact)).toBe(compact);
      }),
    );
  });

  it('always ends, in linear time, on what is not JSON', () => {
    expect(minify('"never closed \\" ')).toBe('"never closed \\" ');
    expect(minify(' "' + '\\'.repeat(2_000_000))).toHaveLength(2_000_001);
    expect(minify(' "' + '\\"'.repeat(1_000_000))).toHaveLength(2_000_001);
  });
});

describe('childPointer', () => {
  it('escapes what RFC 6901 reserves', () => {
    expect(childPointer(childPointer('/data', 'a/b~c'), 0)).toBe('/data/a~1b~0c/0');
  });
});
