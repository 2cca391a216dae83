import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/** Counts of deliveries stop here: what lies beyond is "very many" to a reader, and costs seconds to count. */
export const COUNT_CAP = 10_000;

export interface EndpointStats {
  /** Stops at {@link COUNT_CAP}. */
  readonly pending: number;
  /** Since when the oldest attempt is owed, of the thousand that fall due next; null when none is. */
  readonly oldestDueAt: Date | null;
  /** Within its last {@link MINUTES_BACK} minutes with attempts; null when there was none. */
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
}

/** Looked through for the oldest owed attempt, in the order in which they fall due. */
const NEXT_DUE = 1_000;
/** Of an endpoint that only fails: three days at a retry each minute. */
const MINUTES_BACK = 5_000;

/** By the whole of the key of deliveries_endpoint_due, so that no other index serves. */
const WAITING = `
  FROM deliveries
 WHERE state = 'pending' AND (endpoint_id, due_at) >= (e.id, '-infinity'::timestamptz)
   AND (endpoint_id, due_at) <= (e.id, 'infinity'::timestamptz)
 ORDER BY endpoint_id, due_at`;

/**
 * What waits: counted up to the cap, and the oldest owed sought among the next due, for `scheduled_at` stands in the
 * row. When attempts last ended, from the rollup, newest minute first: failures by endpoint_minutes_failed, for there
 * may be none in a month of minutes; successes by the primary key, a bounded number of minutes back.
 */
const READ_ENDPOINT_STATS: Statement = {
  name: '',
  measuredAs: 'read-endpoint-stats',
  inIndexOrder: true,
  text: `
SELECT e.id AS "endpointId", p.pending, o.oldest_due_at AS "oldestDueAt", s.at AS "lastSuccessAt",
       f.at AS "lastFailureAt"
  FROM unnest($1::bigint[]) AS e(id)
 CROSS JOIN LATERAL (
   SELECT count(*) AS pending FROM (SELECT ${WAITING} LIMIT ${COUNT_CAP}) AS waiting) AS p
 CROSS JOIN LATERAL (
   SELECT min(scheduled_at) AS oldest_due_at
     FROM (SELECT scheduled_at ${WAITING} LIMIT ${NEXT_DUE}) AS next
    WHERE scheduled_at <= now()) AS o
  LEFT JOIN LATERAL (
   SELECT last_success_at AS at
     FROM (SELECT last_success_at FROM endpoint_minutes
            WHERE endpoint_id = e.id ORDER BY minute DESC LIMIT ${MINUTES_BACK}) AS latest
    WHERE last_success_at IS NOT NULL LIMIT 1) AS s ON true
  LEFT JOIN LATERAL (
   SELECT last_failure_at AS at FROM endpoint_minutes
    WHERE endpoint_id = e.id AND last_failure_at IS NOT NULL ORDER BY minute DESC LIMIT 1) AS f ON true`,
};

/** The figures of each endpoint asked for. */
export async function readEndpointStats(
  database: Queryable,
  endpointIds: readonly TimeOrderedId[],
): Promise<ReadonlyMap<TimeOrderedId, EndpointStats>> {
  const rows = await database.query<EndpointStats & { endpointId: TimeOrderedId }>(READ_ENDPOINT_STATS, [
    endpointIds,
  ]);
  return new Map(rows.map(({ endpointId, ...stats }) => [endpointId, stats]));
}

/** By deliveries_endpoint_rare. */
const COUNT_SUPPRESSED: Statement = {
  name: 'count-suppressed',
  text: `
SELECT count(*) AS suppressed
  FROM (SELECT FROM deliveries WHERE endpoint_id = $1 AND state = 'suppressed' LIMIT ${COUNT_CAP}) AS kept`,
};

/** What an endpoint missed while it was disabled and could be replayed; stops at {@link COUNT_CAP}. */
export async function countSuppressed(database: Queryable, endpointId: TimeOrderedId): Promise<number> {
  const [row] = await database.query<{ suppressed: number }>(COUNT_SUPPRESSED, [endpointId]);
  return row!.suppressed;
}
