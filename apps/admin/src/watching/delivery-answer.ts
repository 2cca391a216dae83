import { resolvePolicy } from '#contracts/delivery-policy.js';
import { contractNamed } from '#contracts/registry.js';
import type { AttemptError } from '#domain/attempt-outcome.js';
import type { DeliveryState } from '#domain/delivery-state.js';
import { cycleLength } from '#domain/retry-policy.js';
import { idTime } from '#domain/time-ordered-id.js';
import type { DeliveryRow } from '#storage/delivery.repository.js';

export interface DeliveryAnswer {
  id: string;
  /** The event's public id; null where the event is no longer kept. */
  event: string | null;
  application: string;
  endpoint: string;
  type: string;
  state: DeliveryState;
  cycle: number;
  /** Finished attempts over all cycles. */
  attemptCount: number;
  /** Attempts before this cycle, and the length of it. */
  maxAttempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
  finishedAt: Date | null;
  lastHttpStatus: number | null;
  lastError: AttemptError | null;
}

export function deliveryAnswer(row: DeliveryRow): DeliveryAnswer {
  const policy = resolvePolicy(contractNamed(row.contract), row.settings);
  return {
    id: String(row.id),
    event: row.publicId,
    application: row.applicationId,
    endpoint: String(row.endpointId),
    type: row.type,
    state: row.state,
    cycle: row.cycle,
    attemptCount: row.attemptCount,
    maxAttempts: row.attemptsBeforeCycle + cycleLength(policy, row.cycle),
    nextAttemptAt: row.scheduledAt,
    createdAt: idTime(row.id),
    deliveredAt: row.deliveredAt,
    finishedAt: row.finishedAt,
    lastHttpStatus: row.lastHttpStatus,
    lastError:
      row.lastErrorCode === null ? null : { code: row.lastErrorCode, message: row.lastErrorMessage ?? '' },
  };
}
