import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/** An endpoint whose oldest due attempt waits for longer than it should. */
export interface LateEndpoint {
  readonly endpointId: TimeOrderedId;
  readonly waitedMs: number;
}

/** By the primary key; the table holds the endpoints that were late at the last look. */
const WATCH: Statement = {
  name: 'watch-backlogs',
  text: `
WITH caught_up AS (
  DELETE FROM backlog_watches WHERE endpoint_id <> ALL ($1)
), watched AS (
  INSERT INTO backlog_watches AS w (endpoint_id, oldest_due_at, growing_since, waited)
  SELECT endpoint_id, now_ms() - waited, now_ms(), waited
    FROM (SELECT endpoint_id, waited_ms * interval '1 ms' AS waited
            FROM unnest($1::bigint[], $2::float8[]) AS one(endpoint_id, waited_ms)) AS late
      ON CONFLICT (endpoint_id) DO UPDATE
     SET oldest_due_at = excluded.oldest_due_at,
         waited = excluded.waited,
         growing_since = CASE WHEN excluded.waited > w.waited THEN w.growing_since ELSE now_ms() END,
         announced_at = CASE WHEN w.announced_at IS NULL AND excluded.waited > w.waited
                              AND w.growing_since <= now_ms() - $3::float8 * interval '1 ms' THEN now_ms()
                             ELSE w.announced_at END
  RETURNING new.endpoint_id, new.oldest_due_at, new.growing_since, new.waited,
            old.announced_at IS NULL AND new.announced_at IS NOT NULL AS grows
)
SELECT w.endpoint_id AS "endpointId", e.application_id AS "applicationId", w.oldest_due_at AS "oldestDueAt",
       w.growing_since AS "growingSince", extract(epoch FROM w.waited)::float8 AS "waitedSeconds"
  FROM watched w JOIN endpoints e ON e.id = w.endpoint_id
 WHERE w.grows ORDER BY w.oldest_due_at, w.endpoint_id`,
};

export interface GrowingBacklog {
  readonly endpointId: TimeOrderedId;
  readonly applicationId: string;
  readonly oldestDueAt: Date;
  readonly growingSince: Date;
  readonly waitedSeconds: number;
}

/**
 * Remembers which endpoints are late; forgets those that are not any more.
 *
 * @param late at this look, all of them
 * @returns those that have now waited longer at each look for `growingMs`, each once until it is forgotten; the one
 *   that waits longest first
 */
export async function watchBacklogs(
  connection: Queryable,
  late: readonly LateEndpoint[],
  growingMs: number,
): Promise<GrowingBacklog[]> {
  return connection.query<GrowingBacklog>(WATCH, [
    late.map(({ endpointId }) => endpointId),
    late.map(({ waitedMs }) => waitedMs),
    growingMs,
  ]);
}
