import type { AttemptError, AttemptOutcome } from '#domain/attempt-outcome.js';

/** One POST to make. */
export interface OutboundRequest {
  readonly url: string;
  /** In sending order, names in the casing to send. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** From the request being sent to the response headers, as the receiver counts (TF-32). */
  readonly responseTimeoutMs: number;
  /** Aborts without a verdict (shut-down): the result is a fault with code `ABORTED`. */
  readonly signal?: AbortSignal;
}

/** What came of it. Anything a receiver does is data; nothing here is thrown. */
export type OutboundResult =
  | {
      readonly kind: 'answered';
      readonly outcome: AttemptOutcome;
      readonly httpStatus: number;
      readonly error: null;
      readonly responseHeaders: readonly (readonly [name: string, value: string])[];
      /** The first 1,024 characters of the body with control characters replaced. */
      readonly responseSummary: string;
      /** What `Retry-After` asks for, seconds or HTTP date, from now; null when absent, malformed, negative or past. */
      readonly retryAfterMs: number | null;
      readonly remoteAddress: string | null;
      readonly durationMs: number;
      readonly connection: ConnectionUse;
    }
  | {
      readonly kind: 'failed';
      readonly outcome: AttemptOutcome;
      readonly httpStatus: null;
      readonly error: AttemptError;
      readonly responseSummary: string;
      readonly retryAfterMs: null;
      readonly remoteAddress: string | null;
      readonly durationMs: number;
      readonly connection: ConnectionUse;
    }
  /** Ours, not the receiver's (no descriptors, no network, aborted): uses up no attempt, counts for no breaker. */
  | { readonly kind: 'fault'; readonly error: AttemptError };

/** `reused-then-new`: a kept-alive socket died before any response byte, and a fresh one was used at once. */
export type ConnectionUse = 'new' | 'reused' | 'reused-then-new' | 'none';
