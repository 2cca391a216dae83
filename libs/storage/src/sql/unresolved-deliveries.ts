import { UNRESOLVED_COUNTED_PER_DAY, type UnresolvedCounts } from '#domain/fleet-figures.js';
import type { Queryable } from '../database.js';

export interface UnresolvedOfDay {
  /** By contract. */
  readonly counts: ReadonlyMap<string, UnresolvedCounts>;
  /** Endpoints that have something of the kind: what the count cost. */
  readonly endpoints: number;
}

/**
 * From one endpoint to the next by deliveries_endpoint_rare, then counted by the same index, of each contract and
 * state up to a cap: one endpoint with a million hides no other contract's.
 *
 * @param partition of deliveries
 */
export async function countUnresolved(database: Queryable, partition: string): Promise<UnresolvedOfDay> {
  const rare = `SELECT endpoint_id FROM ${partition} WHERE state IN ('dead', 'closed', 'suppressed', 'canceled')`;
  const count = (state: keyof UnresolvedCounts) => `
       (SELECT count(*) FROM (
          SELECT FROM owned o
           CROSS JOIN LATERAL (
             SELECT FROM ${partition}
              WHERE (endpoint_id, state) >= (o.endpoint_id, '${state}') AND (endpoint_id, state) <= (o.endpoint_id, '${state}')
                AND state IN ('dead', 'closed', 'suppressed', 'canceled')
              ORDER BY endpoint_id, state, id LIMIT ${UNRESOLVED_COUNTED_PER_DAY}) AS one
           WHERE o.contract = c.contract LIMIT ${UNRESOLVED_COUNTED_PER_DAY}) AS counted) AS ${state}`;
  const rows = await database.query<UnresolvedCounts & { contract: string; endpoints: number }>(
    {
      name: '',
      measuredAs: 'count-unresolved',
      inIndexOrder: true,
      text: `
WITH RECURSIVE owner (endpoint_id) AS (
  (${rare} ORDER BY endpoint_id, state, id LIMIT 1)
   UNION ALL
  SELECT next.endpoint_id
    FROM owner o
   CROSS JOIN LATERAL (${rare} AND endpoint_id > o.endpoint_id ORDER BY endpoint_id, state, id LIMIT 1) AS next
), owned AS MATERIALIZED (
  SELECT o.endpoint_id, a.contract
    FROM owner o JOIN endpoints e ON e.id = o.endpoint_id JOIN applications a ON a.id = e.application_id
)
SELECT c.contract, c.endpoints, ${count('dead')}, ${count('closed')}, ${count('suppressed')}
  FROM (SELECT contract, count(*) AS endpoints FROM owned GROUP BY contract) AS c`,
    },
    [],
  );
  return {
    counts: new Map(
      rows.map(({ contract, dead, closed, suppressed }) => [contract, { dead, closed, suppressed }]),
    ),
    endpoints: rows.reduce((sum, row) => sum + row.endpoints, 0),
  };
}
