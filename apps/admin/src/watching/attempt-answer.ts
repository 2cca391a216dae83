import { ATTEMPT_OUTCOMES, type AttemptError } from '#domain/attempt-outcome.js';
import { ATTEMPT_TRIGGERS } from '#domain/delivery-state.js';
import type { AttemptRow } from '#storage/attempt.repository.js';
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
