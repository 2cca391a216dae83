import { DomainError } from '#domain/errors.js';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { shown } from './issue-message.js';
import { validated, WHOLE_BODY, WHOLE_QUERY } from './validation.js';

/**
 * Checks what `@Body`, `@Query` and `@Param` declare with `{ schema }`.
 *
 * Nest's own StandardSchemaValidationPipe drops `__proto__` without a word and does not tell its error factory
 * which value, or which part of the request, was at fault; both are needed here.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  transform(value: unknown, { type, schema, data }: ArgumentMetadata): unknown {
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType)) throw new Error('Schemas of a route are zod schemas.');
    switch (type) {
      case 'query':
        return validated(schema, value, WHOLE_QUERY);
      case 'param':
        return existing(schema, value, data);
      default:
        return bodyOf(schema, value);
    }
  }
}

/** No body is fine where the schema has a default for it, and otherwise no JSON. */
function bodyOf(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined && !schema.safeParse(undefined).success) {
    throw new DomainError('NOT_JSON', 'The request has no body. Send a JSON object.');
  }
  return validated(schema, value, WHOLE_BODY);
}

/** An id that cannot exist names nothing. */
function existing(schema: z.ZodType, value: unknown, name: string | undefined): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new DomainError('NOT_FOUND', `${shown(value)} is not an id that can exist (${name ?? 'path'}).`);
}
