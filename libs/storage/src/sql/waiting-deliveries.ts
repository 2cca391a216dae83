import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';

/*
 * What waits, read partition by partition. Each is named, not reached through its parent: a bound on the id would be
 * tested on every row, and so read every row, where the index alone has the answer.
 *
 * - Due: owed (`scheduled_at`) and not being attempted. `due_at` lies ahead of what is leased, and of what a fault of
 *   ours put off (`postponed`), which waits all the same.
 * - Scheduled: owed later.
 * - What was set aside is due at `infinity`, and neither.
 */

/** A fault of ours puts off no delivery for longer; what is due later than this is scheduled. */
const LONGEST_POSTPONEMENT = `interval '1 minute'`;
/**
 * Of each endpoint so many are looked at for the oldest, in the order in which they fall due. What fell due twice (a
 * lease that ran out) may be owed for longer than one before it, by no more than a lease.
 */
const LOOKED_AT = 10;

const IS_WAITING = `scheduled_at <= now_ms() AND (due_at <= now_ms() OR postponed)`;

/**
 * Those in which something is pending: mostly of a few days, and the others need no look of their own. One descent
 * into deliveries_due each.
 *
 * @param partitions of deliveries
 */
export async function withPending(database: Queryable, partitions: readonly string[]): Promise<string[]> {
  if (partitions.length === 0) return [];
  const looks = partitions.map(
    (partition) => `
SELECT '${partition}' AS partition WHERE EXISTS (SELECT FROM ${partition} WHERE state = 'pending')`,
  );
  const rows = await database.query<{ partition: string }>(
    { name: '', measuredAs: 'read-waiting', text: looks.join(' UNION ALL') },
    [],
  );
  return rows.map(({ partition }) => partition);
}

/** An endpoint that has something pending in a day, and is not paused. */
export interface WaitingEndpoint {
  readonly endpointId: TimeOrderedId;
  readonly contract: string;
  /** Since the oldest that is due is owed; null when none is. */
  readonly oldestDueAgeMs: number | null;
}

/**
 * From one endpoint to the next by deliveries_endpoint_due, and of each the first few: proportional to the endpoints
 * that have something pending, whatever one of them has.
 *
 * @param partition of deliveries
 */
export async function findWaitingEndpoints(
  database: Queryable,
  partition: string,
): Promise<WaitingEndpoint[]> {
  const pending = `SELECT endpoint_id FROM ${partition} WHERE state = 'pending'`;
  return database.query<WaitingEndpoint>(
    {
      name: '',
      measuredAs: 'read-waiting',
      inIndexOrder: true,
      text: `
WITH RECURSIVE waiting (endpoint_id) AS (
  (${pending} ORDER BY endpoint_id, due_at LIMIT 1)
   UNION ALL
  SELECT next.endpoint_id
    FROM waiting w
   CROSS JOIN LATERAL (${pending} AND (endpoint_id, due_at) > (w.endpoint_id, 'infinity'::timestamptz)
                        ORDER BY endpoint_id, due_at LIMIT 1) AS next
)
SELECT w.endpoint_id AS "endpointId", a.contract,
       extract(epoch FROM now_ms() - oldest.scheduled_at)::float8 * 1000 AS "oldestDueAgeMs"
  FROM waiting w JOIN endpoints e ON e.id = w.endpoint_id AND e.state <> 'paused' JOIN applications a ON a.id = e.application_id
 CROSS JOIN LATERAL (
   SELECT min(scheduled_at) AS scheduled_at
     FROM (SELECT scheduled_at, due_at, postponed FROM ${partition}
            WHERE state = 'pending' AND (endpoint_id, due_at) >= (w.endpoint_id, '-infinity'::timestamptz)
              AND (endpoint_id, due_at) <= (w.endpoint_id, now_ms() + ${LONGEST_POSTPONEMENT})
            ORDER BY endpoint_id, due_at LIMIT ${LOOKED_AT}) AS first
    WHERE ${IS_WAITING}) AS oldest`,
    },
    [],
  );
}

export interface WaitingCounts {
  readonly due: number;
  readonly scheduled: number;
}

/**
 * By deliveries_endpoint_due, of each kind up to `most`: what fell due from the index alone, the rest by its rows, of
 * which no more than `most` are looked at.
 *
 * @param partition of deliveries
 */
export async function countWaiting(
  database: Queryable,
  partition: string,
  endpointIds: readonly TimeOrderedId[],
  most: WaitingCounts,
): Promise<WaitingCounts> {
  const rowsOf = (columns: string, from: string, to: string, limit: string) => `
    FROM (SELECT d.* FROM unnest($1::bigint[]) AS e(id)
           CROSS JOIN LATERAL (
             SELECT ${columns} FROM ${partition}
              WHERE state = 'pending' AND (endpoint_id, due_at) ${from} AND (endpoint_id, due_at) ${to}
              ORDER BY endpoint_id, due_at LIMIT ${limit}) AS d
           LIMIT ${limit}) AS d`;
  const due = rowsOf('due_at', `>= (e.id, '-infinity'::timestamptz)`, '<= (e.id, now_ms())', '$2::bigint');
  const ahead = rowsOf(
    'scheduled_at, due_at, postponed',
    '> (e.id, now_ms())',
    `< (e.id, 'infinity'::timestamptz)`,
    '$3::bigint',
  );
  const [row] = await database.query<WaitingCounts>(
    {
      name: '',
      measuredAs: 'read-waiting',
      inIndexOrder: true,
      text: `
SELECT least(due.count + ahead.due, $2::bigint) AS due, ahead.scheduled
  FROM (SELECT count(*) ${due}) AS due
 CROSS JOIN (SELECT count(*) FILTER (WHERE ${IS_WAITING}) AS due,
                    count(*) FILTER (WHERE scheduled_at > now_ms()) AS scheduled ${ahead}) AS ahead`,
    },
    [endpointIds, most.due, most.scheduled],
  );
  return row!;
}
