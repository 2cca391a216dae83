import { type DomainError, ERROR_CATALOGUE, ERROR_CODES } from '#domain/errors.js';
import { z } from 'zod';

const fieldProblemSchema = z.object({
  pointer: z.string().optional().describe('The place in the body, as a JSON pointer (RFC 6901).'),
  parameter: z.string().optional().describe('The name of the query parameter.'),
  code: z.string().describe('Stable: what programs match on.'),
  message: z.string().describe('What is wrong, with which value, and what to do; for people.'),
});

/** A refusal as callers get it (RFC 9457). Programs match on `code`; `detail` and messages are for people. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('`urn:entrega:problem:` and the code in lower case.'),
    title: z.string().describe('What the code means.'),
    status: z.int().min(400).max(599),
    detail: z.string().describe('What is wrong this time, and what to do; for people.'),
    instance: z.string().describe('The `X-Request-Id` of the request, for whoever reads our log.'),
    code: z.enum(ERROR_CODES).describe('Stable: what programs match on. New ones may come.'),
    errors: z.array(fieldProblemSchema).readonly().optional().describe('Every fault, with its place.'),
  })
  .meta({
    id: 'Problem',
    description: 'A refusal (RFC 9457).',
    examples: [
      {
        type: 'urn:entrega:problem:validation-failed',
        title: 'The request is not valid',
        status: 422,
        detail: '/name: This is required. Send a string.',
        instance: '9f2c1d77a0b3-4x',
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/name', code: 'REQUIRED', message: 'This is required. Send a string.' }],
      },
    ],
  });

export type Problem = z.infer<typeof problemSchema>;

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** The problem document of an error, for a whole answer or for one item of a batch. */
export function problemOf(error: DomainError, requestId: string): Problem {
  return {
    type: `urn:entrega:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: ERROR_CATALOGUE[error.code].title,
    status: error.status,
    detail: error.message,
    instance: requestId,
    code: error.code,
    ...(error.details.errors && { errors: error.details.errors }),
    ...error.details.extensions,
  };
}
