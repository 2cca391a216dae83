import type { DeliveryState } from '#domain/delivery-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Database, Queryable, Statement } from '../database.js';
import { nextId } from './database-clock.js';
import { changePending, type PageFollower, pendingPage } from './pages-of-pending.js';

/** One whose first success is past stays delivered. */
const CANCELED = `
  state = CASE WHEN d.delivered_at IS NOT NULL THEN 'delivered' ELSE 'canceled' END,
  scheduled_at = NULL, due_at = NULL, finished_at = now_ms()`;

const CANCEL_PENDING_PAGE = pendingPage('cancel-pending-page', { within: 'id < $4::bigint', set: CANCELED });

/**
 * Cancels everything that waits for an endpoint which takes nothing new, in flight or not: the 2xx of one in
 * flight is absorbing and makes it delivered all the same (CC-11).
 *
 * @returns how many no longer wait
 */
export async function cancelAllPending(
  database: Pick<Database, 'transaction'>,
  endpointId: TimeOrderedId,
  follower: PageFollower = {},
): Promise<number> {
  return changePending(database, CANCEL_PENDING_PAGE, endpointId, Number.MAX_SAFE_INTEGER, follower);
}

/** The same for an endpoint that goes on: what is accepted from now on is not touched. */
export async function cancelPresentPending(
  database: Pick<Database, 'query' | 'transaction'>,
  endpointId: TimeOrderedId,
  follower: PageFollower,
): Promise<number> {
  return changePending(database, CANCEL_PENDING_PAGE, endpointId, await nextId(database), follower);
}

/** By the primary key. The caller holds the row and has checked that nobody is sending it. */
const CANCEL_DELIVERY: Statement = {
  name: 'cancel-delivery',
  text: `UPDATE deliveries d SET ${CANCELED} WHERE d.id = $1 AND d.state = 'pending' RETURNING d.state`,
};

/** @returns what it is now; undefined where it was not pending */
export async function cancelDelivery(
  connection: Queryable,
  id: TimeOrderedId,
): Promise<DeliveryState | undefined> {
  return (await connection.query<{ state: DeliveryState }>(CANCEL_DELIVERY, [id]))[0]?.state;
}
