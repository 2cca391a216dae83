import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';
import { withinDays } from './within-days.js';

export interface AcceptedDeliveryState {
  readonly deliveryId: TimeOrderedId;
  readonly state: 'pending' | 'suppressed';
  /** When the first attempt is owed; null where none is. */
  readonly scheduledAt: Date | null;
}

/** By the primary key, in the partitions in which they lie. */
const readStates = withinDays(
  'read-accepted-deliveries',
  (within) => `
SELECT id AS "deliveryId", state, scheduled_at AS "scheduledAt"
  FROM deliveries WHERE id = ANY ($1) AND ${within('id')}`,
);

/** Of deliveries that were accepted in this transaction. */
export async function readAcceptedDeliveries(
  connection: Queryable,
  deliveryIds: readonly TimeOrderedId[],
): Promise<AcceptedDeliveryState[]> {
  if (deliveryIds.length === 0) return [];
  return connection.query(readStates(Math.min(...deliveryIds), Math.max(...deliveryIds)), [deliveryIds]);
}
