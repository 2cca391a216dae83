/** A record that a producer put on the events topic: a publish that has not been looked at yet. */
export interface EventRecord {
  readonly topic: string;
  readonly partition: number;
  /** Decimal, for offsets may pass 2^53. */
  readonly offset: string;
  /** The record's own timestamp, epoch milliseconds. */
  readonly timestampMs: number;
  readonly key: Buffer | null;
  /** Null is a tombstone, which is no event. */
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: string, value: Buffer])[];
}

/** A record that is no valid event, and why: for the rejected topic, unchanged. */
export interface RejectedRecord {
  readonly record: EventRecord;
  /** The problem code. */
  readonly code: string;
  readonly detail: string;
}
