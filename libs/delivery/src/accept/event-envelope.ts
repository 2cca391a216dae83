import { DomainError } from '#domain/errors.js';
import {
  type JsonNode,
  type JsonObject,
  JsonSourceError,
  MAX_JSON_DEPTH,
  memberValue,
  parseJsonSource,
} from '#domain/json-source.js';
import { PUBLIC_ID_PATTERN, publicIdRefusal } from '#domain/public-id.js';
import type { TraceContext } from '#domain/trace-context.js';
import { z } from 'zod';

/** Bytes of one event's `data`, as published. */
export const MAX_EVENT_DATA_BYTES = 256 * 1024;
/** Characters of an event type. */
const MAX_TYPE_LENGTH = 128;

/** Containers around `data` in a batch: the object, its array, the event. */
const WRAPPING_DEPTH = 3;

const publicId = z.string().regex(PUBLIC_ID_PATTERN, { error: (issue) => publicIdRefusal(issue.input) });

/** What surrounds `data`, which belongs to the contract and is read from its exact text. */
const envelopeSchema = z.strictObject({
  application: publicId,
  type: z.string().min(1).max(MAX_TYPE_LENGTH),
  id: publicId.optional(),
  occurredAt: z.iso
    .datetime({ error: (issue) => `${JSON.stringify(issue.input)} is not a time. Send ISO-8601 UTC with Z.` })
    .transform((text) => new Date(text))
    .optional(),
  data: z.string({ error: () => 'data is missing. Send what happened, as the contract describes it.' }),
});

export type Envelope = z.output<typeof envelopeSchema>;

/** The same as its producer sees it, for the documentation. */
export const publishedEventSchema = envelopeSchema.extend({
  data: z
    .unknown()
    .describe('What happened, as the contract describes it; at most 256 KiB, passed on as written.'),
  occurredAt: z
    .string()
    .meta({
      format: 'date-time',
      description: 'When it happened, in UTC; the time of acceptance without it.',
    })
    .optional(),
});

/**
 * Reads a value by a schema. It is the edge's, so that an event is refused in the same words whichever way it
 * came.
 *
 * @throws DomainError VALIDATION_FAILED
 */
export type EnvelopeCheck = (schema: z.ZodType<Envelope>, value: unknown) => Envelope;

/** An event as a producer publishes it: the envelope has passed its schema, `dataJson` is well-formed. */
export interface EventToPublish {
  readonly application: string;
  readonly type: string;
  readonly id: string | null;
  readonly occurredAt: Date | null;
  /** The exact text of `data`. */
  readonly dataJson: string;
  /** What stands in for what the producer left out, where the way in knows better than this moment. */
  readonly defaults?: { readonly id: string; readonly acceptedAt: Date | null };
  /** What its attempts join. */
  readonly traceContext?: TraceContext | null;
}

/** What a refused publish says of itself, as far as that can be read. */
export interface EventNames {
  readonly application: string | null;
  readonly type: string | null;
  readonly id: string | null;
}

export const NO_NAMES: EventNames = { application: null, type: null, id: null };

/**
 * The tree of what a producer sent, in which every value still has its exact text.
 *
 * @throws DomainError NOT_JSON, or VALIDATION_FAILED for a key that appears twice or nesting too deep
 */
export function readSource(json: string): JsonNode {
  try {
    return parse(json);
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
 * @throws DomainError VALIDATION_FAILED, PAYLOAD_TOO_LARGE
 */
export function readEnvelope(source: JsonNode, check: EnvelopeCheck): EventToPublish {
  const envelope = check(envelopeSchema, source.kind === 'object' ? fieldsOf(source) : plain(source));
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
  return {
    application: envelope.application,
    type: envelope.type,
    id: envelope.id ?? null,
    occurredAt: envelope.occurredAt ?? null,
    dataJson: envelope.data,
  };
}

/** Names are taken only where they can be ones; what is no JSON object has none. */
export function namesIn(json: string): EventNames {
  try {
    const source = parse(json);
    if (source.kind !== 'object') return NO_NAMES;
    const type = textOf(source, 'type');
    return {
      application: publicIdOf(source, 'application'),
      type: type !== null && type.length <= MAX_TYPE_LENGTH ? type : null,
      id: publicIdOf(source, 'id'),
    };
  } catch (error) {
    if (!(error instanceof JsonSourceError)) throw error;
    return NO_NAMES;
  }
}

function parse(json: string): JsonNode {
  return parseJsonSource(json, { maxDepth: MAX_JSON_DEPTH + WRAPPING_DEPTH });
}

function publicIdOf(source: JsonObject, key: string): string | null {
  const text = textOf(source, key);
  return text !== null && PUBLIC_ID_PATTERN.test(text) ? text : null;
}

function textOf(source: JsonObject, key: string): string | null {
  const value = memberValue(source, key);
  return value?.kind === 'string' ? value.value : null;
}

/** The members as values, but `data` as its exact text. A null prototype lets any key be a key. */
function fieldsOf(source: JsonObject): Record<string, unknown> {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of source.members) fields[key] = key === 'data' ? value.source : plain(value);
  return fields;
}

function plain(node: JsonNode): unknown {
  return node.kind === 'string' ? node.value : JSON.parse(node.source);
}
