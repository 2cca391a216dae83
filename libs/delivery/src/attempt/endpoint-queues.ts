import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';

/**
 * The references a worker holds, a queue per endpoint, and the slots in which attempts run.
 *
 * Rules:
 * - A delivery is held from the moment it is queued until its result is durable; a second reference to a held
 *   one is not queued again, so a worker never sends one delivery twice at once.
 * - An endpoint runs at most as many attempts as its contract allows; one, until its contract has been read,
 *   and one after a timeout until it succeeds again.
 * - All endpoints share the worker's slots; those that are failing never get the last quarter.
 * - A queue holds what can start while the leases last (about ten seconds). What is beyond that stays in the
 *   database, where other workers see it.
 */
const MIN_QUEUE = 4;
const MAX_QUEUE = 1_000;
/** References in all: what the worker has lately finished within the horizon, within these bounds. */
const MIN_REFERENCES = 2_000;
const MAX_REFERENCES = 50_000;
const MAX_IDLE_ENDPOINTS = 20_000;
const RESERVED_SHARE = 0.25;
const WINDOW_MS = 1_000;
const FIRST_GUESS_MS = 100;
/** Weight of the newest duration in the running mean. */
const MEAN_WEIGHT = 0.2;

export type OfferResult = 'queued' | 'held' | 'full';

interface EndpointQueue {
  readonly endpointId: TimeOrderedId;
  waiting: DeliveryReference[];
  /** Index of the first reference still waiting; what lies before it has been taken. */
  head: number;
  running: number;
  /** What the contract allows; undefined until it was read. */
  concurrency: number | undefined;
  /** After a timeout: one at a time until a success. */
  slowed: boolean;
  failing: boolean;
  meanMs: number;
}

interface Held {
  reference: DeliveryReference;
  started: boolean;
}

export class EndpointQueues {
  private readonly endpoints = new Map<TimeOrderedId, EndpointQueue>();
  private readonly held = new Map<TimeOrderedId, Held>();
  private readonly readyHealthy = new Set<EndpointQueue>();
  private readonly readyFailing = new Set<EndpointQueue>();
  private runningTotal = 0;
  private runningFailing = 0;
  private waitingTotal = 0;
  private windowStartedAtMs: number;
  private finishedInWindow = 0;
  private finishedPerMs = 0;

  /**
   * @param slots attempts at once in this worker
   * @param horizonMs how long the last reference of a queue may have to wait for its start
   * @param monotonicMs the clock that throughput is measured by
   */
  constructor(
    private readonly slots: number,
    private readonly horizonMs: number,
    private readonly monotonicMs: () => number,
  ) {
    this.windowStartedAtMs = monotonicMs();
  }

  get running(): number {
    return this.runningTotal;
  }

  get waiting(): number {
    return this.waitingTotal;
  }

  /** Whether unasked references are welcome: half of what it can hold at most, the rest is the sweep's to fill. */
  get hasRoom(): boolean {
    return this.waitingTotal < this.totalCapacity() / 2;
  }

  /** How many more references would be queued now, whatever their endpoints. */
  get roomInAll(): number {
    return Math.max(0, this.totalCapacity() - this.waitingTotal);
  }

  offer(reference: DeliveryReference): OfferResult {
    const held = this.held.get(reference.deliveryId);
    if (held) {
      // Queued here under a lease that ran out and was taken again: the new token is the one that counts.
      if (!held.started && held.reference.token < reference.token) this.replace(held, reference);
      return 'held';
    }
    const endpoint = this.endpoint(reference.endpointId);
    if (this.room(endpoint) <= 0) return 'full';
    endpoint.waiting.push(reference);
    this.waitingTotal++;
    this.held.set(reference.deliveryId, { reference, started: false });
    this.refreshReadiness(endpoint);
    return 'queued';
  }

