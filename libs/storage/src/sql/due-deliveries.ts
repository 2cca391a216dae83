import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/**
 * The endpoints with something that fell due after $1 (epoch ms; null for ever since). Proportional to what
 * fell due in between, not to what is waiting. Served by deliveries_due.
 */
const FIND_DUE_ENDPOINTS: Statement = {
  name: 'find-due-endpoints',
  text: `
SELECT endpoint_id AS "endpointId", (SELECT extract(epoch FROM now_ms())::float8 * 1000) AS "nowMs"
  FROM deliveries
 WHERE state = 'pending' AND due_at > to_timestamp($1::float8 / 1000) AND due_at <= now_ms()
 GROUP BY endpoint_id
 UNION ALL
SELECT NULL, extract(epoch FROM now_ms())::float8 * 1000`,
};

/** Endpoints with something due since `sinceMs`, and the database's time of this look in epoch milliseconds. */
export async function findDueEndpoints(
  database: Queryable,
  sinceMs: number,
): Promise<{ endpointIds: TimeOrderedId[]; nowMs: number }> {
  const rows = await database.query<{ endpointId: number | null; nowMs: number }>(FIND_DUE_ENDPOINTS, [
    sinceMs,
  ]);
  return {
    endpointIds: rows.flatMap((row) => (row.endpointId === null ? [] : [row.endpointId])),
    nowMs: rows[0]!.nowMs,
  };
}

/**
 * Takes what is due, at most so many per endpoint, oldest first: sets the lease and returns it as the token.
 * What another worker is taking at this moment is skipped. Served by deliveries_endpoint_due; the array of ids
 * beside the join lets the update touch only the partitions that hold them.
 */
const TAKE_DUE: Statement = {
  name: 'take-due-deliveries',
  text: `
WITH room AS (
  SELECT r.endpoint_id, r.room
    FROM unnest($1::bigint[], $2::int[]) AS r(endpoint_id, room)
    JOIN endpoints e ON e.id = r.endpoint_id AND e.state <> 'paused'
), picked AS MATERIALIZED (
  SELECT d.id
    FROM room r
   CROSS JOIN LATERAL (
     SELECT id FROM deliveries
      WHERE endpoint_id = r.endpoint_id AND state = 'pending' AND due_at <= now_ms()
      ORDER BY due_at LIMIT r.room
        FOR NO KEY UPDATE SKIP LOCKED) d
)
UPDATE deliveries d
   SET due_at = now_ms() + $3::int * interval '1 ms', postponed = false
  FROM picked p
 WHERE d.id = p.id AND d.id = ANY (ARRAY(SELECT id FROM picked))
RETURNING d.id AS "deliveryId", d.endpoint_id AS "endpointId", extract(epoch FROM d.due_at)::float8 * 1000 AS token`,
};

export async function takeDueDeliveries(
  database: Queryable,
  rooms: readonly { endpointId: TimeOrderedId; room: number }[],
  leaseMs: number,
): Promise<DeliveryReference[]> {
  const rows = await database.query<DeliveryReference>(TAKE_DUE, [
    rooms.map((entry) => entry.endpointId),
    rooms.map((entry) => entry.room),
    leaseMs,
  ]);
  return rows.map((row) => ({ ...row, token: Math.round(row.token) }));
}

/** Due again at once, if still held. Each row is reached by its primary key. */
const GIVE_BACK: Statement = {
  name: 'give-back-deliveries',
  text: `
UPDATE deliveries d
   SET due_at = now_ms()
  FROM unnest($1::bigint[], $2::float8[]) AS held(id, token)
 WHERE d.id = held.id AND d.id = ANY ($1) AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id`,
};

/** Returns references that their holder will not start; a reference that is no longer its is left alone. */
export async function giveBackDeliveries(
  database: Queryable,
  references: readonly DeliveryReference[],
): Promise<number> {
  const sorted = [...references].sort((a, b) => a.deliveryId - b.deliveryId);
  const rows = await database.query(GIVE_BACK, [
    sorted.map((reference) => reference.deliveryId),
    sorted.map((reference) => reference.token),
  ]);
  return rows.length;
}

/**
 * After a fault of ours: due again after $3 ms, and the fault counted when it was the delivery's own ($4); a
 * delivery with too many of those is set aside until an operator redelivers it. No attempt is used up.
 */
const POSTPONE: Statement = {
  name: 'postpone-deliveries',
  text: `
UPDATE deliveries d
   SET internal_failures = d.internal_failures + held.own::int,
       due_at = CASE WHEN d.internal_failures + held.own::int >= $5 THEN 'infinity'
                     ELSE now_ms() + held.wait_ms * interval '1 ms' END,
       postponed = true,
       last_error_code = held.error_code,
       last_error_message = held.error_message
  FROM unnest($1::bigint[], $2::float8[], $3::int[], $4::bool[], $6::text[], $7::text[])
       AS held(id, token, wait_ms, own, error_code, error_message)
 WHERE d.id = held.id AND d.id = ANY ($1) AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id AS "deliveryId", d.due_at = 'infinity' AS "setAside"`,
};

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
  return database.query(POSTPONE, [
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
const CANCEL_HELD: Statement = {
  name: 'cancel-held-deliveries',
  text: `
UPDATE deliveries d
   SET state = CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' ELSE 'canceled' END,
       scheduled_at = NULL, due_at = NULL, finished_at = now_ms()
  FROM unnest($1::bigint[], $2::float8[]) AS held(id, token)
 WHERE d.id = held.id AND d.id = ANY ($1) AND d.state = 'pending' AND d.due_at = to_timestamp(held.token / 1000)
RETURNING d.id`,
};

export async function cancelHeldDeliveries(
  database: Queryable,
  references: readonly DeliveryReference[],
): Promise<number> {
  const sorted = [...references].sort((a, b) => a.deliveryId - b.deliveryId);
  const rows = await database.query(CANCEL_HELD, [
    sorted.map((reference) => reference.deliveryId),
    sorted.map((reference) => reference.token),
  ]);
  return rows.length;
}
