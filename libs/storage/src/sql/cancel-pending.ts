import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { DEADLOCK_DETECTED, type Queryable, sqlState, type Statement } from '../database.js';

const PAGE_SIZE = 2_000;
/** A page that meets a batch of results crosswise is tried again: one of the two has to give way. */
const PAGE_TRIES = 5;

/**
 * Cancels one page of what an endpoint has waiting, in flight or not: the 2xx of one in flight is absorbing and
 * makes it delivered all the same (CC-11). One whose first success is past stays delivered.
 *
 * The page is found in the order of deliveries_endpoint_due and locked in the order of ids, as result batches
 * lock; what changed meanwhile is looked at again by the lock and skipped.
 */
const CANCEL_PENDING_PAGE: Statement = {
  name: 'cancel-pending-page',
  text: `
WITH page AS MATERIALIZED (
  SELECT id, due_at FROM deliveries
   WHERE endpoint_id = $1 AND state = 'pending' AND (due_at, id) > ($2::timestamptz, $3::bigint)
   ORDER BY due_at, id LIMIT ${PAGE_SIZE}
), locked AS MATERIALIZED (
  SELECT id FROM deliveries
   WHERE id = ANY (ARRAY(SELECT id FROM page)) AND state = 'pending'
   ORDER BY id FOR NO KEY UPDATE
), canceled AS (
  UPDATE deliveries d
     SET state = CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' ELSE 'canceled' END,
         scheduled_at = NULL, due_at = NULL, finished_at = now_ms()
   WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
  RETURNING d.id
)
SELECT (SELECT count(*) FROM canceled) AS canceled, last.due_at::text AS "lastDueAt", last.id AS "lastId"
  FROM (SELECT due_at, id FROM page ORDER BY due_at DESC, id DESC LIMIT 1) AS last`,
};

interface PagePosition {
  readonly lastDueAt: string;
  readonly lastId: TimeOrderedId;
}

interface CanceledPage extends PagePosition {
  readonly canceled: number;
}

/**
 * Cancels everything that waits for an endpoint, page by page, each its own commit: a million of them must not
 * hold their locks until the last one. Pages go forward, for behind them lie index entries of what was canceled;
 * a row that moved behind meanwhile is met by another pass.
 *
 * @returns how many were canceled
 */
export async function cancelPendingDeliveries(
  database: Queryable,
  endpointId: TimeOrderedId,
): Promise<number> {
  let total = 0;
  for (;;) {
    const canceled = await cancelPass(database, endpointId);
    if (canceled === 0) return total;
    total += canceled;
  }
}

async function cancelPass(database: Queryable, endpointId: TimeOrderedId): Promise<number> {
  let total = 0;
  let after: PagePosition = { lastDueAt: '-infinity', lastId: 0 };
  for (;;) {
    const page = await cancelPage(database, endpointId, after);
    if (!page) return total;
    total += page.canceled;
    after = page;
  }
}

async function cancelPage(
  database: Queryable,
  endpointId: TimeOrderedId,
  after: PagePosition,
): Promise<CanceledPage | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      const values = [endpointId, after.lastDueAt, after.lastId];
      return (await database.query<CanceledPage>(CANCEL_PENDING_PAGE, values))[0];
    } catch (error) {
      if (tries >= PAGE_TRIES || sqlState(error) !== DEADLOCK_DETECTED) throw error;
    }
  }
}
