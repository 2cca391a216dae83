import type { AttemptError, AttemptOutcome } from '#domain/attempt-outcome.js';
import type { AttemptTrigger } from '#domain/delivery-state.js';
import type { AttemptRow } from '#storage/attempt.repository.js';

export interface AttemptAnswer {
  number: number;
  cycle: number;
  trigger: AttemptTrigger;
  /** Its result came too late to count: it is logged, and had no effect. */
  superseded: boolean;
  startedAt: Date;
  durationMs: number;
  url: string;
  remoteAddress: string | null;
  outcome: AttemptOutcome;
  httpStatus: number | null;
  /** Null exactly when a response came. */
  error: AttemptError | null;
  responseSummary: string;
  retryAfterSeconds: number | null;
  nextAttemptAt: Date | null;
}

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