  /** How many more references of that endpoint would be queued now. */
  roomFor(endpointId: TimeOrderedId): number {
    const endpoint = this.endpoints.get(endpointId);
    return endpoint ? this.room(endpoint) : Math.min(MAX_QUEUE / 10, this.roomInAll);
  }

  /** Whether an endpoint's queue is low enough to be filled again. */
  isLow(endpointId: TimeOrderedId): boolean {
    const endpoint = this.endpoints.get(endpointId);
    return !endpoint || waitingOf(endpoint) <= this.capacity(endpoint) / 2;
  }

  /** Takes references for free slots, one endpoint after the other; each occupies its slot from now on. */
  takeStartable(max: number): DeliveryReference[] {
    const taken: DeliveryReference[] = [];
    const failingSlots = Math.max(1, Math.floor(this.slots * (1 - RESERVED_SHARE)));
    for (let turn = 0; taken.length < max && this.runningTotal < this.slots; turn++) {
      const failingMayRun = this.readyFailing.size > 0 && this.runningFailing < failingSlots;
      const preferred = turn % 2 === 0 || !failingMayRun ? this.readyHealthy : this.readyFailing;
      const ready = preferred.size > 0 ? preferred : failingMayRun ? this.readyFailing : undefined;
      const endpoint = ready?.values().next().value;
      if (!ready || !endpoint) break;
      ready.delete(endpoint);
      const reference = endpoint.waiting[endpoint.head++]!;
      if (endpoint.head > 64 && endpoint.head * 2 > endpoint.waiting.length) compact(endpoint);
      this.waitingTotal--;
      this.held.get(reference.deliveryId)!.started = true;
      this.occupy(endpoint);
      this.refreshReadiness(endpoint);
      taken.push(reference);
    }
    return taken;
  }

  /** What the contract allows at once, as just read. False when this attempt is one too many for it. */
  allows(endpointId: TimeOrderedId, concurrency: number): boolean {
    const endpoint = this.endpoint(endpointId);
    endpoint.concurrency = concurrency;
    this.refreshReadiness(endpoint);
    return endpoint.running <= limitOf(endpoint);
  }

  /** A taken reference that does not start now after all: first in its queue again, its slot free. */
  putBack(reference: DeliveryReference): void {
    const endpoint = this.endpoint(reference.endpointId);
    if (endpoint.head > 0) endpoint.waiting[--endpoint.head] = reference;
    else endpoint.waiting.unshift(reference);
    this.waitingTotal++;
    const held = this.held.get(reference.deliveryId);
    if (held) held.started = false;
    this.free(endpoint);
  }

  /** The attempt ended: its slot is free, and what it says of the endpoint is learnt. The delivery stays held. */
  finished(
    reference: DeliveryReference,
    attempt: { durationMs: number; success: boolean; timedOut: boolean },
  ): void {
    const endpoint = this.endpoint(reference.endpointId);
    endpoint.meanMs += MEAN_WEIGHT * (attempt.durationMs - endpoint.meanMs);
    endpoint.running--;
    this.runningTotal--;
    this.measure();
    if (endpoint.failing) this.runningFailing--;
    if (attempt.success) endpoint.slowed = false;
    else if (attempt.timedOut) endpoint.slowed = true;
    this.setFailing(endpoint, !attempt.success);
    this.refreshReadiness(endpoint);
  }

  /** A taken reference is not this worker's any more; its slot is free. */
  abandon(reference: DeliveryReference): void {
    this.free(this.endpoint(reference.endpointId));
    this.release(reference);
  }

  /** The result is durable: a new reference to this delivery may be queued. */
  release(reference: DeliveryReference): void {
    this.held.delete(reference.deliveryId);
    const endpoint = this.endpoints.get(reference.endpointId);
    if (
      endpoint &&
      this.endpoints.size > MAX_IDLE_ENDPOINTS &&
      endpoint.running === 0 &&
      waitingOf(endpoint) === 0
    ) {
      this.endpoints.delete(endpoint.endpointId);
    }
  }

