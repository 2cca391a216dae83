import { DomainError } from '#domain/errors.js';
import { sqlState } from '#storage/database.js';
import { HttpException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isDatabaseOutage } from './database-outage.js';

/** How long a caller should wait out a database that is away. */
export const OUTAGE_RETRY_AFTER_SECONDS = 2;

/** SQLSTATEs of a text, plain or within jsonb, with the one character that PostgreSQL cannot hold. */
const UNSTORABLE_TEXT: readonly string[] = ['22021', '22P05'];

/**
 * Whatever was thrown while a request was served, as the error that the caller is told of. Everything that is
 * not known to be the caller's fault, or the database's, is INTERNAL and tells the caller nothing.
 */
export function domainErrorOf(thrown: unknown, request: FastifyRequest): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const framework = thrown instanceof HttpException ? (thrown.cause ?? thrown) : thrown;
  const { code, statusCode } = framework as { code?: unknown; statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request, thrown);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType(request, thrown);
    case 'FST_ERR_BAD_URL':
      return new DomainError('MALFORMED_REQUEST', 'The path of the URL has a broken percent-encoding.', {
        cause: thrown,
      });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new DomainError('NOT_FOUND', 'The path of the URL holds an id that is too long to exist.', {
        cause: thrown,
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new DomainError('MALFORMED_REQUEST', 'The body is not as long as its Content-Length says.', {
        cause: thrown,
      });
  }
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusCode;
  if (status === 404) return new DomainError('NOT_FOUND', notFoundDetail(request), { cause: thrown });
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new DomainError('MALFORMED_REQUEST', 'The request could not be read to its end.', {
      cause: thrown,
    });
  }
  if (UNSTORABLE_TEXT.includes(sqlState(thrown) ?? '')) {
    return new DomainError(
      'VALIDATION_FAILED',
      'A text holds the character U+0000, which cannot be kept. Leave it out.',
      { cause: thrown },
    );
  }
  if (isDatabaseOutage(thrown)) {
    return new DomainError(
      'UNAVAILABLE',
      'The database cannot be reached at the moment. Send the request again.',
      {
        cause: thrown,
        retryAfterSeconds: OUTAGE_RETRY_AFTER_SECONDS,
      },
    );
  }
  return new DomainError(
    'INTERNAL',
    `Something failed on our side. The log has the reason under request ${request.id}.`,
    { cause: thrown },
  );
}

/** The path as it was sent, without its query. */
export function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '/';
  const end = url.search(/[?#;]/);
  return end === -1 ? url : url.slice(0, end);
}

function notFoundDetail(request: FastifyRequest): string {
  return `There is nothing at ${pathOf(request)}. The API begins at /v1.`;
}

function bodyTooLarge(request: FastifyRequest, cause: unknown): DomainError {
  const limitBytes = request.routeOptions.bodyLimit;
  return new DomainError(
    'PAYLOAD_TOO_LARGE',
    `The body is longer than the ${limitBytes} bytes that ${request.method} ${pathOf(request)} takes. Send less at once.`,
    { cause },
  );
}

function unsupportedMediaType(request: FastifyRequest, cause: unknown): DomainError {
  const sent = request.headers['content-type'];
  return new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `${sent === undefined ? 'The body has no Content-Type' : `The Content-Type "${sent}" is not read here`}. ` +
      'Send JSON with Content-Type: application/json.',
    { cause },
  );
}
