/** One round of raw sending. */
export interface RawSend {
  readonly kind: 'send';
  readonly round: number;
  readonly events: number;
  /** Used in turn. */
  readonly origins: readonly string[];
  readonly connectionsPerOrigin: number;
  /** The delivered body, its ids as `EVENT_ID_PLACEHOLDER`. */
  readonly body: string;
}

export type RawSenderReport =
  | { readonly kind: 'ready' }
  /** When the first request was begun, in ms of the monotonic clock. */
  | { readonly kind: 'sent'; readonly startedAtMs: number };
