import { createHash } from 'node:crypto';
import { ATTEMPT_OUTCOMES, type AttemptError } from '#domain/attempt-outcome.js';
import { ATTEMPT_TRIGGERS } from '#domain/delivery-state.js';
import { MAX_RESPONSE_HEADER_CHARACTERS, shownHeaders } from '#domain/kept-headers.js';
import { idText } from '#http/ids.js';
import type { AttemptRow, WholeAttemptRow } from '#storage/attempt.repository.js';
import type { DeliveryRow } from '#storage/delivery.repository.js';
import type { FollowedAttemptRow } from '#storage/sql/written-attempts.js';
import { z } from 'zod';

/** Why no response came. */
export const attemptErrorSchema = z.object({
  code: z.string().describe('Stable: `CONNECT_REFUSED`, `TIMEOUT_HEADERS`, …'),
  message: z.string(),
}) satisfies z.ZodType<AttemptError>;

const ATTEMPT_EXAMPLE = {
  number: 1,
  cycle: 1,
  trigger: 'first',
  startedAt: '2025-01-31T12:00:00.412Z',
  durationMs: 87,
  url: 'https://example.com/webhooks',
  remoteAddress: '203.0.113.7',
  outcome: 'http_5xx',
  httpStatus: 503,
  error: null,
  responseSummary: 'upstream connect error',
  retryAfterSeconds: null,
  nextAttemptAt: '2025-01-31T12:01:00.499Z',
};

const attempt = z.object({
  number: z.int(),
  cycle: z.int(),
  trigger: z.enum(ATTEMPT_TRIGGERS),
  startedAt: z.date(),
  durationMs: z.int(),
  url: z.string(),
  remoteAddress: z.string().nullable(),
  outcome: z.enum(ATTEMPT_OUTCOMES),
  httpStatus: z.int().nullable(),
  error: attemptErrorSchema.nullable().describe('Null exactly when a response came.'),
  responseSummary: z.string().describe('The beginning of what was answered.'),
  retryAfterSeconds: z.int().nullable(),
  nextAttemptAt: z.date().nullable(),
});

export const attemptAnswerSchema = attempt
  .extend({
    superseded: z
      .boolean()
      .describe('Whether its result came too late to count: it is logged, and had no effect.'),
  })
  .meta({ id: 'Attempt', examples: [{ ...ATTEMPT_EXAMPLE, superseded: false }] });

export type AttemptAnswer = z.infer<typeof attemptAnswerSchema>;

/** Of whom an attempt was, where that does not follow from the URL of the call. */
const place = {
  delivery: idText,
  event: z.string().nullable().describe("The event's id; null where the event is no longer kept."),
  application: z.string(),
  endpoint: idText,
  type: z.string().describe("The event's."),
};

const PLACE_EXAMPLE = {
  delivery: '251604938752077',
  event: 'order-1042-paid',
  application: 'acme',
  endpoint: '251604938752001',
  type: 'cte.event.registered',
};

export const followedAttemptSchema = attemptAnswerSchema
  .extend(place)
  .meta({ id: 'FollowedAttempt', examples: [{ ...ATTEMPT_EXAMPLE, superseded: false, ...PLACE_EXAMPLE }] });

export type FollowedAttemptAnswer = z.infer<typeof followedAttemptSchema>;

export const headersSchema = z.array(z.object({ name: z.string(), value: z.string() })).readonly();

const requestSchema = z.object({
  method: z.literal('POST'),
  url: z.string(),
  headers: headersSchema
    .nullable()
    .describe(
      'As they were sent, in order and casing, credentials as `***`; `Host`, `Content-Length` and `Connection` follow from ' +
        'URL and body. Null for attempts from before they were kept, and once the body was erased.',
    ),
  body: z
    .object({
      href: z.string().describe('Where the exact bytes are: a path of this API.'),
      bytes: z.int(),
      sha256: z.string().describe('Of the bytes, in hexadecimal digits.'),
    })
    .nullable()
    .describe('Null where the body is no longer kept, or was erased.'),
});

