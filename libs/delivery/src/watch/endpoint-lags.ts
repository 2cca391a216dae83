import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '#storage/database.js';
import { listPartitionDays, readingPartitions } from '#storage/sql/partition-days.js';
import { findWaitingEndpoints, withPending } from '#storage/sql/waiting-deliveries.js';

/** For how long the oldest due delivery of each endpoint has been owed, in ms; without due ones, and paused, it has none. */
export function readEndpointLags(database: Queryable): Promise<ReadonlyMap<TimeOrderedId, number>> {
  return readingPartitions(() => readLags(database));
}

async function readLags(database: Queryable): Promise<ReadonlyMap<TimeOrderedId, number>> {
  const partitions = await listPartitionDays(database);
  const days = partitions.filter(({ table }) => table === 'deliveries').map(({ partition }) => partition);
  const lags = new Map<TimeOrderedId, number>();
  for (const day of await withPending(database, days)) {
    for (const { endpointId, oldestDueAgeMs } of await findWaitingEndpoints(database, day)) {
      if (oldestDueAgeMs !== null) lags.set(endpointId, Math.max(oldestDueAgeMs, lags.get(endpointId) ?? 0));
    }
  }
  return lags;
}
