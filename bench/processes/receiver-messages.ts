/** What a round will bring. */
export interface Expectation {
  readonly kind: 'expect';
  readonly round: number;
  readonly events: number;
  /** Deliveries of one event. */
  readonly deliveriesPerEvent: number;
  /** So many times each event is answered 500 before it is acknowledged. */
  readonly refusals: number;
}

export type ReceiverCommand = Expectation | { readonly kind: 'report' };

export type ReceiverReport =
  /** The ports of its endpoints, each on an address of its own, and that of its running count. */
  | { readonly kind: 'ready'; readonly origins: readonly string[]; readonly countPort: number }
  | { readonly kind: 'expecting' }
  /** Every delivery of the round has been acknowledged. */
  | { readonly kind: 'complete' }
  | ({ readonly kind: 'receipts' } & Receipts);

/** What came in a round, by an event's place in it. */
export interface Receipts {
  /** When it was first acknowledged, in ms of the monotonic clock; 0 where it was not. */
  readonly acknowledgedAtMs: Float64Array;
  /** How often it was acknowledged. */
  readonly acknowledgements: Uint16Array;
  /** How often it was answered 500. */
  readonly refusals: Uint16Array;
  /** Requests that carry no event of this round. */
  readonly strangers: number;
  /** How many connections were made in this round. */
  readonly connections: number;
}
