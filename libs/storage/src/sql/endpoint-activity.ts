import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';

/** Attempts that ended within some minutes. */
export interface Activity {
  readonly succeeded: number;
  readonly failed: number;
  /** Of all of them together. */
  readonly durationMs: number;
}

export interface EndpointActivity extends Activity {
  readonly endpointId: TimeOrderedId;
}

/**
 * What the rollup says of each endpoint that had attempts in `from ≤ minute < until`: a row for each of its minutes is
 * read, by the primary key from one endpoint to the next. Planned for its bounds, which leave one or two partitions.
 */
export async function sumActivity(database: Queryable, from: Date, until: Date): Promise<EndpointActivity[]> {
  return database.query<EndpointActivity>(
    {
      name: '',
      measuredAs: 'sum-activity',
      text: `
SELECT endpoint_id AS "endpointId", sum(succeeded) AS succeeded, sum(failed) AS failed,
       sum(duration_ms_sum)::bigint AS "durationMs"
  FROM endpoint_minutes WHERE minute >= $1 AND minute < $2 GROUP BY endpoint_id`,
    },
    [from, until],
  );
}

export interface MinuteActivity {
  readonly minute: Date;
  readonly succeeded: number;
  readonly failed: number;
}

/** The same, of all endpoints or some together, by minute; a minute without attempts is not named. */
export async function sumMinutes(
  database: Queryable,
  from: Date,
  endpointIds: readonly TimeOrderedId[] | null,
): Promise<MinuteActivity[]> {
  const among = endpointIds === null ? '' : 'AND endpoint_id = ANY ($2::bigint[])';
  return database.query<MinuteActivity>(
    {
      name: '',
      measuredAs: 'sum-activity',
      text: `
SELECT minute, sum(succeeded) AS succeeded, sum(failed) AS failed
  FROM endpoint_minutes WHERE minute >= $1 ${among} GROUP BY minute`,
    },
    [from, endpointIds],
  );
}

export interface LatestFailure {
  readonly httpStatus: number | null;
  readonly code: string | null;
  readonly message: string | null;
}

/** So many of an endpoint's deliveries are looked at for one that failed. */
const NEWEST = 20;

/**
 * What the newest delivery that failed of each endpoint was answered with, among its newest few since then. By
 * deliveries_endpoint, in its order and by the whole of its key.
 *
 * @param since an id below which nothing is looked at
 */
export async function readLatestFailures(
  database: Queryable,
  endpointIds: readonly TimeOrderedId[],
  since: TimeOrderedId,
): Promise<ReadonlyMap<TimeOrderedId, LatestFailure>> {
  const rows = await database.query<LatestFailure & { endpointId: TimeOrderedId }>(
    {
      name: '',
      measuredAs: 'sum-activity',
      inIndexOrder: true,
      text: `
SELECT e.id AS "endpointId", f.last_http_status AS "httpStatus", f.last_error_code AS code, f.last_error_message AS message
  FROM unnest($1::bigint[]) AS e(id)
 CROSS JOIN LATERAL (
   SELECT * FROM (
     SELECT last_http_status, last_error_code, last_error_message FROM deliveries
      WHERE (endpoint_id, id) >= (e.id, ${since}::bigint) AND (endpoint_id, id) <= (e.id, ${Number.MAX_SAFE_INTEGER}::bigint)
        AND id >= ${since}
      ORDER BY endpoint_id DESC, id DESC LIMIT ${NEWEST}) AS newest
    WHERE last_error_code IS NOT NULL OR last_http_status NOT BETWEEN 200 AND 299 LIMIT 1) AS f`,
    },
    [endpointIds],
  );
  return new Map(rows.map(({ endpointId, ...failure }) => [endpointId, failure]));
}
