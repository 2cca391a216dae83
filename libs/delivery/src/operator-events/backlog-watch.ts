import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import type { Database } from '#storage/database.js';
import { watchBacklogs } from '#storage/sql/backlog-watches.js';
import { takeFleetTurn } from '#storage/sql/fleet-turns.js';
import { recordOperatorEvent } from '#storage/sql/operator-events.js';
import { readEndpointLags } from '../watch/endpoint-lags.js';

/** When the backlog of an endpoint grows. */
export interface BacklogRules {
  /** Between two looks, by whichever process. */
  readonly lookEveryMs: number;
  /** An endpoint whose oldest due attempt waits for less has no backlog. */
  readonly lateAfterMs: number;
  /** For so long it has waited longer at each look. */
  readonly growingForMs: number;
}

export const BACKLOG_RULES: BacklogRules = {
  // A little less than the loops' minute, so that a loop does not come just too early for every second turn.
  lookEveryMs: 55 * SECOND_MS,
  lateAfterMs: MINUTE_MS,
  growingForMs: 5 * MINUTE_MS,
};

/** Named in one event; the others are counted. */
const MAX_NAMED = 20;

/**
 * Looks, once for all processes, which endpoints fall behind. Those whose oldest due attempt waited longer at each look
 * for some minutes are told of in one event, each once; and again only after a look found it late no more.
 *
 * That an endpoint's attempts fail makes no backlog, for its retries are due in time: one grows where receivers take
 * longer than events come, or where there are too few workers.
 *
 * @returns Infinity: the loop's interval is right
 */
export async function lookAtBacklogs(
  database: Database,
  rules: BacklogRules = BACKLOG_RULES,
): Promise<number> {
  if (!(await takeFleetTurn(database, 'backlog', rules.lookEveryMs))) return Infinity;
  const lags = [...(await readEndpointLags(database))];
  const late = lags
    .map(([endpointId, lagMs]) => ({ endpointId, waitedMs: Math.round(lagMs) }))
    .filter(({ waitedMs }) => waitedMs >= rules.lateAfterMs);
  await database.transaction(async (connection) => {
    const growing = await watchBacklogs(connection, late, rules.growingForMs);
    const [worst] = growing;
    if (!worst) return;
    await recordOperatorEvent(connection, {
      type: 'backlog.growing',
      application: worst.applicationId,
      endpoint: String(worst.endpointId),
      oldestDueAt: worst.oldestDueAt,
      waitedSeconds: Math.floor(worst.waitedSeconds),
      since: worst.growingSince,
      endpointCount: growing.length,
      endpoints: growing.slice(0, MAX_NAMED).map(({ endpointId }) => String(endpointId)),
    });
  });
  return Infinity;
}
