/** The two clocks of a process, passed to whatever asks for the time so that tests can set it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. For log times and signed timestamps only: machine clocks never meet. */
  nowMs(): number;
  /** Monotonic milliseconds since some start, for durations and ages. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
