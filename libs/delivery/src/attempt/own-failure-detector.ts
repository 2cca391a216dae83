import { SECOND_MS } from '#domain/durations.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';

const WINDOW_MS = 10 * SECOND_MS;
/** Fewer endpoints than this say nothing about us. */
const MIN_ENDPOINTS = 10;
const SHARE = 0.5;

/**
 * Tells our own trouble from the receivers': when most endpoints that were healthy until now fail without an
 * answer within some seconds, the network is ours, and their failures must not disable them.
 */
export class OwnFailureDetector {
  /** Endpoints whose last attempt succeeded, and when their first unanswered failure since then was. */
  private readonly recent = new Map<TimeOrderedId, { at: number; failed: boolean }>();

  /** Notes one attempt; returns whether its failure counts for the endpoint's breaker. */
  counts(
    endpointId: TimeOrderedId,
    attempt: { success: boolean; answered: boolean },
    nowMs: number,
  ): boolean {
    if (attempt.success) {
      this.recent.delete(endpointId);
      this.recent.set(endpointId, { at: nowMs, failed: false });
      return true;
    }
    const entry = this.recent.get(endpointId);
    if (attempt.answered) {
      this.recent.delete(endpointId);
      return true;
    }
    if (entry && !entry.failed) {
      this.recent.delete(endpointId);
      this.recent.set(endpointId, { at: nowMs, failed: true });
    }
    return !this.suspected(nowMs);
  }

  /** Whether most recently healthy endpoints fail without an answer. */
  suspected(nowMs: number): boolean {
    let healthy = 0;
    let failed = 0;
    for (const [endpointId, entry] of this.recent) {
      if (entry.at < nowMs - WINDOW_MS) this.recent.delete(endpointId);
      else if (entry.failed) failed++;
      else healthy++;
    }
    return failed >= MIN_ENDPOINTS && failed > SHARE * (failed + healthy);
  }
}
