import type { Publications } from '../processes/loader-messages.js';
import type { Receipts } from '../processes/receiver-messages.js';

/** Events were lost or refused: what the round measured is not what it should have. */
export class RoundFailed extends Error {}

export function assertAllAccepted({ refused, firstRefusal }: Publications): void {
  const statuses = Object.entries(refused);
  if (statuses.length === 0) return;
  const counts = statuses.map(([status, count]) => `${count} × ${status}`).join(', ');
  throw new RoundFailed(`Events were refused (${counts}), the first with ${firstRefusal}`);
}

export function assertNothingLost({ acknowledgements }: Receipts, events: number): void {
  const lost = acknowledgements.filter((count) => count === 0).length;
  if (lost > 0) throw new RoundFailed(`Of ${events} events ${lost} did not arrive in time.`);
}

/** Deliveries that came again, in this round or from an earlier one: allowed, but nothing here should cause them. */
export function repeatedIn({ acknowledgements, strangers }: Receipts): number {
  return acknowledgements.reduce((sum, count) => sum + Math.max(0, count - 1), strangers);
}
