import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { type Database, DEADLOCK_DETECTED, type Queryable, sqlState, type Statement } from '../database.js';

const PAGE_SIZE = 2_000;
/** A page that meets a batch of results crosswise is tried again: one of the two has to give way. */
const PAGE_TRIES = 5;

/**
 * A statement that changes one page of what waits for endpoint `$1`, beyond the place `$2`, `$3`.
 *
 * The page is found in the order of deliveries_endpoint_due and locked in the order of ids, as result batches
 * lock; what changed meanwhile is looked at again by the lock and skipped.
 *
 * @param within a condition on the columns of deliveries, over `$4`
 * @param set what the update sets, over `d`
 */
export function pendingPage(name: string, { within, set }: { within: string; set: string }): Statement {
  return {
    name,
    text: `
WITH page AS MATERIALIZED (
  SELECT id, due_at FROM deliveries
   WHERE endpoint_id = $1 AND state = 'pending' AND (due_at, id) > ($2::timestamptz, $3::bigint) AND ${within}
   ORDER BY due_at, id LIMIT ${PAGE_SIZE}
), locked AS MATERIALIZED (
  SELECT id FROM deliveries
   WHERE id = ANY (ARRAY(SELECT id FROM page)) AND state = 'pending' AND ${within}
   ORDER BY id FOR NO KEY UPDATE
), changed AS (
  UPDATE deliveries d SET ${set} WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
  RETURNING d.id, d.state
)
SELECT (SELECT count(*) FROM changed) AS changed, (SELECT count(*) FROM changed WHERE state = 'delivered') AS delivered,
       (SELECT contract FROM endpoints e JOIN applications a ON a.id = e.application_id WHERE e.id = $1) AS contract,
       last.due_at::text AS "lastDueAt", last.id AS "lastId"
  FROM (SELECT due_at, id FROM page ORDER BY due_at DESC, id DESC LIMIT 1) AS last`,
  };
}

/** Who follows the pages that change something. */
export interface PageFollower {
  /** Told of each in its transaction. */
  readonly within?: (connection: Queryable, changed: number) => Promise<void>;
  /** Told of each once it is committed. */
  readonly committed?: (page: CommittedPage) => void;
}

export interface CommittedPage {
  /** Of the endpoint's application. */
  readonly contract: string;
  readonly changed: number;
  /** How many of those are delivered now: their first success was past. */
  readonly delivered: number;
}

interface PagePosition {
  readonly lastDueAt: string;
  readonly lastId: TimeOrderedId;
}

interface ChangedPage extends PagePosition, CommittedPage {}

/**
 * Changes what waits for an endpoint page by page, each its own commit: a million rows must not hold their locks
 * until the last one. Pages go forward, for behind them lie index entries of what was changed. A row that moved
 * behind meanwhile is met by another pass; the last pass changes nothing, so after the change no row may be
 * within the statement's bound.
 *
 * @param statement of {@link pendingPage}
 * @param bound its `$4`
 * @returns how many were changed
 */
export async function changePending(
  database: Pick<Database, 'transaction'>,
  statement: Statement,
  endpointId: TimeOrderedId,
  bound: unknown,
  follower: PageFollower = {},
): Promise<number> {
  let total = 0;
  for (;;) {
    const changed = await pass(database, statement, endpointId, bound, follower);
    if (changed === 0) return total;
    total += changed;
  }
}

async function pass(
  database: Pick<Database, 'transaction'>,
  statement: Statement,
  endpointId: TimeOrderedId,
  bound: unknown,
  follower: PageFollower,
): Promise<number> {
  let total = 0;
  let after: PagePosition = { lastDueAt: '-infinity', lastId: 0 };
  for (;;) {
    const values = [endpointId, after.lastDueAt, after.lastId, bound];
    const page = await changePage(database, statement, values, follower);
    if (!page) return total;
    if (page.changed > 0) follower.committed?.(page);
    total += page.changed;
    after = page;
  }
}

async function changePage(
  database: Pick<Database, 'transaction'>,
  statement: Statement,
  values: readonly unknown[],
  { within }: PageFollower,
): Promise<ChangedPage | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(async (connection) => {
        const [page] = await connection.query<ChangedPage>(statement, values);
        if (within && page && page.changed > 0) await within(connection, page.changed);
        return page;
      });
    } catch (error) {
      if (tries >= PAGE_TRIES || sqlState(error) !== DEADLOCK_DETECTED) throw error;
    }
  }
}
