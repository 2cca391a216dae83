import {
  type EndpointFigures,
  type OutboxFigures,
  ROWS_COUNTED,
  STANDING_STATES,
  type StandingState,
} from '#domain/fleet-figures.js';
import type { Queryable, Statement } from '../database.js';

/** Endpoints are thousands at most: counted as they lie. */
const COUNT_ENDPOINTS: Statement = {
  name: 'count-endpoints-by-contract',
  text: `
SELECT a.contract, e.state, count(*) AS count, count(*) FILTER (WHERE e.state = 'active' AND e.failures > 0) AS failing
  FROM endpoints e JOIN applications a ON a.id = e.application_id
 WHERE e.state <> 'revoked' GROUP BY a.contract, e.state`,
};

/** Endpoints by contract. */
export async function countEndpoints(database: Queryable): Promise<ReadonlyMap<string, EndpointFigures>> {
  const rows = await database.query<{
    contract: string;
    state: StandingState;
    count: number;
    failing: number;
  }>(COUNT_ENDPOINTS, []);
  return new Map(
    [...Map.groupBy(rows, (row) => row.contract)].map(([contract, ofContract]) => [
      contract,
      {
        byState: Object.fromEntries(
          STANDING_STATES.map((state) => [state, ofContract.find((row) => row.state === state)?.count ?? 0]),
        ) as Record<StandingState, number>,
        failing: ofContract.reduce((sum, row) => sum + row.failing, 0),
      },
    ]),
  );
}

/** By deliveries_due, at whose end in each partition they lie. */
const COUNT_SET_ASIDE: Statement = {
  name: 'count-set-aside',
  text: `
SELECT count(*) AS count
  FROM (SELECT FROM deliveries WHERE state = 'pending' AND due_at = 'infinity' LIMIT ${ROWS_COUNTED}) AS parked`,
};

/** Deliveries parked after repeated faults of ours; stops at {@link ROWS_COUNTED}. */
export async function countSetAside(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT_SET_ASIDE, []);
  return row!.count;
}

/** By the primary key, oldest first. */
const READ_OUTBOX_FIGURES: Statement = {
  name: 'read-outbox-figures',
  text: `
SELECT count(*) AS rows, coalesce(extract(epoch FROM now_ms() - min(created_at))::float8 * 1000, 0) AS "oldestAgeMs"
  FROM (SELECT created_at FROM outbox ORDER BY id LIMIT ${ROWS_COUNTED}) AS oldest`,
};

export async function readOutboxFigures(database: Queryable): Promise<OutboxFigures> {
  const [row] = await database.query<OutboxFigures>(READ_OUTBOX_FIGURES, []);
  return row!;
}

/** By replays_running. */
const COUNT_RUNNING_REPLAYS: Statement = {
  name: 'count-running-replays',
  text: `SELECT count(*) AS count FROM replays WHERE state = 'running'`,
};

export async function countRunningReplays(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT_RUNNING_REPLAYS, []);
  return row!.count;
}
