import { isUtf8 } from 'node:buffer';
import { DomainError } from '#domain/errors.js';
import { type JsonNode, JsonSourceError, parseJsonSource } from '#domain/json-source.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unstorableTexts } from './storable-text.js';
import { validationFailed } from './validation.js';

/** `merge-patch+json` is what a careful client calls the body of a PATCH; it is read the same way. */
export const JSON_TYPES = ['application/json', 'application/merge-patch+json'];

/** Of a Content-Type: JSON has no other encoding, and says so in no parameter or in this one. */
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * Bodies are JSON and nothing else. The exact text becomes `request.rawJson` and, except on routes that read it
 * themselves, its value `request.body`. An empty body is no body: many clients name a type where they send none.
 */
export function readJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.decorateRequest('rawJson', undefined);
  server.addContentTypeParser<Buffer>(JSON_TYPES, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined);
    try {
      refuseOtherEncodings(request);
      const text = decodeUtf8(bytes);
      request.rawJson = text;
      done(null, request.routeOptions.config.rawJson ? undefined : parseJson(text));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

/** What is not read is refused, not read wrongly. */
function refuseOtherEncodings({ headers }: FastifyRequest): void {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', `JSON is UTF-8, not ${charset}. Send it so encoded.`);
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && !/^identity$/i.test(coding)) {
    throw new DomainError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The Content-Encoding "${coding}" is not read here. Send the body as it is.`,
    );
  }
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
  let source: JsonNode;
  let value: unknown;
  try {
    value = JSON.parse(text);
    source = parseJsonSource(text);
  } catch (error) {
    throw refusalOf(error instanceof JsonSourceError ? error : locate(text));
  }
  const unstorable = unstorableTexts(source);
  if (unstorable.length > 0) throw validationFailed(unstorable);
  return value;
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
