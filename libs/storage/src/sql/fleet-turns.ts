import type { Queryable, Statement } from '../database.js';

/**
 * What one process at a time does for all of them, with no transaction open meanwhile. A turn that its process does not
 * end, because it was killed, ends by itself.
 */
export type FleetTurnName = 'operator-url' | 'backlog';

export interface FleetTurn {
  readonly name: FleetTurnName;
  /** When it ends by itself, in epoch ms of the database: nobody else has a turn with the same. */
  readonly token: number;
  /** How many turns before it failed, in a row. */
  readonly failures: number;
}

const TAKE: Statement = {
  name: 'take-fleet-turn',
  text: `
UPDATE fleet_turns SET next_at = now_ms() + $2::int * interval '1 ms' WHERE name = $1 AND next_at <= now()
RETURNING name, extract(epoch FROM next_at)::float8 * 1000 AS token, failures`,
};

/** Undefined when another process has the turn, or the next one is not due yet. */
export async function takeFleetTurn(
  database: Queryable,
  name: FleetTurnName,
  holdMs: number,
): Promise<FleetTurn | undefined> {
  return (await database.query<FleetTurn>(TAKE, [name, holdMs]))[0];
}

const END: Statement = {
  name: 'end-fleet-turn',
  text: `
UPDATE fleet_turns SET next_at = now_ms() + $3::int * interval '1 ms', failures = $4
 WHERE name = $1 AND next_at = to_timestamp($2::float8 / 1000)`,
};

/** @param nextInMs when the next turn may be taken, by whichever process */
export async function endFleetTurn(
  database: Queryable,
  turn: FleetTurn,
  { nextInMs, failures }: { readonly nextInMs: number; readonly failures: number },
): Promise<void> {
  await database.query(END, [turn.name, turn.token, nextInMs, failures]);
}