const responseSchema = z.object({
  httpStatus: z.int(),
  headers: headersSchema
    .nullable()
    .describe(
      `As they came, together up to ${MAX_RESPONSE_HEADER_CHARACTERS} characters: our credentials as \`***\`, control ` +
        'characters replaced. Null for attempts from before they were kept, and once the body was erased.',
    ),
  headersCut: z.boolean().describe('Whether there were more than are kept.'),
  text: z.string().describe('The beginning of the body, as in `responseSummary`.'),
});

export const wholeAttemptSchema = followedAttemptSchema
  .extend({
    request: requestSchema,
    response: responseSchema.nullable().describe('Null where none came.'),
  })
  .meta({
    id: 'WholeAttempt',
    examples: [
      {
        ...ATTEMPT_EXAMPLE,
        superseded: false,
        ...PLACE_EXAMPLE,
        request: {
          method: 'POST',
          url: ATTEMPT_EXAMPLE.url,
          headers: [
            { name: 'Content-Type', value: 'application/json; charset=utf-8' },
            { name: 'X-Tffiscal-Event', value: 'cte.event.registered' },
            { name: 'token', value: '***' },
          ],
          body: {
            href: '/v1/applications/acme/events/order-1042-paid/body',
            bytes: 412,
            sha256: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
          },
        },
        response: {
          httpStatus: 503,
          headers: [{ name: 'Content-Type', value: 'text/plain' }],
          headersCut: false,
          text: 'upstream connect error',
        },
      },
    ],
  });

export type WholeAttemptAnswer = z.infer<typeof wholeAttemptSchema>;

/** The one attempt of a test delivery, which leaves nothing behind. */
export const testAttemptSchema = attempt.meta({
  id: 'TestAttempt',
  examples: [{ ...ATTEMPT_EXAMPLE, nextAttemptAt: null }],
});

export function attemptAnswer(row: AttemptRow): AttemptAnswer {
  return {
    number: row.number,
    cycle: row.cycle,
    trigger: row.trigger,
    superseded: row.superseded,
    startedAt: row.startedAt,
    durationMs: row.durationMs,
    url: row.url,
    remoteAddress: row.remoteAddress,
    outcome: row.outcome,
    httpStatus: row.httpStatus,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    responseSummary: row.responseSummary,
    retryAfterSeconds: row.retryAfterSeconds,
    nextAttemptAt: row.nextAttemptAt,
  };
}

export function followedAttemptAnswer(row: FollowedAttemptRow): FollowedAttemptAnswer {
  return {
    ...attemptAnswer(row),
    delivery: String(row.deliveryId),
    event: row.publicId,
    application: row.applicationId,
    endpoint: String(row.endpointId),
    type: row.type,
  };
}

/** @param body what was sent; null where it is no longer kept */
export function wholeAttemptAnswer(
  row: WholeAttemptRow,
  delivery: DeliveryRow,
  body: Buffer | null,
): WholeAttemptAnswer {
  const { id: deliveryId, applicationId, publicId } = delivery;
  const response = row.responseHeaders === null ? null : shownHeaders(row.responseHeaders);
  return {
    ...followedAttemptAnswer({ ...delivery, ...row, deliveryId }),
    request: {
      method: 'POST',
      url: row.url,
      headers: row.requestHeaders === null ? null : shownHeaders(row.requestHeaders).headers,
      body: body && {
        href: `/v1/applications/${applicationId}/events/${publicId}/body`,
        bytes: body.length,
        sha256: createHash('sha256').update(body).digest('hex'),
      },
    },
    response:
      row.httpStatus === null
        ? null
        : {
            httpStatus: row.httpStatus,
            headers: response && response.headers,
            headersCut: response?.cut ?? false,
            text: row.responseSummary,
          },
  };
}
