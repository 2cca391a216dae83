import { DomainError } from '#domain/errors.js';
import { type JsonNode, JsonSourceError, MAX_JSON_DEPTH, parseJsonSource } from '#domain/json-source.js';
import { coversApplication, type Principal } from '#domain/principal.js';
import type { EventToPublish } from '#delivery/accept/event-acceptor.js';
import { publicId } from '#http/ids.js';
import { validated } from '#http/validation.js';
import { z } from 'zod';

/** Bytes of one event's `data`, as published. */
export const MAX_EVENT_DATA_BYTES = 256 * 1024;
export const MAX_BATCH_BYTES = 5 * 1024 * 1024;
export const MAX_BATCH_EVENTS = 1_000;

/** Containers around `data` in a batch: the object, its array, the event. */
const WRAPPING_DEPTH = 3;

/** What surrounds `data`, which belongs to the contract and is read from its exact text. */
const envelopeSchema = z.strictObject({
  application: publicId,
  type: z.string().min(1).max(128),
  id: publicId.optional(),
  occurredAt: z.iso
    .datetime({ error: (issue) => `${JSON.stringify(issue.input)} is not a time. Send ISO-8601 UTC with Z.` })
    .transform((text) => new Date(text))
    .optional(),
  data: z.string({ error: () => 'data is missing. Send what happened, as the contract describes it.' }),
});

/**
 * The tree of a request body, in which every value still has its exact text.
 *
 * @throws DomainError NOT_JSON, or VALIDATION_FAILED for a key that appears twice or nesting too deep
 */
export function readSource(rawJson: string | undefined): JsonNode {
  if (rawJson === undefined)
    throw new DomainError('NOT_JSON', 'The request has no body. Send a JSON object.');
  try {
    return parseJsonSource(rawJson, { maxDepth: MAX_JSON_DEPTH + WRAPPING_DEPTH });
  } catch (error) {
    if (!(error instanceof JsonSourceError)) throw error;
    throw new DomainError(error.code === 'NOT_JSON' ? 'NOT_JSON' : 'VALIDATION_FAILED', error.message, {
      errors: [{ pointer: error.pointer, code: error.code, message: error.message }],
      cause: error,
    });
  }
}

/**
 * One event as its producer published it. Pointers of refusals are relative to the event.
 *
 * @throws DomainError VALIDATION_FAILED, PAYLOAD_TOO_LARGE, APPLICATION_NOT_ALLOWED
 */
export function readEnvelope(source: JsonNode, principal: Principal): EventToPublish {
  const envelope = validated(envelopeSchema, source.kind === 'object' ? fieldsOf(source) : plain(source));
  const dataBytes = Buffer.byteLength(envelope.data);
  if (dataBytes > MAX_EVENT_DATA_BYTES) {
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `data has ${dataBytes} bytes, and an event may have ${MAX_EVENT_DATA_BYTES}. Send a link to what is large.`,
      {
        errors: [{ pointer: '/data', code: 'TOO_LARGE', message: `At most ${MAX_EVENT_DATA_BYTES} bytes.` }],
      },
    );
  }
  if (!coversApplication(principal, envelope.application)) {
    throw new DomainError(
      'APPLICATION_NOT_ALLOWED',
      `The key "${principal.name}" does not cover the application "${envelope.application}". Use a key that does.`,
    );
  }
  return {
    application: envelope.application,
    type: envelope.type,
    id: envelope.id ?? null,
    occurredAt: envelope.occurredAt ?? null,
    dataJson: envelope.data,
  };
}

/** The members as values, but `data` as its exact text. A null prototype lets any key be a key. */
function fieldsOf(source: Extract<JsonNode, { kind: 'object' }>): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of source.members) fields[key] = key === 'data' ? value.source : plain(value);
  return fields;
}

function plain(node: JsonNode): unknown {
  return node.kind === 'string' ? node.value : JSON.parse(node.source);
}
