import type { DeliveryState } from '#domain/delivery-state.js';
import type { EndpointState } from '#domain/endpoint-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/** What an operator's repair needs to know of a delivery before it decides. */
export interface DeliveryToRepair {
  readonly id: TimeOrderedId;
  readonly applicationId: string;
  readonly contract: string;
  readonly endpointId: TimeOrderedId;
  readonly state: DeliveryState;
  readonly endpointState: EndpointState;
  /** A worker holds it at this moment. */
  readonly inFlight: boolean;
  readonly bodyKept: boolean;
  readonly bodyErased: boolean;
}

/** Locks the delivery, so that what is decided on it still holds when it is written. By primary keys. */
const LOCK_DELIVERY: Statement = {
  name: 'lock-delivery-to-repair',
  text: `
SELECT d.id, d.application_id AS "applicationId", a.contract, d.endpoint_id AS "endpointId", d.state, e.state AS "endpointState",
       d.state = 'pending' AND d.scheduled_at <= now() AND d.due_at > now() AND NOT d.postponed AS "inFlight",
       EXISTS (SELECT FROM events v WHERE v.id = d.event_id) AS "bodyKept", d.body_erased AS "bodyErased"
  FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id JOIN applications a ON a.id = d.application_id
 WHERE d.id = $1
   FOR NO KEY UPDATE OF d`,
};

export async function lockDeliveryToRepair(
  connection: Queryable,
  id: TimeOrderedId,
): Promise<DeliveryToRepair | undefined> {
  return (await connection.query<DeliveryToRepair>(LOCK_DELIVERY, [id]))[0];
}

/**
 * Owed now: a pending delivery in its present cycle, any other in a new one, attempt numbers going on
 * (TF-35). The caller holds the row and has checked that nobody is sending it.
 */
const REQUEUE: Statement = {
  name: 'requeue-delivery',
  text: `
UPDATE deliveries
   SET cycle = CASE WHEN state = 'pending' THEN cycle ELSE cycle + 1 END,
       attempts_before_cycle = CASE WHEN state = 'pending' THEN attempts_before_cycle ELSE attempt_count END,
       state = 'pending', next_trigger = $2, scheduled_at = now_ms(), due_at = now_ms(), url = NULL,
       finished_at = NULL, internal_failures = 0, postponed = false
 WHERE id = $1`,
};

export async function requeueDelivery(connection: Queryable, id: TimeOrderedId): Promise<void> {
  await connection.query(REQUEUE, [id, 'redeliver']);
}
