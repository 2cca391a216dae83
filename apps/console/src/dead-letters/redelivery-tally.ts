import type { Schemas } from '#client/api-call.js';

type Followed = Schemas['FollowedAttempt'];

/** So many of a redelivery's attempts that fail one after the other end it. */
export const FAILURES_THAT_STOP = 20;

/** How far each delivery of a redelivery came, by its id. */
type Standing = 'delivered' | 'waiting' | 'dead';

/**
 * What became of a redelivery's deliveries, counted from the attempts of its endpoints since just before it began. The
 * API says how many were queued, not what became of each.
 */
export interface Tally {
  /** `after` of the next look; what was looked at is counted once. */
  readonly after: string;
  readonly standings: Readonly<Record<string, Standing>>;
  readonly failuresInARow: number;
}

export function tallied(tally: Tally, attempts: readonly Followed[], after: string): Tally {
  const standings = { ...tally.standings };
  let { failuresInARow } = tally;
  for (const { delivery, trigger, outcome, nextAttemptAt, superseded } of attempts) {
    // A retry of what was not redelivered is none of ours.
    if (superseded || (trigger !== 'replay' && !(trigger === 'retry' && delivery in standings))) continue;
    const succeeded = outcome === 'success';
    failuresInARow = succeeded ? 0 : failuresInARow + 1;
    standings[delivery] = succeeded ? 'delivered' : nextAttemptAt === null ? 'dead' : 'waiting';
  }
  return { after, standings, failuresInARow };
}

export interface TallyCounts {
  readonly delivered: number;
  /** Failed again, and tried once more later. */
  readonly waiting: number;
  /** Failed again for good. */
  readonly dead: number;
}

export function countsOf({ standings }: Tally): TallyCounts {
  const counts = { delivered: 0, waiting: 0, dead: 0 };
  for (const standing of Object.values(standings)) counts[standing] += 1;
  return counts;
}
