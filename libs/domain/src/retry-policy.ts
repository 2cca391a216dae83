import type { WaitRange } from './durations.js';
import type { ExhaustedState } from './delivery-state.js';

/** How a delivery is sent and retried: the contract's defaults overridden by the application's settings. */
export interface DeliveryPolicy {
  /** Waits after the 1st, 2nd … failure; attempts of a full cycle = length + 1. */
  readonly waits: readonly WaitRange[];
  /** From the request being sent to the response headers. */
  readonly timeoutMs: number;
  /** The first attempt is owed this long after `occurredAt`, never before acceptance. */
  readonly firstAttemptDelayMs: number;
  /** Consecutive failures that disable an endpoint; 0 is never. */
  readonly breakerThreshold: number;
  readonly respectRetryAfter: boolean;
  readonly retryAfterCapMs: number;
  /** Simultaneous attempts to one endpoint from one worker. */
  readonly concurrencyPerWorker: number;
  /** Whether receivers get the trace context beside the contract's own headers. */
  readonly sendTraceparent: boolean;
  readonly exhausted: ExhaustedState;
  /** What a redelivery after exhaustion is: the whole schedule again, or one attempt. */
  readonly redelivery: 'full-cycle' | 'single-attempt';
}

/** Attempts that a cycle may make. The first cycle always has the whole schedule. */
export function cycleLength(policy: DeliveryPolicy, cycle: number): number {
  return cycle > 1 && policy.redelivery === 'single-attempt' ? 1 : policy.waits.length + 1;
}

/**
 * The wait after a failure, counted from the failure, in milliseconds; null when the cycle is used up.
 *
 * @param failuresInCycle this failure included, from 1
 * @param retryAfterMs what the response asked for, or null. Honoured where the policy says so, as the longer
 *   of it and the drawn wait, capped; it never brings an attempt forward (CC-38).
 * @param random uniform in [0, 1)
 */
export function waitAfterFailure(
  policy: DeliveryPolicy,
  cycle: number,
  failuresInCycle: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  if (failuresInCycle >= cycleLength(policy, cycle)) return null;
  const range = policy.waits[failuresInCycle - 1];
  if (range === undefined) return null;
  const drawnMs = Math.round(range.minMs + random() * (range.maxMs - range.minMs));
  if (!policy.respectRetryAfter || retryAfterMs === null) return drawnMs;
  return Math.max(drawnMs, Math.min(retryAfterMs, policy.retryAfterCapMs));
}
