/** One round of publishing. */
export interface Load {
  readonly kind: 'load';
  readonly round: number;
  readonly events: number;
  /** Where to publish, as `http://127.0.0.1:40001`. */
  readonly origin: string;
  readonly path: string;
  readonly apiKey: string;
  /** Request bodies, used in turn; ids are written where they hold `EVENT_ID_PLACEHOLDER`. */
  readonly bodies: readonly string[];
  readonly pace: Pace;
}

export type Pace =
  /**
   * As fast as answers come, while no more than `maxUndelivered` deliveries are on their way: the pace of the
   * whole way, not of its first part.
   */
  | {
      readonly kind: 'full';
      readonly connections: number;
      readonly maxUndelivered: number;
      readonly deliveriesPerEvent: number;
      /** Where the receiver tells its running count; null where nothing is delivered. */
      readonly countPort: number | null;
    }
  /** At fixed times, whatever the answers do. */
  | { readonly kind: 'rate'; readonly eventsPerSecond: number };

export type LoaderCommand = Load;

export type LoaderReport = { readonly kind: 'ready' } | ({ readonly kind: 'published' } & Publications);

/** Times by an event's place in the round, in ms of the monotonic clock. */
export interface Publications {
  /** When its turn was; at full pace the same as `sentAtMs`. */
  readonly owedAtMs: Float64Array;
  readonly sentAtMs: Float64Array;
  readonly answeredAtMs: Float64Array;
  /** Answers other than 2xx, by status. */
  readonly refused: Readonly<Record<number, number>>;
  /** The first of them, as text. */
  readonly firstRefusal: string | null;
}
