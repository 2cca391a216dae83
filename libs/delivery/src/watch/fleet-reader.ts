import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import { BACKLOG_COUNTED, type BacklogFigures, type FleetFigures } from '#domain/fleet-figures.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Database, Queryable } from '#storage/database.js';
import { databaseNow } from '#storage/sql/database-clock.js';
import {
  countEndpoints,
  countRunningReplays,
  countSetAside,
  readOutboxFigures,
} from '#storage/sql/fleet-counts.js';
import { listPartitionDays, readingPartitions } from '#storage/sql/partition-days.js';
import {
  countWaiting,
  findWaitingEndpoints,
  type WaitingEndpoint,
  withPending,
} from '#storage/sql/waiting-deliveries.js';
import { partitionSpans } from './partition-spans.js';
import { UnresolvedLedger } from './unresolved-ledger.js';

/** No statement runs for longer, and none begins when a reading has taken as long. */
const READING_MS = 5 * SECOND_MS;
/** An endpoint whose oldest due delivery waits for longer is late. */
const LATE_AFTER_MS = MINUTE_MS;

/** Reads what the database holds for all processes together, at a cost that does not grow with what waits. */
export class FleetReader {
  private readonly unresolved = new UnresolvedLedger();

  constructor(private readonly database: Pick<Database, 'withStatementTimeout'>) {}

  /** @throws where the database fails, or does not answer within some seconds */
  async read(): Promise<FleetFigures> {
    return this.database.withStatementTimeout(READING_MS, (connection) =>
      readingPartitions(() => this.readFrom(withDeadline(connection, performance.now() + READING_MS))),
    );
  }

  private async readFrom(connection: Queryable): Promise<FleetFigures> {
    const now = await databaseNow(connection);
    const partitions = await listPartitionDays(connection);
    const days = partitions.filter(({ table }) => table === 'deliveries').map(({ partition }) => partition);
    return {
      ...(await readWaiting(connection, days)),
      endpoints: await countEndpoints(connection),
      setAside: await countSetAside(connection),
      outbox: await readOutboxFigures(connection),
      replaysRunning: await countRunningReplays(connection),
      partitions: partitionSpans(partitions, now),
      // Last, for what is counted of it counts in later readings too, should this one fail.
      unresolved: await this.unresolved.read(connection, days),
    };
  }
}

/** @param days partitions of deliveries */
async function readWaiting(
  connection: Queryable,
  days: readonly string[],
): Promise<Pick<FleetFigures, 'backlog' | 'endpointsDue' | 'endpointsLate'>> {
  const backlog = new Map<string, BacklogFigures>();
  const oldestAgeMs = new Map<TimeOrderedId, number>();
  for (const day of await withPending(connection, days)) {
    const waiting = await findWaitingEndpoints(connection, day);
    for (const { endpointId, oldestDueAgeMs } of waiting) {
      if (oldestDueAgeMs === null) continue;
      oldestAgeMs.set(endpointId, Math.max(oldestDueAgeMs, oldestAgeMs.get(endpointId) ?? 0));
    }
    for (const [contract, endpoints] of Map.groupBy(waiting, (endpoint) => endpoint.contract)) {
      const known = backlog.get(contract) ?? { due: 0, scheduled: 0, oldestDueAgeMs: 0 };
      backlog.set(contract, await withDay(connection, day, endpoints, known));
    }
  }
  const ages = [...oldestAgeMs.values()];
  return {
    backlog,
    endpointsDue: ages.length,
    endpointsLate: ages.filter((ageMs) => ageMs > LATE_AFTER_MS).length,
  };
}

/** The figures of a contract with those of one day more. */
async function withDay(
  connection: Queryable,
  day: string,
  endpoints: readonly WaitingEndpoint[],
  known: BacklogFigures,
): Promise<BacklogFigures> {
  const counted = await countWaiting(
    connection,
    day,
    endpoints.map(({ endpointId }) => endpointId),
    { due: BACKLOG_COUNTED - known.due, scheduled: BACKLOG_COUNTED - known.scheduled },
  );
  return {
    due: known.due + counted.due,
    scheduled: known.scheduled + counted.scheduled,
    oldestDueAgeMs: Math.max(
      known.oldestDueAgeMs,
      ...endpoints.map(({ oldestDueAgeMs }) => oldestDueAgeMs ?? 0),
    ),
  };
}

/** Begins no statement after `deadline`, in milliseconds of `performance.now()`. */
function withDeadline(connection: Queryable, deadline: number): Queryable {
  return {
    query: async (statement, values) => {
      if (performance.now() >= deadline)
        throw new Error(`A reading of the stats took longer than ${READING_MS} ms and was given up.`);
      return connection.query(statement, values);
    },
  };
}
