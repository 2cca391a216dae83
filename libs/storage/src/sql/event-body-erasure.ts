import type { DeliveryState } from '#domain/delivery-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';
import { deliveryIdsOf } from './delivery-ids.js';

/**
 * What waits is canceled, in flight or not: the 2xx of one in flight is absorbing and makes it delivered all the
 * same. By deliveries_event, in the partitions of the event's day and the next; locked in the order of ids.
 */
const MARK_DELIVERIES: Statement = {
  name: 'mark-deliveries-of-erased-body',
  text: `
WITH locked AS MATERIALIZED (
  SELECT id FROM deliveries WHERE event_id = $1 AND id >= $2 AND id < $3 ORDER BY id FOR NO KEY UPDATE
)
UPDATE deliveries d
   SET body_erased = true,
       state = CASE WHEN d.state <> 'pending' THEN d.state
                    WHEN d.delivered_at IS NOT NULL THEN 'delivered' ELSE 'canceled' END,
       scheduled_at = NULL, due_at = NULL,
       finished_at = CASE WHEN d.state = 'pending' THEN now_ms() ELSE d.finished_at END
 WHERE d.id = ANY (ARRAY(SELECT id FROM locked))
RETURNING d.id, d.state, old.state <> new.state AS finished,
          (SELECT contract FROM applications a WHERE a.id = d.application_id) AS contract`,
};

/** By the primary key. Headers too may repeat the body, or hold a digest of it. */
const ERASE_EXCHANGES: Statement = {
  name: 'erase-exchanges',
  text: `
UPDATE attempts SET response_summary = '', request_headers = NULL, response_headers = NULL
 WHERE delivery_id = ANY ($1)
   AND (response_summary <> '' OR request_headers IS NOT NULL OR response_headers IS NOT NULL)`,
};

const ERASE_BODY: Statement = {
  name: 'erase-event-body',
  text: `
UPDATE events SET body = NULL, body_erased_at = now_ms() WHERE id = $1 AND body IS NOT NULL RETURNING id`,
};

/** A delivery that waited, and what it is now. */
export interface FinishedDelivery {
  readonly contract: string;
  readonly state: DeliveryState;
}

interface MarkedDelivery extends FinishedDelivery {
  readonly id: TimeOrderedId;
  readonly finished: boolean;
}

/**
 * Erases the bytes of an event, and the headers and answers of its attempts, which may repeat them.
 *
 * The deliveries are marked first, by a statement of its own: a result that was being written by then has its attempt
 * in the table by the next one's snapshot, and a later one sees the mark and keeps no answer
 * (`attempt-results.ts`). Whoever would send a delivery again sees it too.
 *
 * @param connection of a transaction
 * @returns `erased` is false where nothing was left to erase
 */
export async function eraseEventBody(
  connection: Queryable,
  eventId: TimeOrderedId,
): Promise<{ readonly erased: boolean; readonly finished: readonly FinishedDelivery[] }> {
  const { from, to } = deliveryIdsOf([eventId]);
  const deliveries = await connection.query<MarkedDelivery>(MARK_DELIVERIES, [eventId, from, to]);
  await connection.query(ERASE_EXCHANGES, [deliveries.map((delivery) => delivery.id)]);
  const erased = await connection.query(ERASE_BODY, [eventId]);
  return { erased: erased.length > 0, finished: deliveries.filter(({ finished }) => finished) };
}
