import { isUtf8 } from 'node:buffer';
import { DomainError } from '#domain/errors.js';
import { JsonSourceError, parseJsonSource } from '#domain/json-source.js';
import type { FastifyInstance } from 'fastify';

/** `merge-patch+json` is what a careful client calls the body of a PATCH; it is read the same way. */
const JSON_TYPES = ['application/json', 'application/merge-patch+json'];

/**
 * Bodies are JSON and nothing else. The exact text becomes `request.rawJson` and, except on routes that read it
 * themselves, its value `request.body`. An empty body is no body: many clients name a type where they send none.
 */
export function readJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.decorateRequest('rawJson', undefined);
  server.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0 || request.is404) return done(null, undefined);
    try {
      const text = decodeUtf8(bytes);
      request.rawJson = text;
      done(null, request.routeOptions.config.rawJson ? undefined : parseJson(text));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new DomainError('NOT_JSON', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  return bytes.toString('utf8');
}

/**
 * `JSON.parse` keeps the last of two equal keys and says nothing; the second reading refuses that, for nothing
 * of a request is silently ignored.
 */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    parseJsonSource(text);
    return value;
  } catch (error) {
    throw refusalOf(error instanceof JsonSourceError ? error : locate(text));
  }
}

/** Where and why the text is not JSON, said without repeating what may be secret in it. */
function locate(text: string): JsonSourceError {
  try {
    parseJsonSource(text);
  } catch (error) {
    if (error instanceof JsonSourceError) return error;
  }
  return new JsonSourceError('NOT_JSON', '', 0, 'Send one JSON value.');
}

function refusalOf(error: JsonSourceError): DomainError {
  if (error.code === 'NOT_JSON') {
    return new DomainError('NOT_JSON', `The body is not valid JSON. ${error.message}`, { cause: error });
  }
  return new DomainError('VALIDATION_FAILED', error.message, {
    errors: [{ pointer: error.pointer, code: error.code, message: error.message }],
    cause: error,
  });
}
