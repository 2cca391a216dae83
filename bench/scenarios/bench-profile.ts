/** How much each row plays. */
export interface BenchProfile {
  readonly name: 'full' | 'quick';
  readonly rounds: number;
  /** How long before the first measured round, so that code is compiled and connections are open. */
  readonly warmUpSeconds: number;
  /** About how long a round at full load takes; from the pace of the warm-up follows its number of events. */
  readonly fullLoadSeconds: number;
  /** How long a round at a fixed rate publishes. */
  readonly rateSeconds: number;
  /** The rows, by what they are under; null: all. */
  readonly rows: readonly string[] | null;
}

export const FULL: BenchProfile = {
  name: 'full',
  rounds: 5,
  warmUpSeconds: 15,
  fullLoadSeconds: 5,
  rateSeconds: 15,
  rows: null,
};

/** What a reviewer waits for: under 90 s. */
export const QUICK: BenchProfile = {
  name: 'quick',
  rounds: 3,
  warmUpSeconds: 6,
  fullLoadSeconds: 1.5,
  rateSeconds: 4,
  rows: ['ceiling/0.4KB', 'ceiling/bare', 'standalone/0.4KB', 'standalone/rate/100', 'kafka/0.4KB/1'],
};
