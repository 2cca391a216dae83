import { ATTEMPT_OUTCOMES } from '#domain/attempt-outcome.js';
import { DELIVERY_STATES } from '#domain/delivery-state.js';
import { ERROR_CATALOGUE, type ErrorCode } from '#domain/errors.js';
import { parseTimeOrderedId, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { decimalId, publicId } from '#http/ids.js';
import { documentedAs } from '#http/openapi/json-schema.js';
import { commaList, idPosition, limit, listQuery, timeAndIdPosition, timeRange } from '#http/list-query.js';
import { REJECTION_WAYS } from '#storage/sql/rejections.js';
import { z } from 'zod';

const applications = commaList(publicId).optional();
const types = commaList(z.string().max(128)).optional();

export const eventsQuery = listQuery(
  'events',
  { application: applications, type: types, id: commaList(publicId).optional(), ...timeRange },
  idPosition,
);

const places = {
  application: applications,
  endpoint: commaList(decimalId).optional(),
  event: commaList(publicId).optional(),
  type: types,
  ...timeRange,
};

export const deliveriesQuery = listQuery(
  'deliveries',
  { state: commaList(z.enum(DELIVERY_STATES)).optional(), ...places },
  idPosition,
);

export const deadLettersQuery = listQuery(
  'dead-letters',
  { state: commaList(z.enum(['dead', 'closed'])).optional(), ...places },
  timeAndIdPosition,
);

export const attemptsQuery = listQuery('attempts', {}, idPosition);

export const MAX_WAIT_SECONDS = 30;

const waitSeconds = z.int().min(0).max(MAX_WAIT_SECONDS);

const CURSOR_PREFIX = 'attempts:';

/** Where a follower is: it holds under any filters, for it says only what was looked at. */
export function followCursor(position: TimeOrderedId): string {
  return Buffer.from(CURSOR_PREFIX + position).toString('base64url');
}

const followPosition = z
  .string()
  .max(64)
  .transform((cursor, context) => {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    const id = text.startsWith(CURSOR_PREFIX) ? parseTimeOrderedId(text.slice(CURSOR_PREFIX.length)) : null;
    if (id !== null) return id;
    context.addIssue({
      code: 'custom',
      params: { code: 'INVALID_CURSOR' },
      message: 'This is no nextCursor of GET /v1/attempts. Leave after out to follow from now.',
    });
    return z.NEVER;
  });

export const followQuery = z.strictObject({
  application: applications,
  endpoint: commaList(decimalId).optional(),
  outcome: commaList(z.enum(ATTEMPT_OUTCOMES)).optional(),
  after: documentedAs(followPosition, z.string().max(64))
    .optional()
    .describe('`nextCursor` of the page before; from now without it.'),
  wait: documentedAs(
    z
      .string()
      .regex(/^\d{1,9}$/, {
        error: (issue) =>
          `${JSON.stringify(String(issue.input))} is no whole number. Send 0 to ${MAX_WAIT_SECONDS} seconds.`,
      })
      .transform(Number)
      .pipe(waitSeconds),
    waitSeconds,
  )
    .default(0)
    .describe('Seconds to wait for an attempt where there is none yet.'),
  limit,
});

const errorCode = z.enum(Object.keys(ERROR_CATALOGUE) as ErrorCode[]);

export const rejectionsQuery = listQuery(
  'rejections',
  {
    application: applications,
    type: types,
    event: commaList(publicId).optional(),
    code: commaList(errorCode).optional(),
    via: commaList(z.enum(REJECTION_WAYS)).optional(),
    ...timeRange,
  },
  idPosition,
);

/** Numbers count from 1; what is none names no attempt. */
export const attemptNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);
