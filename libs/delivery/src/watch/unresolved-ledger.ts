import { UNRESOLVED_STATES, type UnresolvedCounts } from '#domain/fleet-figures.js';
import type { Queryable } from '#storage/database.js';
import { countUnresolved } from '#storage/sql/unresolved-deliveries.js';

/** Endpoints of older days that one reading goes through, at some 8 µs each; the last day is finished. */
const ENDPOINTS_PER_READING = 2_000;
/** Days whose deliveries still come to an end: counted in every reading. */
const FRESH_DAYS = 2;

/**
 * Unresolved deliveries, counted by the day that they were made in. A month of them is too much for each reading, and
 * what is old changes only when it is redelivered or replayed: each reading counts the newest days, and those whose
 * count is the oldest, as many as its budget allows; of the others it takes the last count.
 */
export class UnresolvedLedger {
  /** By partition, the one counted longest ago first. */
  private readonly days = new Map<string, ReadonlyMap<string, UnresolvedCounts>>();

  /** @param partitions of deliveries, newest first */
  async read(
    database: Queryable,
    partitions: readonly string[],
  ): Promise<ReadonlyMap<string, UnresolvedCounts>> {
    const present = new Set(partitions);
    for (const gone of [...this.days.keys()].filter((partition) => !present.has(partition)))
      this.days.delete(gone);
    const older = [...this.days.keys()].filter(
      (partition) => !partitions.slice(0, FRESH_DAYS).includes(partition),
    );
    const unknown = partitions.filter((partition) => !this.days.has(partition));
    for (const partition of new Set([...partitions.slice(0, FRESH_DAYS), ...unknown]))
      await this.count(database, partition);
    let endpoints = 0;
    for (const partition of older) {
      endpoints += await this.count(database, partition);
      if (endpoints >= ENDPOINTS_PER_READING) break;
    }
    return sumOf([...this.days.values()]);
  }

  /** @returns the endpoints that it went through */
  private async count(database: Queryable, partition: string): Promise<number> {
    const { counts, endpoints } = await countUnresolved(database, partition);
    this.days.delete(partition);
    this.days.set(partition, counts);
    return endpoints;
  }
}

function sumOf(
  days: readonly ReadonlyMap<string, UnresolvedCounts>[],
): ReadonlyMap<string, UnresolvedCounts> {
  const sums = new Map<string, Record<keyof UnresolvedCounts, number>>();
  for (const [contract, counts] of days.flatMap((day) => [...day])) {
    const sum = sums.get(contract) ?? { dead: 0, closed: 0, suppressed: 0 };
    for (const state of UNRESOLVED_STATES) sum[state] += counts[state];
    sums.set(contract, sum);
  }
  return sums;
}
