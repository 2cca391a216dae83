import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';
import { Parameters, whereAll } from './parameters.js';

/** What waits is in no index by id, which every delivery would pay for. So many are sorted in a few milliseconds. */
const FEW = 5_000;

/** Which pending deliveries: `from ≤ id < before`. */
export interface PendingFilter {
  readonly endpoints?: readonly TimeOrderedId[] | undefined;
  readonly applications: readonly string[] | null;
  readonly types?: readonly string[] | undefined;
  readonly from: TimeOrderedId;
  readonly before: TimeOrderedId;
}

/**
 * The ids of what waits, newest first; null where more than a few wait, here or, for applications, anywhere. By
 * deliveries_endpoint_due, by the whole of its key so that no other index serves, or by deliveries_due.
 */
export async function findFewPending(
  database: Queryable,
  { endpoints, applications, types, from, before }: PendingFilter,
): Promise<TimeOrderedId[] | null> {
  const parameters = new Parameters();
  const within = [`d.state = 'pending'`, `d.id >= ${from}`, `d.id < ${before}`];
  const waiting = endpoints
    ? `unnest(${parameters.add(endpoints)}::bigint[]) AS e(id) CROSS JOIN LATERAL (
         SELECT d.* FROM deliveries d
          ${whereAll([
            ...within,
            `(d.endpoint_id, d.due_at) >= (e.id, '-infinity'::timestamptz)`,
            `(d.endpoint_id, d.due_at) <= (e.id, 'infinity'::timestamptz)`,
          ])} ORDER BY d.endpoint_id, d.due_at LIMIT ${FEW + 1}) AS d`
    : `(SELECT d.* FROM deliveries d ${whereAll(within)} ORDER BY d.due_at) AS d`;
  const wanted = ['true'];
  if (applications) wanted.push(`d.application_id = ANY (${parameters.add(applications)})`);
  if (types) wanted.push(`d.type = ANY (${parameters.add(types)})`);
  const rows = await database.query<{ id: TimeOrderedId; wanted: boolean }>(
    {
      name: '',
      measuredAs: 'find-few-pending',
      text: `SELECT d.id, ${wanted.join(' AND ')} AS wanted FROM ${waiting} LIMIT ${FEW + 1}`,
      inIndexOrder: true,
    },
    parameters.values,
  );
  if (rows.length > FEW) return null;
  return rows.flatMap((row) => (row.wanted ? [row.id] : [])).sort((a, b) => b - a);
}
