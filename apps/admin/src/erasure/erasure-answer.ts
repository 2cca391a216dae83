import type { ApplicationErasure } from '#domain/erasure.js';
import { z } from 'zod';

export const erasureAnswerSchema = z
  .object({
    application: z.string(),
    state: z.enum(['running', 'done']),
    erased: z.object({ events: z.int(), deliveries: z.int(), attempts: z.int() }),
    failure: z.string().nullable().describe('Why its last step failed, while that is tried again.'),
    requestedAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({
    id: 'ApplicationErasure',
    examples: [
      {
        application: 'acme',
        state: 'running',
        erased: { events: 0, deliveries: 1_500, attempts: 1_612 },
        failure: null,
        requestedAt: '2025-01-31T12:00:00.000Z',
        finishedAt: null,
      },
    ],
  });

export type ErasureAnswer = z.infer<typeof erasureAnswerSchema>;

export function erasureAnswer(erasure: ApplicationErasure): ErasureAnswer {
  const { applicationId, state, events, deliveries, attempts, failure, requestedAt, finishedAt } = erasure;
  return {
    application: applicationId,
    state,
    erased: { events, deliveries, attempts },
    failure,
    requestedAt,
    finishedAt,
  };
}
