import { REPLAYABLE_STATES } from '#domain/replay.js';
import { decimalId, publicId } from '#http/ids.js';
import { idPosition, isInOrder, isoTime, listQuery, UNTIL_BEFORE_SINCE } from '#http/list-query.js';
import { z } from 'zod';

const dryRun = z.boolean().default(false);
/** Deliveries queued per second, so that a receiver that just came back is not run over. */
const ratePerSecond = z.int().min(1).max(10_000).optional();

const DEAD_LETTER_FILTERS = ['application', 'endpoint', 'type', 'since', 'until', 'ids'] as const;

export const redeliverDeadLettersBody = z
  .strictObject({
    application: publicId.optional(),
    endpoint: decimalId.optional(),
    type: z.string().min(1).max(128).optional(),
    since: isoTime.optional(),
    until: isoTime.optional(),
    ids: z.array(decimalId).min(1).max(1_000).optional(),
    dryRun,
    ratePerSecond,
  })
  .refine((body) => DEAD_LETTER_FILTERS.some((name) => body[name] !== undefined), {
    params: { code: 'FILTER_REQUIRED' },
    error: `Send at least one of ${DEAD_LETTER_FILTERS.join(', ')}: all dead letters at once are never meant.`,
  })
  .refine(isInOrder, UNTIL_BEFORE_SINCE);

export const replayEndpointBody = z
  .strictObject({
    since: isoTime,
    until: isoTime.optional(),
    states: z.array(z.enum(REPLAYABLE_STATES)).min(1),
    dryRun,
    ratePerSecond,
  })
  .refine(isInOrder, UNTIL_BEFORE_SINCE);

export const replaysQuery = listQuery('replays', {}, idPosition);