  /** Empties the queues; what runs stays. */
  takeWaiting(): DeliveryReference[] {
    const references: DeliveryReference[] = [];
    for (const endpoint of this.endpoints.values()) {
      for (const reference of endpoint.waiting.slice(endpoint.head)) {
        this.held.delete(reference.deliveryId);
        references.push(reference);
      }
      endpoint.waiting = [];
      endpoint.head = 0;
    }
    this.waitingTotal = 0;
    this.readyHealthy.clear();
    this.readyFailing.clear();
    return references;
  }

  private endpoint(endpointId: TimeOrderedId): EndpointQueue {
    let endpoint = this.endpoints.get(endpointId);
    if (!endpoint) {
      endpoint = {
        endpointId,
        waiting: [],
        head: 0,
        running: 0,
        concurrency: undefined,
        slowed: false,
        failing: false,
        meanMs: FIRST_GUESS_MS,
      };
      this.endpoints.set(endpointId, endpoint);
    }
    return endpoint;
  }

  /** Throughput of the last whole window; a quieter one lowers it by half at most, for bursts come back. */
  private measure(): void {
    this.finishedInWindow++;
    const elapsedMs = this.monotonicMs() - this.windowStartedAtMs;
    if (elapsedMs < WINDOW_MS) return;
    this.finishedPerMs = Math.max(this.finishedInWindow / elapsedMs, this.finishedPerMs / 2);
    this.finishedInWindow = 0;
    this.windowStartedAtMs += elapsedMs;
  }

  private totalCapacity(): number {
    return Math.min(MAX_REFERENCES, Math.max(MIN_REFERENCES, Math.ceil(this.finishedPerMs * this.horizonMs)));
  }

  private capacity(endpoint: EndpointQueue): number {
    const limit = endpoint.slowed ? 1 : (endpoint.concurrency ?? 1);
    const startable = Math.ceil((this.horizonMs * limit) / Math.max(1, endpoint.meanMs));
    return Math.min(MAX_QUEUE, Math.max(MIN_QUEUE, startable));
  }

  private room(endpoint: EndpointQueue): number {
    return Math.min(this.capacity(endpoint) - waitingOf(endpoint), this.roomInAll);
  }

  private occupy(endpoint: EndpointQueue): void {
    endpoint.running++;
    this.runningTotal++;
    if (endpoint.failing) this.runningFailing++;
  }

  private free(endpoint: EndpointQueue): void {
    endpoint.running--;
    this.runningTotal--;
    if (endpoint.failing) this.runningFailing--;
    this.refreshReadiness(endpoint);
  }

  private setFailing(endpoint: EndpointQueue, failing: boolean): void {
    if (endpoint.failing === failing) return;
    this.runningFailing += failing ? endpoint.running : -endpoint.running;
    (endpoint.failing ? this.readyFailing : this.readyHealthy).delete(endpoint);
    endpoint.failing = failing;
  }

  private refreshReadiness(endpoint: EndpointQueue): void {
    const ready = endpoint.failing ? this.readyFailing : this.readyHealthy;
    if (waitingOf(endpoint) > 0 && endpoint.running < limitOf(endpoint)) ready.add(endpoint);
    else ready.delete(endpoint);
  }

  private replace(held: Held, reference: DeliveryReference): void {
    const { waiting } = this.endpoint(reference.endpointId);
    const index = waiting.indexOf(held.reference);
    if (index >= 0) waiting[index] = reference;
    held.reference = reference;
  }
}

function limitOf(endpoint: EndpointQueue): number {
  return endpoint.slowed ? 1 : (endpoint.concurrency ?? 1);
}

function waitingOf(endpoint: EndpointQueue): number {
  return endpoint.waiting.length - endpoint.head;
}

function compact(endpoint: EndpointQueue): void {
  endpoint.waiting = endpoint.waiting.slice(endpoint.head);
  endpoint.head = 0;
}
