import type { Database } from '#storage/database.js';
import { endReplay, findEndpointOfReplay, holdNextReplay, replayPage } from '#storage/sql/replays.js';
import { retryingDeadlocks } from '../bisect.js';

const PAGE = 500;

/**
 * One page of one replay, in one transaction: deliveries queued and the cursor moved commit together, so a
 * process that is killed half-way repeats nothing and skips nothing. Several processes may call it; each page
 * belongs to one of them.
 *
 * @returns false when no replay had a page owed
 */
export async function runReplayPage(database: Database): Promise<boolean> {
  return retryingDeadlocks(() =>
    database.transaction(async (connection) => {
      const replay = await holdNextReplay(connection);
      if (!replay) return false;
      if (replay.filter.endpoint !== null && replay.filter.states.includes('suppressed')) {
        const endpoint = await findEndpointOfReplay(connection, replay.filter.endpoint);
        if (endpoint?.state === 'disabled' || endpoint?.state === 'revoked') {
          const failure = `The endpoint was ${endpoint.state} while the replay ran.`;
          await endReplay(connection, replay.id, 'failed', failure);
          return true;
        }
      }
      const limit = Math.min(PAGE, replay.ratePerSecond ?? PAGE);
      const page = await replayPage(connection, replay, limit);
      if (page.seen < limit) await endReplay(connection, replay.id, 'done', null);
      return true;
    }),
  );
}
