import type { OpenApiDocument } from '#http/openapi/document.js';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const DOCUMENT = 'entrega:document';

/** Checks values against schemas of an OpenAPI document. */
export interface SchemaValidator {
  /** In words, none where the value is valid. A schema is one of the document's, by identity. */
  faultsOf(schema: object, value: unknown): string[];
}

/**
 * @param options.closed refuse members that no schema names. Clients must accept such members; what we answer
 *   has none.
 */
export function schemaValidator(document: OpenApiDocument, { closed = false } = {}): SchemaValidator {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  // The package is CommonJS: its type calls the function a module.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const prepared = (schema: object) => withReferences(closed ? close(schema) : schema);
  ajv.addSchema({ $id: DOCUMENT, $defs: prepared(document.components.schemas) });
  const compiled = new Map<object, ValidateFunction>();
  return {
    faultsOf(schema, value) {
      let validate = compiled.get(schema);
      if (!validate) {
        validate = ajv.compile(prepared(schema));
        compiled.set(schema, validate);
      }
      return validate(value) ? [] : validate.errors!.map(faultOf);
    },
  };
}

function withReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string'
      ? value.replace('#/components/schemas/', `${DOCUMENT}#/$defs/`)
      : value,
  ) as object;
}

/** Objects with named members have no others. What stands beside a reference cannot see the members it names. */
function close(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const isObject = typeof value === 'object' && value !== null;
    if (!isObject || !('properties' in value) || 'additionalProperties' in value || '$ref' in value)
      return value;
    // A schema has an object here; a member that is called "properties" does not.
    return value.properties instanceof Object ? { ...value, additionalProperties: false } : value;
  }) as object;
}

function faultOf({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
