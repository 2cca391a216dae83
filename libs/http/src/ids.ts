import { PUBLIC_ID_PATTERN, publicIdRefusal } from '#domain/public-id.js';
import { parseTimeOrderedId, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { z } from 'zod';
import { documentedAs } from './openapi/json-schema.js';

/** The decimal digits of an id that was made here. */
export const idText = z.string().meta({ pattern: '^[1-9]\\d{0,15}$', examples: ['251604938752001'] });

/**
 * Ids as callers write them. In a path (`@Param('id', { schema: decimalId })`) one that cannot exist is 404, in
 * a body or a query 422.
 */
export const decimalId: z.ZodType<TimeOrderedId, string> = documentedAs(
  z.string().transform((text, context) => {
    const id = parseTimeOrderedId(text);
    if (id !== null) return id;
    context.addIssue({
      code: 'custom',
      params: { code: 'INVALID_ID' },
      message: `${JSON.stringify(text.slice(0, 40))} cannot be an id. Send the decimal digits that an answer gave.`,
    });
    return z.NEVER;
  }),
  idText,
);

/** Ids that callers choose: of applications and of events. */
export const publicId = z
  .string()
  .regex(PUBLIC_ID_PATTERN, { error: (issue) => publicIdRefusal(issue.input) })
  .meta({ examples: ['acme'] });
