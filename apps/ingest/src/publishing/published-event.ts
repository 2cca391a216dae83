import { type EventToPublish, readEnvelope, readSource } from '#delivery/accept/event-envelope.js';
import { DomainError } from '#domain/errors.js';
import type { JsonNode } from '#domain/json-source.js';
import { coversApplication, type Principal } from '#domain/principal.js';
import { validated } from '#http/validation.js';

export const MAX_BATCH_BYTES = 5 * 1024 * 1024;
export const MAX_BATCH_EVENTS = 1_000;

/**
 * The tree of a request body.
 *
 * @throws DomainError NOT_JSON, or VALIDATION_FAILED for a key that appears twice or nesting too deep
 */
export function readBody(rawJson: string | undefined): JsonNode {
  if (rawJson === undefined)
    throw new DomainError('NOT_JSON', 'The request has no body. Send a JSON object.');
  return readSource(rawJson);
}

/**
 * One event of a request. Pointers of refusals are relative to the event.
 *
 * @throws DomainError VALIDATION_FAILED, PAYLOAD_TOO_LARGE, APPLICATION_NOT_ALLOWED
 */
export function readEvent(source: JsonNode, principal: Principal): EventToPublish {
  const event = readEnvelope(source, validated);
  if (!coversApplication(principal, event.application)) {
    throw new DomainError(
      'APPLICATION_NOT_ALLOWED',
      `The key "${principal.name}" does not cover the application "${event.application}". Use a key that does.`,
    );
  }
  return event;
}
