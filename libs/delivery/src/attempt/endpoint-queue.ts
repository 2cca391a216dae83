import type { DeliveryReference } from '#domain/delivery-reference.js';
import { SECOND_MS } from '#domain/durations.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';

const MAX_WAITING = 1_000;
/** Before the first attempt has ended. */
const GUESSED_MEAN_MS = 100;
/** Weight of the newest duration in the running mean. */
const MEAN_WEIGHT = 0.2;
const QUICK_WITHIN_MS = SECOND_MS;

/** What an attempt that ended says of its endpoint. */
export interface EndedAttempt {
  readonly durationMs: number;
  readonly success: boolean;
  /** Whether it got a response, of any status. */
  readonly answered: boolean;
}

/** One endpoint as a worker knows it: what waits for it, what runs, and what its attempts have told of it. */
export class EndpointQueue {
  /** Attempts that run. */
  running = 0;
  /** What the contract allows at once; undefined until it was read. */
  concurrency: number | undefined;
  /** As last judged, see {@link isQuick}. */
  quick = false;
  private references: DeliveryReference[] = [];
  /** Index of the first reference still waiting; what lies before it has been taken. */
  private head = 0;
  private answers: 'not yet' | 'yes' | 'no longer' = 'not yet';
  private succeeded = false;
  private meanMs: number | undefined;
  /** Since when none of the attempts that run has ended. */
  private noneEndedSinceMs = 0;

  constructor(readonly endpointId: TimeOrderedId) {}

  get waiting(): number {
    return this.references.length - this.head;
  }

  /** Attempts that it may run at once. */
  get limit(): number {
    return this.answers === 'yes' ? (this.concurrency ?? 1) : 1;
  }

  /** Its place among those that may start: who runs fewest comes first, and who does not answer after one more. */
  get rank(): number {
    return this.running + (this.answers === 'no longer' ? 1 : 0);
  }

  /** Whether the slots it gets are soon free again. */
  isQuick(nowMs: number): boolean {
    return this.succeeded && this.paceMs(nowMs) <= QUICK_WITHIN_MS;
  }

  /** References that can start within the horizon, at its pace. */
  capacity(nowMs: number, horizonMs: number): number {
    return Math.min(MAX_WAITING, Math.ceil((horizonMs * this.limit) / Math.max(1, this.paceMs(nowMs))));
  }

  append(reference: DeliveryReference): void {
    this.references.push(reference);
  }

  prepend(reference: DeliveryReference): void {
    if (this.head > 0) this.references[--this.head] = reference;
    else this.references.unshift(reference);
  }

  takeFirst(): DeliveryReference {
    const reference = this.references[this.head++]!;
    if (this.head > 64 && this.head * 2 > this.references.length) {
      this.references = this.references.slice(this.head);
      this.head = 0;
    }
    return reference;
  }

  takeAll(): DeliveryReference[] {
    const references = this.references.slice(this.head);
    this.references = [];
    this.head = 0;
    return references;
  }

  replace(old: DeliveryReference, reference: DeliveryReference): void {
    const index = this.references.indexOf(old, this.head);
    if (index >= 0) this.references[index] = reference;
  }

  /** To be called as an attempt takes its slot. */
  started(nowMs: number): void {
    if (this.running++ === 0) this.noneEndedSinceMs = nowMs;
  }

  /** To be called as an attempt that really ran leaves its slot. */
  ended(attempt: EndedAttempt, nowMs: number): void {
    this.running--;
    this.noneEndedSinceMs = nowMs;
    this.meanMs ??= attempt.durationMs;
    this.meanMs += MEAN_WEIGHT * (attempt.durationMs - this.meanMs);
    this.succeeded = attempt.success;
    if (!attempt.answered) this.answers = 'no longer';
    else if (attempt.success || this.answers === 'not yet') this.answers = 'yes';
  }

  /**
   * How long one of its attempts takes: the running mean, or the time that has passed without an end while some
   * run, if that is longer. So an endpoint that begins to hang is known before its first timeout.
   */
  private paceMs(nowMs: number): number {
    const meanMs = this.meanMs ?? GUESSED_MEAN_MS;
    return this.running === 0 ? meanMs : Math.max(meanMs, nowMs - this.noneEndedSinceMs);
  }
}
