import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { DeliveryState } from '#domain/delivery-state.js';
import { firstIdAt, idDay, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';
import { withinDays } from './within-days.js';

/**
 * The endpoints with something that fell due after $1 (epoch ms), and from which id on. Proportional to what fell
 * due in between, not to what is waiting. Served by deliveries_due, once in each partition: a redelivery may have
 * made something due in any.
 */
const FIND_DUE_ENDPOINTS: Statement = {
  name: 'find-due-endpoints',
  text: `
SELECT endpoint_id AS "endpointId", min(id) AS "fromId", (SELECT extract(epoch FROM now_ms())::float8 * 1000) AS "nowMs"
  FROM deliveries
 WHERE state = 'pending' AND due_at > to_timestamp($1::float8 / 1000) AND due_at <= now_ms()
 GROUP BY endpoint_id
 UNION ALL
SELECT NULL, NULL, extract(epoch FROM now_ms())::float8 * 1000`,
};

/** An endpoint, and an id below which nothing of it is due. */
export interface DueEndpoint {
  readonly endpointId: TimeOrderedId;
  readonly fromId: TimeOrderedId;
}

/** Endpoints with something due since `sinceMs`, and the database's time of this look in epoch milliseconds. */
export async function findDueEndpoints(
  database: Queryable,
  sinceMs: number,
): Promise<{ endpoints: DueEndpoint[]; nowMs: number }> {
  const rows = await database.query<(DueEndpoint | { endpointId: null }) & { nowMs: number }>(
    FIND_DUE_ENDPOINTS,
    [sinceMs],
  );
  return {
    endpoints: rows.filter((row) => row.endpointId !== null),
    nowMs: rows[0]!.nowMs,
  };
}

/**
 * Takes what is due, at most so many per endpoint, oldest first: sets the lease and returns it as the token.
 * What another worker is taking at this moment is skipped. Served by deliveries_endpoint_due, by the whole of its key
 * so that the planner takes no other index where one endpoint has most of what waits.
 */
const takeDue = withinDays(
  'take-due-deliveries',
  (within) => `
WITH room AS (
  SELECT r.endpoint_id, r.room
    FROM unnest($1::bigint[], $2::int[]) AS r(endpoint_id, room)
    JOIN endpoints e ON e.id = r.endpoint_id AND e.state <> 'paused'
), picked AS MATERIALIZED (
  SELECT d.id
    FROM room r
   CROSS JOIN LATERAL (
     SELECT id FROM deliveries
      WHERE state = 'pending' AND (endpoint_id, due_at) >= (r.endpoint_id, '-infinity'::timestamptz)
        AND (endpoint_id, due_at) <= (r.endpoint_id, now_ms()) AND ${within('id')}
      ORDER BY endpoint_id, due_at LIMIT r.room
        FOR NO KEY UPDATE SKIP LOCKED) d
)
UPDATE deliveries d
   SET due_at = now_ms() + $3::int * interval '1 ms', postponed = false
 WHERE d.id = ANY (ARRAY(SELECT id FROM picked)) AND ${within('d.id')}
RETURNING d.id AS "deliveryId", d.endpoint_id AS "endpointId", extract(epoch FROM new.due_at)::float8 * 1000 AS token,
          extract(epoch FROM old.due_at)::float8 AS "dueAt",
          old.due_at > old.scheduled_at AND NOT old.postponed AS "leaseRanOut"`,
);

export interface Room extends DueEndpoint {
  readonly room: number;
}

/** What the sweep took. */
export interface TakenDelivery extends DeliveryReference {
  /** It had been taken before, and nobody gave it back or reported a result within the lease. */
  readonly leaseRanOut: boolean;
}

/**
 * A statement for each day since which endpoints have something due, mostly one: an endpoint with something old does
 * not send those beside it through the partitions in between.
 *
 * @param newest an id that is newer than all that may be due
 * @returns what was taken, in the order of the rooms, and of each the longest due first
 */
export async function takeDueDeliveries(
  database: Queryable,
  rooms: readonly Room[],
  newest: TimeOrderedId,
  leaseMs: number,
): Promise<TakenDelivery[]> {
  const taken: (TakenDelivery & { dueAt: number })[] = [];
  for (const [day, since] of Map.groupBy(rooms, ({ fromId }) => idDay(fromId).getTime())) {
    // Kept prepared it would sort: its plan is made for a day that is nearly empty yet, and then reads for one
    // reference all that an endpoint has waiting.
    const { text } = takeDue(firstIdAt(new Date(day)), newest);
    const statement = { name: '', measuredAs: 'take-due-deliveries', text, inIndexOrder: true } as const;
    const values = [since.map((entry) => entry.endpointId), since.map((entry) => entry.room), leaseMs];
    taken.push(...(await database.query<(typeof taken)[number]>(statement, values)));
  }
  const places = new Map(rooms.map(({ endpointId }, place) => [endpointId, place]));
  const placeOf = ({ endpointId }: DeliveryReference) => places.get(endpointId)!;
  return taken
    .sort((a, b) => placeOf(a) - placeOf(b) || a.dueAt - b.dueAt)
    .map(({ dueAt: _, token, ...delivery }) => ({ ...delivery, token: Math.round(token) }));
}

/**
 * Due again at once, if still held; `postponed` tells it from what falls due because its lease ran out. Each row is
 * reached by its primary key.
 */
const giveBack = withinDays(
  'give-back-deliveries',
  (within) => `
UPDATE deliveries d
   SET due_at = now_ms(), postponed = true
  FROM unnest($1::bigint[], $2::float8[]) AS held(id, token)
 WHERE d.id = held.id AND d.id = ANY ($1) AND ${within('d.id')}
   AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id`,
);

/** On a new day, whose size the planner does not know yet, it compares each with each. */
const GIVEN_BACK_AT_ONCE = 200;

/** Returns references that their holder will not start; a reference that is no longer its is left alone. */
export async function giveBackDeliveries(
  database: Queryable,
  references: readonly DeliveryReference[],
): Promise<number> {
  const sorted = [...references].sort((a, b) => a.deliveryId - b.deliveryId);
  let count = 0;
  for (let from = 0; from < sorted.length; from += GIVEN_BACK_AT_ONCE) {
    const some = sorted.slice(from, from + GIVEN_BACK_AT_ONCE);
    const rows = await database.query(giveBack(...endsOf(some)), [
      some.map((reference) => reference.deliveryId),
      some.map((reference) => reference.token),
    ]);
    count += rows.length;
  }
  return count;
}

/**
 * After a fault of ours: due again after $3 ms, and the fault counted when it was the delivery's own ($4); a
 * delivery with too many of those is set aside until an operator redelivers it. No attempt is used up.
 */
const postpone = withinDays(
  'postpone-deliveries',
  (within) => `
UPDATE deliveries d
   SET internal_failures = d.internal_failures + held.own::int,
       due_at = CASE WHEN d.internal_failures + held.own::int >= $5 THEN 'infinity'
                     ELSE now_ms() + held.wait_ms * interval '1 ms' END,
       postponed = true,
       last_error_code = held.error_code,
       last_error_message = held.error_message
  FROM unnest($1::bigint[], $2::float8[], $3::int[], $4::bool[], $6::text[], $7::text[])
       AS held(id, token, wait_ms, own, error_code, error_message)
 WHERE d.id = held.id AND d.id = ANY ($1) AND ${within('d.id')}
   AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id AS "deliveryId", d.due_at = 'infinity' AS "setAside"`,
);

export interface PostponedDelivery extends DeliveryReference {
  readonly waitMs: number;
  /** The fault lies in this delivery (a secret that does not decrypt), not in the process's surroundings. */
  readonly ownFault: boolean;
  readonly errorCode: string;
  readonly errorMessage: string;
}

export async function postponeDeliveries(
  database: Queryable,
  postponed: readonly PostponedDelivery[],
  setAsideAfter: number,
): Promise<{ deliveryId: TimeOrderedId; setAside: boolean }[]> {
  const sorted = [...postponed].sort((a, b) => a.deliveryId - b.deliveryId);
  return database.query(postpone(...endsOf(sorted)), [
    sorted.map((entry) => entry.deliveryId),
    sorted.map((entry) => entry.token),
    sorted.map((entry) => entry.waitMs),
    sorted.map((entry) => entry.ownFault),
    setAsideAfter,
    sorted.map((entry) => entry.errorCode),
    sorted.map((entry) => entry.errorMessage),
  ]);
}

/** What a revoked endpoint still had waiting, met at the last look before sending (CC-11). */
const cancelHeld = withinDays(
  'cancel-held-deliveries',
  (within) => `
UPDATE deliveries d
   SET state = CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' ELSE 'canceled' END,
       scheduled_at = NULL, due_at = NULL, finished_at = now_ms()
  FROM unnest($1::bigint[], $2::float8[]) AS held(id, token)
 WHERE d.id = held.id AND d.id = ANY ($1) AND ${within('d.id')}
   AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id AS "deliveryId", d.state`,
);

/** @returns what those that were still held are now: one whose first success is past stays delivered */
export async function cancelHeldDeliveries(
  database: Queryable,
  references: readonly DeliveryReference[],
): Promise<{ deliveryId: TimeOrderedId; state: DeliveryState }[]> {
  const sorted = [...references].sort((a, b) => a.deliveryId - b.deliveryId);
  return database.query(cancelHeld(...endsOf(sorted)), [
    sorted.map((reference) => reference.deliveryId),
    sorted.map((reference) => reference.token),
  ]);
}

function endsOf(sorted: readonly DeliveryReference[]): [oldest: TimeOrderedId, newest: TimeOrderedId] {
  return [sorted[0]!.deliveryId, sorted.at(-1)!.deliveryId];
}
