import { type DomainError, ERROR_CATALOGUE, type ErrorCode, type FieldProblem } from '#domain/errors.js';

/** A refusal as callers get it (RFC 9457). Programs match on `code`; `detail` and messages are for people. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request's `X-Request-Id`. */
  readonly instance: string;
  readonly code: ErrorCode;
  readonly errors?: readonly FieldProblem[];
  readonly [extension: string]: unknown;
}

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
