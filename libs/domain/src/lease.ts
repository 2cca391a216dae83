/** The longest waits of one attempt that this process may make. */
export interface AttemptDeadlines {
  /** DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** The longest response timeout that an application may set. */
  readonly maxResponseTimeoutMs: number;
}

export const DEFAULT_DEADLINES: AttemptDeadlines = { connectTimeoutMs: 5_000, maxResponseTimeoutMs: 15_000 };

/**
 * How long a taken delivery belongs to whoever took it: 60 s with the default deadlines. Long enough for the
 * longest attempt, its one repetition on a fresh connection, and some seconds in a queue.
 */
export function leaseMs(deadlines: AttemptDeadlines): number {
  return 3 * (deadlines.connectTimeoutMs + deadlines.maxResponseTimeoutMs);
}

/**
 * The lease that must be left when a POST starts: its deadlines, once more the response timeout for a
 * repetition on a fresh connection, and a tenth of the lease to write the result.
 */
export function leaseNeededMs(deadlines: AttemptDeadlines, responseTimeoutMs: number): number {
  return deadlines.connectTimeoutMs + 2 * responseTimeoutMs + leaseMs(deadlines) / 10;
}

/**
 * How much work a queue may hold, as the time until its last reference starts: half of what the lease leaves
 * beside the longest attempt. Some 10 s with the defaults.
 */
export function queueHorizonMs(deadlines: AttemptDeadlines): number {
  return (leaseMs(deadlines) - leaseNeededMs(deadlines, deadlines.maxResponseTimeoutMs)) / 2;
}
