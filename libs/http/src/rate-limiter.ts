import { SECOND_MS } from '#domain/durations.js';

/** What a key has left after a request. */
export interface Quota {
  readonly granted: boolean;
  /** Requests that would be granted at once. */
  readonly remaining: number;
}

/** Limits are of a request a second at least, so the next one is there within a second. */
export const NEXT_WITHIN_SECONDS = 1;

/** Keys remembered before those at rest are forgotten. */
const MAX_REMEMBERED = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Counts requests by key, in this process alone: a token bucket that holds a second's worth and is filled
 * evenly, so that a key may send that much at once and never more than its limit for long.
 */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  /** @param nowMs a clock that is never set back */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Takes one request of the key's. @param perSecond its limit, at least 1 */
  take(key: string, perSecond: number): Quota {
    const bucket = this.bucketOf(key, perSecond);
    const granted = bucket.tokens >= 1;
    if (granted) bucket.tokens -= 1;
    return { granted, remaining: Math.floor(bucket.tokens) };
  }

  private bucketOf(key: string, perSecond: number): Bucket {
    const atMs = this.nowMs();
    const known = this.buckets.get(key);
    if (known) {
      known.tokens = Math.min(perSecond, known.tokens + ((atMs - known.atMs) / SECOND_MS) * perSecond);
      known.atMs = atMs;
      return known;
    }
    if (this.buckets.size >= MAX_REMEMBERED) this.forgetThoseAtRest(atMs);
    const bucket = { tokens: perSecond, atMs };
    this.buckets.set(key, bucket);
    return bucket;
  }

  /** After a second a bucket is full, as a new one is. */
  private forgetThoseAtRest(nowMs: number): void {
    for (const [key, { atMs }] of this.buckets) if (nowMs - atMs >= SECOND_MS) this.buckets.delete(key);
  }
}
