/**
 * The states of a delivery and every way between them. Each SQL statement that changes a state enforces its
 * row of this table in its WHERE clause; `transitions.test.ts` holds the statements to it.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'closed', 'canceled', 'suppressed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What a contract calls a delivery whose attempts are used up. */
export type ExhaustedState = 'dead' | 'closed';

export type DeliveryEvent =
  'succeeded' | 'failed' | 'exhausted' | 'redelivered' | 'replayed' | 'canceled' | 'revoked' | 'erased';

/**
 * Where an event leads, or null where it changes nothing.
 *
 * - A 2xx is absorbing: the receiver has the event, whoever reports it and whatever was decided meanwhile.
 * - `firstDeliveredAt` says that an earlier cycle succeeded: a redelivery that fails, or is canceled, leaves
 *   the delivery delivered, for the first success survives.
 * - `erased`, of the event's body, cancels what waits. `redelivered` and `replayed` are of events that have one.
 */
export function nextState(
  state: DeliveryState,
  event: DeliveryEvent,
  context: { exhausted: ExhaustedState; wasDelivered: boolean },
): DeliveryState | null {
  switch (event) {
    case 'succeeded':
      return state === 'suppressed' ? null : 'delivered';
    case 'failed':
      return state === 'pending' ? 'pending' : null;
    case 'exhausted':
      if (state !== 'pending') return null;
      return context.wasDelivered ? 'delivered' : context.exhausted;
    case 'redelivered':
    case 'replayed':
      return 'pending';
    case 'canceled':
    case 'revoked':
    case 'erased':
      if (state !== 'pending') return null;
      return context.wasDelivered ? 'delivered' : 'canceled';
  }
}

/** Why an attempt is made. A retry's trigger is `retry` whatever began its cycle. */
export const ATTEMPT_TRIGGERS = ['first', 'retry', 'redeliver', 'replay'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];
