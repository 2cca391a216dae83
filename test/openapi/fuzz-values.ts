import type { JsonSchema } from '#http/openapi/json-schema.js';
import fc from 'fast-check';

/** Draws a value from an arbitrary; fast-check repeats and shrinks what was drawn. */
export type Draw = <Value>(arbitrary: fc.Arbitrary<Value>) => Value;

const MAX_DEPTH = 6;

/** JSON text instead of a value: what `JSON.stringify` would not write. */
export class RawJson {
  constructor(readonly text: string) {}
}

export const hostileTexts = fc.oneof(
  fc.constantFrom('\0', 'a\0b', '\ud800', 'a\udfff'),
  fc.constantFrom(
    '',
    ' ',
    '\ufeff',
    '\u202e',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    "'; DROP TABLE events; --",
    '#{7*7}',
    '{{7*7}}',
    '%00',
    '%s%n',
    '-1',
    '0',
    '9007199254740993',
    '1e309',
    'null',
    'true',
    'NaN',
    '2025-02-30T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '99999999999d',
    '1ms..0ms',
    'a'.repeat(65),
    'x'.repeat(10_000),
    '😀'.repeat(300),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const hostileNumbers = fc.oneof(
  fc.constantFrom(
    ...[
      '-0',
      '1e400',
      '-1e400',
      '1.5',
      '12345678901234567890',
      '9007199254740993',
      '-9007199254740993',
      '1e-400',
    ].map((digits) => new RawJson(digits)),
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Values that no schema of ours asks for, and a few that some do. */
export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  hostileTexts,
  hostileNumbers,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    { __proto__: null },
    new RawJson('{"a":1,"a":2}'),
  ),
  fc
    .constantFrom(8, 63, 64, 65, 200, 20_000)
    .map((depth) => new RawJson('['.repeat(depth) + ']'.repeat(depth))),
  fc.array(fc.constantFrom('a', 1, null), { minLength: 1, maxLength: 5 }),
  fc.constantFrom(101, 1_001, 5_000).map((length) => Array.from({ length }, (_, index) => String(index))),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Draws values that a schema of the document allows, or nearly, with texts among them that lead somewhere. */
export class SchemaValues {
  /** @param textsOf what a member or parameter of that name usually is, or null where that is not known */
  constructor(
    private readonly draw: Draw,
    private readonly components: Readonly<Record<string, JsonSchema>>,
    private readonly textsOf: (name: string) => readonly string[] | null,
  ) {}

  of(schema: JsonSchema, name = '', depth = 0): unknown {
    const { $ref, const: value, enum: values, anyOf, oneOf, type, examples } = schema;
    if (typeof $ref === 'string') return this.of(this.components[$ref.split('/').at(-1)!]!, name, depth);
    if (value !== undefined) return value;
    if (Array.isArray(values)) return this.pick(values as unknown[]);
    const alternatives = (anyOf ?? oneOf) as JsonSchema[] | undefined;
    if (alternatives) return this.of(this.pick(alternatives), name, depth);
    if (Array.isArray(examples) && this.chance(0.3)) return this.pick(examples);
    switch (Array.isArray(type) ? this.pick(type) : type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, name, depth);
      case 'string':
        return this.text(schema, name);
      case 'integer':
      case 'number':
        return this.number(schema);
      case 'boolean':
        return this.draw(fc.boolean());
      case 'null':
        return null;
      default:
        return this.draw(fc.jsonValue({ maxDepth: 2 }));
    }
  }

  private object(schema: JsonSchema, depth: number): Record<string, unknown> {
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = schema as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
      additionalProperties?: JsonSchema | boolean;
    };
    const members: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      if (required.includes(name) || (depth < MAX_DEPTH && this.chance(0.4))) {
        members[name] = this.of(property, name, depth + 1);
      }
    }
    if (typeof additionalProperties === 'object' && this.chance(0.5)) {
      const name = this.pick([
        'token',
        'secret',
        'apiKey',
        'ownKey',
        'companyId',
        'companyInternalCode',
        'other',
      ]);
      members[name] = this.of(additionalProperties, name, depth + 1);
    }
    return members;
  }

  private array(
    { items = {}, minItems = 0, maxItems = 3 }: JsonSchema,
    name: string,
    depth: number,
  ): unknown[] {
    const length = this.draw(
      fc.integer({ min: Number(minItems), max: Math.min(Number(maxItems), Number(minItems) + 3) }),
    );
    return Array.from({ length }, () => this.of(items as JsonSchema, name, depth + 1));
  }

  private text({ pattern, format, minLength, maxLength, examples }: JsonSchema, name: string): string {
    if (this.chance(0.03)) return this.draw(hostileTexts);
    const texts = this.textsOf(name);
    if (texts && this.chance(0.8)) return this.pick(texts);
    if (format === 'date-time') {
      return this.draw(
        fc.date({ min: new Date('2024-01-01'), max: new Date('2031-01-01'), noInvalidDate: true }),
      ).toISOString();
    }
    if (Array.isArray(examples) && this.chance(0.5)) return String(this.pick(examples));
    if (typeof pattern === 'string' && !pattern.includes('\\P'))
      return this.draw(fc.stringMatching(new RegExp(pattern, 'u')));
    const min = Number(minLength ?? 0);
    return this.draw(fc.string({ minLength: min, maxLength: Math.min(Number(maxLength ?? 30), min + 30) }));
  }

  private number({ minimum = -10, maximum = 1_000, type }: JsonSchema): number {
    const bounds = { min: Number(minimum), max: Number(maximum) };
    return this.draw(type === 'integer' ? fc.integer(bounds) : fc.double({ ...bounds, noNaN: true }));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.draw(fc.nat(items.length - 1))]!;
  }

  chance(of: number): boolean {
    return this.draw(fc.integer({ min: 0, max: 99 })) < of * 100;
  }
}

/** JSON text of a value in which {@link RawJson} may stand. */
export function jsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
