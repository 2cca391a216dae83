import { type Figures, medianFigures } from '../measure/statistics.js';
import { progressOf } from '../report/progress.js';
import type { BenchContext, Row } from './scenario.js';

/** Plays the rounds of a row one after the other, tells how each went, and records the row. Returns the medians. */
export async function playRow<T extends Figures>(
  { profile, say, record }: BenchContext,
  row: Pick<Row, 'id' | 'kind' | 'title'>,
  playRound: () => Promise<T>,
): Promise<T> {
  const rounds: T[] = [];
  for (let number = 1; number <= profile.rounds; number++) {
    const figures = await playRound();
    rounds.push(figures);
    say(`${row.title} (${number}/${profile.rounds}): ${progressOf(row.kind, figures)}`);
  }
  const median = medianFigures(rounds);
  record({ ...row, rounds, median });
  return median;
}
