import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';
import { COUNT_CAP } from './endpoint-stats.js';
import { Parameters } from './parameters.js';

/** Dead letters of one endpoint that ended in the same way. */
export interface DeadLetterGroup {
  readonly endpointId: TimeOrderedId;
  readonly applicationId: string;
  readonly url: string;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly count: number;
  readonly oldestFinish: Date;
  readonly newestFinish: Date;
  /** The one whose body leaves first. */
  readonly oldestId: TimeOrderedId;
}

export interface DeadLetterGroups {
  readonly now: Date;
  /** So many were looked at: {@link COUNT_CAP} where there are more. */
  readonly counted: number;
  /** The largest first. */
  readonly groups: readonly DeadLetterGroup[];
}

/** What nobody reads to its end. */
const MAX_GROUPS = 200;

/**
 * The dead letters that ended last, up to {@link COUNT_CAP} of them, by endpoint and error. Read backwards from
 * deliveries_dead, of applications from deliveries_application_dead, of an endpoint from deliveries_endpoint_dead, each
 * by the whole of its key.
 *
 * @param applications null for all
 */
export async function readDeadLetterGroups(
  database: Queryable,
  { applications, endpoint }: { applications: readonly string[] | null; endpoint: TimeOrderedId | null },
): Promise<DeadLetterGroups> {
  const parameters = new Parameters();
  const columns = `endpoint_id, application_id, last_http_status, last_error_code, finished_at, id`;
  const dead = `state IN ('dead', 'closed')`;
  const latestOf = (owner: string, value: string) => `
SELECT ${columns} FROM deliveries
 WHERE ${dead} AND (${owner}, finished_at) >= (${value}, '-infinity'::timestamptz)
   AND (${owner}, finished_at) <= (${value}, 'infinity'::timestamptz)
 ORDER BY ${owner} DESC, finished_at DESC, id DESC LIMIT ${COUNT_CAP}`;
  let latest: string;
  if (endpoint !== null) {
    latest = `SELECT * FROM (${latestOf('endpoint_id', parameters.add(endpoint))}) AS own`;
    if (applications) latest += ` WHERE application_id = ANY (${parameters.add(applications)}::text[])`;
  } else if (applications) {
    latest = `
SELECT d.* FROM unnest(${parameters.add(applications)}::text[]) AS a(id)
 CROSS JOIN LATERAL (${latestOf('application_id', 'a.id')}) AS d LIMIT ${COUNT_CAP}`;
  } else {
    latest = `SELECT ${columns} FROM deliveries WHERE ${dead} ORDER BY finished_at DESC, id DESC LIMIT ${COUNT_CAP}`;
  }
  const rows = await database.query<DeadLetterGroup & { now: Date; counted: number }>(
    {
      name: '',
      measuredAs: 'group-dead-letters',
      text: `
WITH latest AS MATERIALIZED (${latest}), groups AS (
  SELECT endpoint_id, application_id, last_http_status, last_error_code, count(*) AS count,
         min(finished_at) AS oldest_finish, max(finished_at) AS newest_finish, min(id) AS oldest_id
    FROM latest GROUP BY 1, 2, 3, 4 ORDER BY count DESC, oldest_id LIMIT ${MAX_GROUPS})
SELECT c.now, c.counted, g.endpoint_id AS "endpointId", g.application_id AS "applicationId", e.url,
       g.last_http_status AS "httpStatus", g.last_error_code AS "errorCode", g.count,
       g.oldest_finish AS "oldestFinish", g.newest_finish AS "newestFinish", g.oldest_id AS "oldestId"
  FROM (SELECT now() AS now, count(*) AS counted FROM latest) AS c
  LEFT JOIN groups AS g ON true LEFT JOIN endpoints AS e ON e.id = g.endpoint_id
 ORDER BY g.count DESC, g.oldest_id`,
    },
    parameters.values,
  );
  const { now, counted } = rows[0]!;
  return { now, counted, groups: counted === 0 ? [] : rows };
}
