import { resolvePolicy } from '#contracts/delivery-policy.js';
import { contractNamed } from '#contracts/registry.js';
import { DELIVERY_STATES } from '#domain/delivery-state.js';
import { cycleLength } from '#domain/retry-policy.js';
import { idTime } from '#domain/time-ordered-id.js';
import { idText } from '#http/ids.js';
import type { DeliveryRow } from '#storage/delivery.repository.js';
import { z } from 'zod';
import { attemptErrorSchema } from './attempt-answer.js';

export const DELIVERY_EXAMPLE = {
  id: '251604938752077',
  event: 'order-1042-paid',
  application: 'acme',
  endpoint: '251604938752001',
  type: 'cte.event.registered',
  state: 'pending',
  cycle: 1,
  attemptCount: 1,
  maxAttempts: 6,
  nextAttemptAt: '2025-01-31T12:01:00.499Z',
  createdAt: '2025-01-31T12:00:00.402Z',
  deliveredAt: null,
  finishedAt: null,
  lastHttpStatus: 503,
  lastError: null,
};

export const deliveryAnswerSchema = z
  .object({
    id: idText,
    event: z.string().nullable().describe("The event's id; null where the event is no longer kept."),
    application: z.string(),
    endpoint: idText,
    type: z.string(),
    state: z.enum(DELIVERY_STATES),
    cycle: z.int(),
    attemptCount: z.int().describe('Finished attempts over all cycles.'),
    maxAttempts: z.int().describe('Attempts before this cycle, and the length of it.'),
    nextAttemptAt: z.date().nullable(),
    createdAt: z.date(),
    deliveredAt: z.date().nullable(),
    finishedAt: z.date().nullable(),
    lastHttpStatus: z.int().nullable(),
    lastError: attemptErrorSchema.nullable(),
  })
  .meta({ id: 'Delivery', examples: [DELIVERY_EXAMPLE] });

export type DeliveryAnswer = z.infer<typeof deliveryAnswerSchema>;

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
