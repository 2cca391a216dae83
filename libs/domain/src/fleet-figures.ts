/** Deliveries of one kind and contract are counted up to here: what lies beyond costs seconds to count. */
export const BACKLOG_COUNTED = 100_000;
/** Unresolved deliveries of one state and contract are counted up to here in each day that they were made in. */
export const UNRESOLVED_COUNTED_PER_DAY = 10_000;
/** Deliveries that were set aside, and rows of the outbox, are counted up to here. */
export const ROWS_COUNTED = 10_000;

/** What an operator may still bring to its receiver. */
export const UNRESOLVED_STATES = ['dead', 'closed', 'suppressed'] as const;
export type UnresolvedState = (typeof UNRESOLVED_STATES)[number];
export type UnresolvedCounts = Readonly<Record<UnresolvedState, number>>;

/** Of endpoints that are not gone. */
export const STANDING_STATES = ['active', 'paused', 'disabled'] as const;
export type StandingState = (typeof STANDING_STATES)[number];

export const PARTITIONED_TABLES = ['events', 'deliveries', 'attempts', 'endpoint_minutes'] as const;
export type PartitionedTableName = (typeof PARTITIONED_TABLES)[number];

/** Of one contract. */
export interface BacklogFigures {
  /**
   * Owed by now, and not being attempted: overdue for a worker to take. Of endpoints that are not paused, as
   * `scheduled`; stops at {@link BACKLOG_COUNTED}, as `scheduled`.
   */
  readonly due: number;
  /** Owed later. */
  readonly scheduled: number;
  /** Since the oldest of those due is owed; 0 when none is. */
  readonly oldestDueAgeMs: number;
}

/** Of one contract. */
export interface EndpointFigures {
  readonly byState: Readonly<Record<StandingState, number>>;
  /** Active, and the last attempt failed. */
  readonly failing: number;
}

export interface OutboxFigures {
  /** Stops at {@link ROWS_COUNTED}. */
  readonly rows: number;
  /** 0 when there is none. */
  readonly oldestAgeMs: number;
}

export interface PartitionSpan {
  /** Until when rows of now and later find a partition, without a gap. */
  readonly horizon: Date;
  /** From when on rows are kept. */
  readonly oldest: Date;
}

/** What the database holds for all processes together, as one reading found it. */
export interface FleetFigures {
  /** By contract; one without is not named. */
  readonly backlog: ReadonlyMap<string, BacklogFigures>;
  readonly unresolved: ReadonlyMap<string, UnresolvedCounts>;
  readonly endpoints: ReadonlyMap<string, EndpointFigures>;
  /** With something due. */
  readonly endpointsDue: number;
  /** Of those, the oldest has waited for more than a minute. */
  readonly endpointsLate: number;
  /** Parked after repeated faults of ours; stops at {@link ROWS_COUNTED}. */
  readonly setAside: number;
  readonly outbox: OutboxFigures;
  readonly partitions: ReadonlyMap<PartitionedTableName, PartitionSpan>;
  readonly replaysRunning: number;
}
