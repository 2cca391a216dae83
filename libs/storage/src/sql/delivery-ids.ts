import { DAY_MS } from '#domain/durations.js';
import { firstIdAt, idTime, type TimeOrderedId } from '#domain/time-ordered-id.js';

/** Deliveries of an event are made in its own statement: this is more than a statement may take. */
export const BORN_WITHIN_DAYS = 1;
const BORN_WITHIN_MS = BORN_WITHIN_DAYS * DAY_MS;

/** Within which the ids of their deliveries lie, so that no other partitions are looked into: `from ≤ id < to`. */
export function deliveryIdsOf(eventIds: readonly TimeOrderedId[]): {
  from: TimeOrderedId;
  to: TimeOrderedId;
} {
  const times = eventIds.map((id) => idTime(id).getTime());
  return {
    from: firstIdAt(new Date(Math.min(...times))),
    to: firstIdAt(new Date(Math.max(...times) + BORN_WITHIN_MS)),
  };
}

/** Within which the ids of their events lie: `from ≤ id < to`. */
export function eventIdsOf(deliveries: { from: TimeOrderedId; to: TimeOrderedId }): {
  from: TimeOrderedId;
  to: TimeOrderedId;
} {
  return {
    from: firstIdAt(new Date(idTime(deliveries.from).getTime() - BORN_WITHIN_MS)),
    // Of one millisecond, in which the sequence of ids may have begun anew between the two.
    to: firstIdAt(new Date(idTime(deliveries.to).getTime() + 1)),
  };
}
