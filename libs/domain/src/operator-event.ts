import type { ExhaustedState } from './delivery-state.js';

/** What operators are told of by themselves, once for each transition. */
export const OPERATOR_EVENT_TYPES = [
  'endpoint.disabled',
  'endpoint.restored',
  'delivery.dead',
  'backlog.growing',
] as const;

/** In the words of a delivery: the error is null where a response came, the status where none did. */
interface LastAnswer {
  readonly lastHttpStatus: number | null;
  readonly lastError: { readonly code: string; readonly message: string } | null;
}

export interface EndpointDisabled extends LastAnswer {
  readonly type: 'endpoint.disabled';
  readonly application: string;
  readonly endpoint: string;
  readonly cause: 'breaker' | 'operator';
  readonly reason: string;
  readonly consecutiveFailures: number;
}

export interface EndpointRestored {
  readonly type: 'endpoint.restored';
  readonly application: string;
  readonly endpoint: string;
  readonly cause: 'operator' | 'registration';
  /** Why and since when it was disabled. */
  readonly reason: string | null;
  readonly since: Date | null;
  /** What it missed and could be replayed; counted up to 10,000. */
  readonly suppressedCount: number;
}

export interface DeliveryDead extends LastAnswer {
  readonly type: 'delivery.dead';
  readonly application: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly event: string;
  readonly eventType: string;
  readonly state: ExhaustedState;
  readonly attemptCount: number;
}

export interface BacklogGrowing {
  readonly type: 'backlog.growing';
  /** Of the endpoints whose backlog is growing, the one whose oldest due attempt waits longest. */
  readonly application: string;
  readonly endpoint: string;
  readonly oldestDueAt: Date;
  readonly waitedSeconds: number;
  /** Since when it waited longer at each look. */
  readonly since: Date;
  /** How many were found growing at this look, and the first of them. */
  readonly endpointCount: number;
  readonly endpoints: readonly string[];
}

/** What happened, as whoever makes it happen knows it. */
export type OperatorEventFacts = EndpointDisabled | EndpointRestored | DeliveryDead | BacklogGrowing;
