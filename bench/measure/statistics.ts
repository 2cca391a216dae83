/** What a round found, by name. The unit is in the name. */
export type Figures = { readonly [name: string]: number | Figures };

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** By nearest rank: each is a value that was measured. */
export function percentilesOf(values: Float64Array): Percentiles {
  if (values.length === 0) throw new Error('There are no percentiles of nothing.');
  const sorted = values.toSorted();
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return { p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: sorted.at(-1)! };
}

/** Of an even count the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing.');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of each figure by itself, over rounds that found the same figures. */
export function medianFigures<T extends Figures>(rounds: readonly T[]): T {
  const [first] = rounds;
  if (first === undefined) throw new Error('There is no median of no rounds.');
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const all = rounds.map((round) => round[name]!);
      return [name, typeof value === 'number' ? medianOf(all as number[]) : medianFigures(all as Figures[])];
    }),
  ) as T;
}
