import { SECOND_MS } from '#domain/durations.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';

const WINDOW_MS = 10 * SECOND_MS;
/** Fewer endpoints than this say nothing about us. */
const MIN_ENDPOINTS = 10;
const SHARE = 0.5;

interface Recent {
  at: number;
  /** Its first attempt after a success got no answer. */
  failed: boolean;
}

/**
 * Tells our own trouble from the receivers': when most endpoints that were healthy until now fail without an
 * answer within some seconds, the network is ours, and their failures must not disable them. That lasts until
 * successes outweigh failures again, however long.
 */
export class OwnFailureDetector {
  /** Endpoints that were healthy within the window, the longest ago first. */
  private readonly recent = new Map<TimeOrderedId, Recent>();
  private failedCount = 0;
  private isSuspected = false;

  /** @param onChange told when suspicion begins and ends */
  constructor(private readonly onChange: (suspected: boolean) => void) {}

  /** Notes one attempt; returns whether its failure counts for the endpoint's breaker. */
  counts(
    endpointId: TimeOrderedId,
    attempt: { success: boolean; answered: boolean },
    nowMs: number,
  ): boolean {
    const entry = this.recent.get(endpointId);
    if (attempt.success) this.put(endpointId, { at: nowMs, failed: false });
    else if (attempt.answered) this.forget(endpointId);
    else if (entry && !entry.failed) this.put(endpointId, { at: nowMs, failed: true });
    // While we are suspected, endpoints that go on failing keep the suspicion alive.
    else if (this.isSuspected) this.put(endpointId, { at: nowMs, failed: true });
    this.trim(nowMs);
    this.judge();
    return attempt.success || attempt.answered || !this.isSuspected;
  }

  private judge(): void {
    const healthyCount = this.recent.size - this.failedCount;
    const suspected = this.isSuspected
      ? healthyCount === 0 || this.failedCount > SHARE * this.recent.size
      : this.failedCount >= MIN_ENDPOINTS && this.failedCount > SHARE * this.recent.size;
    if (suspected === this.isSuspected) return;
    this.isSuspected = suspected;
    this.onChange(suspected);
  }

  private put(endpointId: TimeOrderedId, entry: Recent): void {
    this.forget(endpointId);
    this.recent.set(endpointId, entry);
    if (entry.failed) this.failedCount++;
  }

  private forget(endpointId: TimeOrderedId): void {
    if (this.recent.get(endpointId)?.failed) this.failedCount--;
    this.recent.delete(endpointId);
  }

  private trim(nowMs: number): void {
    for (const [endpointId, entry] of this.recent) {
      if (entry.at >= nowMs - WINDOW_MS) return;
      this.forget(endpointId);
    }
  }
}
