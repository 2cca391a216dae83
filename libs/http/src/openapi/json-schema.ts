import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that read another form than the one that callers think in: a page size is a number, not its digits. */
const documentedForms = new WeakMap<z.core.$ZodType, z.ZodType>();

/** The schema, documented as `form`: for what stands as text in a URL. */
export function documentedAs<Schema extends z.ZodType>(schema: Schema, form: z.ZodType): Schema {
  documentedForms.set(schema, form);
  return schema;
}

const COMPONENTS = '#/components/schemas/';

/**
 * The JSON Schemas (2020-12) of one OpenAPI document. A zod schema with an id (`.meta({ id: 'Application' })`)
 * becomes a component that the others refer to.
 */
export class SchemaCollection {
  private readonly found = new Map<string, JsonSchema>();

  /** Of what callers send. */
  request(schema: z.ZodType): JsonSchema {
    return this.convert(schema, 'input');
  }

  /** Of what is answered. Other members may come later, so none are ruled out. */
  answer(schema: z.ZodType): JsonSchema {
    return this.convert(schema, 'output');
  }

  /** Everything that was referred to, by name. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.found].sort(([a], [b]) => a.localeCompare(b, 'en')));
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: ({ zodSchema }) =>
        zodSchema._zod.def.type === 'date' ? { type: 'string', format: 'date-time' } : 'throw',
      override: ({ zodSchema, jsonSchema }) => {
        const form = documentedForms.get(zodSchema);
        if (form) replace(jsonSchema, this.convert(form, io));
        if (io === 'output' && jsonSchema.additionalProperties === false) {
          delete jsonSchema.additionalProperties;
        }
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [name, definition] of Object.entries($defs)) this.add(name, withReferences(definition));
    return withReferences(converted);
  }

  private add(name: string, definition: JsonSchema): void {
    const known = this.found.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`Two schemas have the id ${name}.`);
    }
    this.found.set(name, definition);
  }
}

function replace(target: Record<string, unknown>, source: JsonSchema): void {
  const { description } = target;
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, source, description !== undefined && { description });
}

function withReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', COMPONENTS) : value,
  ) as JsonSchema;
}
