import { DAY_MS } from '#domain/durations.js';
import type { PartitionedTableName, PartitionSpan } from '#domain/fleet-figures.js';
import type { PartitionDay } from '#storage/sql/partition-days.js';

/**
 * What the partitions of each table cover. A gap ends the horizon: rows of that day have no place, whatever lies
 * behind it. Without a partition of today the horizon is today's midnight, which is past.
 */
export function partitionSpans(
  partitions: readonly PartitionDay[],
  now: Date,
): ReadonlyMap<PartitionedTableName, PartitionSpan> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Map(
    [...Map.groupBy(partitions, ({ table }) => table)].map(([table, ofTable]) => {
      const days = new Set(ofTable.map(({ day }) => day.getTime()));
      let horizon = today;
      while (days.has(horizon)) horizon += DAY_MS;
      return [table, { horizon: new Date(horizon), oldest: new Date(Math.min(...days)) }];
    }),
  );
}
