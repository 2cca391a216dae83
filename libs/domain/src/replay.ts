import type { DeliveryState } from './delivery-state.js';
import type { TimeOrderedId } from './time-ordered-id.js';

/** Dead letters of a filter, or what one endpoint had in a time. */
export const REPLAY_KINDS = ['dead-letters', 'endpoint'] as const;
export type ReplayKind = (typeof REPLAY_KINDS)[number];

/** States that a replay of an endpoint may take up again. */
export const REPLAYABLE_STATES = [
  'suppressed',
  'dead',
  'closed',
  'delivered',
  'pending',
] as const satisfies readonly DeliveryState[];
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

/** Which deliveries a replay takes. Times are ISO-8601; `since ≤ t < until`. */
export interface ReplayFilter {
  /** Only these applications: what was asked for, within what the key covers. Null for all. */
  readonly applications: readonly string[] | null;
  readonly endpoint: TimeOrderedId | null;
  readonly type: string | null;
  /** Of a dead letter when it finished; of an endpoint's delivery when its event was accepted. */
  readonly since: string | null;
  readonly until: string | null;
  readonly ids: readonly TimeOrderedId[] | null;
  readonly states: readonly ReplayableState[];
}

export const REPLAY_STATES = ['running', 'done', 'canceled', 'failed'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

export interface Replay {
  readonly id: TimeOrderedId;
  readonly kind: ReplayKind;
  readonly filter: ReplayFilter;
  readonly state: ReplayState;
  readonly matched: number;
  readonly queued: number;
  readonly skipped: number;
  readonly ratePerSecond: number | null;
  /** Why it failed. */
  readonly failure: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
