import type { TimeOrderedId } from './time-ordered-id.js';

/** A delivery that its holder may send while the token stands. */
export interface DeliveryReference {
  readonly deliveryId: TimeOrderedId;
  readonly endpointId: TimeOrderedId;
  /** The exact `due_at` that the holder set, as epoch milliseconds: lease clock and fencing token. */
  readonly token: number;
}
