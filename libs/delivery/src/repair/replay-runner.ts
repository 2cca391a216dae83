import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { DeliveryMetrics } from '#observability/metrics/delivery-metrics.js';
import type { Database, Queryable } from '#storage/database.js';
import {
  endReplay,
  findEndpointOfReplay,
  type HeldReplay,
  holdNextReplay,
  nextReplayPageInMs,
  postponeReplay,
  replayPage,
} from '#storage/sql/replays.js';
import { retryingDeadlocks } from '../bisect.js';

/** Deliveries of a page; a page at a rate may be larger, so that it is one update a second at most. */
const PAGE = 500;
const MAX_PAGE_AT_RATE = 2_500;
const MAX_FAILURES = 5;
/** Until one asks again for pages that other processes hold. */
const HELD_MS = 250;

/**
 * Runs the next page of a replay if one is owed; while nothing is to be done it costs one small statement.
 *
 * @param onQueued told after deliveries were made due
 * @returns in how many ms the next page is owed, Infinity while no replay runs
 */
export async function runOwedReplayPage(
  database: Database,
  metrics: DeliveryMetrics,
  onQueued: () => void,
): Promise<number> {
  const owedInMs = await nextReplayPageInMs(database);
  if (owedInMs === null) return Infinity;
  if (owedInMs > 0) return owedInMs;
  if (!(await runReplayPage(database, metrics))) return HELD_MS;
  onQueued();
  return 0;
}

/**
 * One page of one replay, in one transaction: deliveries queued and the cursor moved commit together, so a
 * process that is killed half-way repeats nothing and skips nothing. Several processes may call it; each page
 * belongs to one of them. A page that fails by itself is tried again later and does not hold up other replays.
 *
 * @returns false when no replay had a page owed
 */
export async function runReplayPage(database: Database, metrics: DeliveryMetrics): Promise<boolean> {
  let held: TimeOrderedId | undefined;
  try {
    const contracts = await retryingDeadlocks(() =>
      database.transaction(async (connection) => {
        const replay = await holdNextReplay(connection);
        held = replay?.id;
        return replay && advance(connection, replay);
      }),
    );
    for (const contract of contracts ?? []) metrics.deliveriesRequeued(contract, 'replay');
    return contracts !== undefined;
  } catch (error) {
    if (held !== undefined) {
      const message = `A page failed ${MAX_FAILURES} times: ${error instanceof Error ? error.message : String(error)}`;
      await postponeReplay(database, held, { afterFailures: MAX_FAILURES, message });
    }
    throw error;
  }
}

/** @returns the contract of each delivery that was queued */
async function advance(connection: Queryable, replay: HeldReplay): Promise<readonly string[]> {
  if (replay.filter.endpoint !== null && replay.filter.states.includes('suppressed')) {
    const endpoint = await findEndpointOfReplay(connection, replay.filter.endpoint);
    if (endpoint?.state === 'disabled' || endpoint?.state === 'revoked') {
      await endReplay(
        connection,
        replay.id,
        'failed',
        `The endpoint was ${endpoint.state} while the replay ran.`,
      );
      return [];
    }
  }
  const limit = replay.ratePerSecond === null ? PAGE : Math.min(MAX_PAGE_AT_RATE, replay.ratePerSecond);
  const page = await replayPage(connection, replay, limit);
  if (page.isLast) await endReplay(connection, replay.id, 'done', null);
  return page.contracts;
}
