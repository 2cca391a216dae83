import type { DeliveryReference } from '#domain/delivery-reference.js';

/** What leaves the database for others and may not be lost on the way. */
export interface Announcement {
  readonly topic: string;
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * How news travels between processes. The database is the truth: what a transport loses, the sweep or the
 * outbox brings back.
 */
export interface Transport {
  /** Whether references are worth sending; while it is away, what is due is left to the sweep. */
  readonly connected: boolean;

  /**
   * Sends references to the workers, after the commit that took them. Returns those that could not be sent;
   * the sender gives them back. Settles within seconds, whatever state the other side is in.
   */
  sendReferences(references: readonly DeliveryReference[]): Promise<readonly DeliveryReference[]>;

  /** Hands references to this process's worker until the returned function ends it. One worker per transport. */
  receiveReferences(receiver: ReferenceReceiver): Promise<() => Promise<void>>;

  /** Resolves once all are acknowledged; rejects when that is not sure, and then all are announced again. */
  announce(announcements: readonly Announcement[]): Promise<void>;

  /** Bounded, whatever state the other side is in. */
  close(): Promise<void>;
}

export interface ReferenceReceiver {
  /** Takes references without waiting for their attempts; what it cannot queue it gives back itself. */
  receive(references: readonly DeliveryReference[]): void;
  /** Whether it wants more. While it does not, references stay where they are: nobody gathers them for later. */
  hasRoom(): boolean;
}
