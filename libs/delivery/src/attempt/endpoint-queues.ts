import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { type EndedAttempt, EndpointQueue } from './endpoint-queue.js';
import { ReadyEndpoints } from './ready-endpoints.js';

/** References in all: what the worker has lately finished within the horizon, within these bounds. */
const MIN_REFERENCES = 2_000;
const MAX_REFERENCES = 50_000;
const DOUBTFUL_SHARE_OF_REFERENCES = 0.5;
const RESERVED_SHARE_OF_SLOTS = 0.25;
/** Attempts of one endpoint with the whole reserve free; fewer in proportion to what is left of it. */
const RESERVED_PER_ENDPOINT = 8;
const MAX_IDLE_ENDPOINTS = 20_000;
const WINDOW_MS = 1_000;

export type OfferResult = 'queued' | 'held' | 'full';

/** How many references of an endpoint would be queued now. */
export interface EndpointRoom {
  readonly endpointId: TimeOrderedId;
  readonly room: number;
}

interface Held {
  reference: DeliveryReference;
  started: boolean;
}

/** Of a group of endpoints. */
interface Load {
  running: number;
  waiting: number;
}

/**
 * The references a worker holds, a queue per endpoint, and the slots in which attempts run.
 *
 * Rules:
 * - A delivery is held from the moment it is queued until its result is durable; a second reference to a held
 *   one is not queued again, so a worker never sends one delivery twice at once.
 * - An endpoint runs at most as many attempts as its contract allows; one, until its contract has been read and
 *   it has answered, and one after an attempt without an answer until it succeeds again.
 * - An endpoint is quick while its attempts succeed and end within a second, on average and at the moment. All
 *   others are doubtful: the new, the failing, the slow and those that have begun to hang.
 * - All endpoints share the worker's slots; whoever runs fewest comes first, quick and doubtful in turn. The last
 *   quarter is for quick ones, and the less of it is left the fewer attempts may one of them run. So whatever
 *   hangs, and however suddenly, there are slots for those that answer.
 * - A queue holds what can start while the leases last (about ten seconds), and no more than there are places
 *   left for all others; doubtful ones share half of the places. An empty queue takes one reference, however full
 *   the others are. What is beyond that stays in the database, where other workers see it.
 */
export class EndpointQueues {
  private readonly endpoints = new Map<TimeOrderedId, EndpointQueue>();
  private readonly held = new Map<TimeOrderedId, Held>();
  private readonly readyQuick = new ReadyEndpoints();
  private readonly readyDoubtful = new ReadyEndpoints();
  private readonly all: Load = { running: 0, waiting: 0 };
  private readonly doubtful: Load = { running: 0, waiting: 0 };
  private readonly doubtfulSlots: number;
  private windowStartedAtMs: number;
  private finishedInWindow = 0;
  private finishedPerMs = 0;

  /**
   * @param slots attempts at once in this worker
   * @param horizonMs how long the last reference of a queue may have to wait for its start
   * @param monotonicMs the clock that durations and throughput are measured by
   */
  constructor(
    private readonly slots: number,
    private readonly horizonMs: number,
    private readonly monotonicMs: () => number,
  ) {
    this.windowStartedAtMs = monotonicMs();
    this.doubtfulSlots = Math.max(1, Math.floor(slots * (1 - RESERVED_SHARE_OF_SLOTS)));
  }

  get running(): number {
    return this.all.running;
  }

  get waiting(): number {
    return this.all.waiting;
  }

  /** Whether unasked references are welcome: quick endpoints have not filled their half, the rest is the sweep's. */
  get hasRoom(): boolean {
    const quickWaiting = this.all.waiting - this.doubtful.waiting;
    return quickWaiting < this.places() * (1 - DOUBTFUL_SHARE_OF_REFERENCES);
  }

  /** @param promised whether {@link roomsFor} found room for it: what has changed since does not undo that */
  offer(reference: DeliveryReference, promised = false): OfferResult {
    const held = this.held.get(reference.deliveryId);
    if (held) {
      // Queued here under a lease that ran out and was taken again: the new token is the one that counts.
      if (!held.started && held.reference.token < reference.token) this.replace(held, reference);
      return 'held';
    }
    const endpoint = this.endpoint(reference.endpointId);
    this.judge(endpoint);
    if (!promised && this.room(endpoint) <= 0) return 'full';
    endpoint.append(reference);
    this.count(endpoint, 'waiting', 1);
    this.held.set(reference.deliveryId, { reference, started: false });
    this.refreshReadiness(endpoint);
    return 'queued';
  }

  /** Whether an endpoint's queue is low enough to be filled again. */
  isLow(endpointId: TimeOrderedId): boolean {
    const endpoint = this.known(endpointId);
    return isLow(endpoint, this.room(endpoint));
  }

  /**
   * What may be queued together now, in even shares, for those of the given endpoints whose queues are low.
   *
   * @param limits at most so many endpoints, and so many references of all of them
   */
  roomsFor(
    endpointIds: Iterable<TimeOrderedId>,
    limits: { endpoints: number; references: number },
  ): EndpointRoom[] {
    const low: EndpointQueue[] = [];
    for (const endpointId of endpointIds) {
      if (low.length === limits.endpoints) break;
      const endpoint = this.known(endpointId);
      if (isLow(endpoint, this.room(endpoint))) low.push(endpoint);
    }
    const share = Math.max(1, Math.floor(limits.references / low.length));
    const promised = { all: 0, doubtful: 0 };
    return low.flatMap((endpoint) => {
      const room = Math.min(share, this.room(endpoint, promised));
      if (room <= 0) return [];
      promised.all += room;
      if (!endpoint.quick) promised.doubtful += room;
      return { endpointId: endpoint.endpointId, room };
    });
  }

  /** Takes references for free slots; each occupies its slot from now on. */
  takeStartable(max: number): DeliveryReference[] {
    const taken: DeliveryReference[] = [];
    while (taken.length < max && this.all.running < this.slots) {
      const endpoint = this.nextToStart(taken.length % 2 === 0);
      if (!endpoint) break;
      const reference = endpoint.takeFirst();
      this.held.get(reference.deliveryId)!.started = true;
      this.count(endpoint, 'waiting', -1);
      this.occupy(endpoint);
      taken.push(reference);
    }
    return taken;
  }

  /** What the contract allows at once, as just read. False when this attempt is one too many for it. */
  allows(endpointId: TimeOrderedId, concurrency: number): boolean {
    const endpoint = this.endpoint(endpointId);
    endpoint.concurrency = concurrency;
    this.refreshReadiness(endpoint);
    return endpoint.running <= endpoint.limit;
  }

  /** A taken reference that does not start now after all: first in its queue again, its slot free. */
  putBack(reference: DeliveryReference): void {
    const endpoint = this.endpoint(reference.endpointId);
    endpoint.prepend(reference);
    this.count(endpoint, 'waiting', 1);
    const held = this.held.get(reference.deliveryId);
    if (held) held.started = false;
    this.free(endpoint);
  }

  /** The attempt ended: its slot is free, and what it says of the endpoint is learnt. The delivery stays held. */
  finished(reference: DeliveryReference, attempt: EndedAttempt): void {
    const endpoint = this.endpoint(reference.endpointId);
    const nowMs = this.monotonicMs();
    this.count(endpoint, 'running', -1);
    endpoint.ended(attempt, nowMs);
    this.measure(nowMs);
    this.judge(endpoint);
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
      endpoint.waiting === 0
    ) {
      this.endpoints.delete(endpoint.endpointId);
    }
  }

  /** Empties the queues; what runs stays. */
  takeWaiting(): DeliveryReference[] {
    const references: DeliveryReference[] = [];
    for (const endpoint of this.endpoints.values()) {
      for (const reference of endpoint.takeAll()) {
        this.held.delete(reference.deliveryId);
        references.push(reference);
      }
    }
    this.all.waiting = 0;
    this.doubtful.waiting = 0;
    this.readyQuick.clear();
    this.readyDoubtful.clear();
    return references;
  }

  private endpoint(endpointId: TimeOrderedId): EndpointQueue {
    let endpoint = this.endpoints.get(endpointId);
    if (!endpoint) {
      endpoint = new EndpointQueue(endpointId);
      this.endpoints.set(endpointId, endpoint);
    }
    return endpoint;
  }

  /** The same without keeping one that is only asked about. */
  private known(endpointId: TimeOrderedId): EndpointQueue {
    return this.endpoints.get(endpointId) ?? new EndpointQueue(endpointId);
  }

  private nextToStart(quickFirst: boolean): EndpointQueue | undefined {
    const quick = this.nextQuick();
    const doubtful = this.doubtful.running < this.doubtfulSlots ? this.readyDoubtful.first() : undefined;
    return quickFirst ? (quick ?? doubtful) : (doubtful ?? quick);
  }

  private nextQuick(): EndpointQueue | undefined {
    for (;;) {
      const endpoint = this.readyQuick.first();
      if (!endpoint || endpoint.running >= this.quickLimit()) return undefined;
      this.judge(endpoint);
      if (endpoint.quick) return endpoint;
    }
  }

  /** Attempts of one quick endpoint, as far as slots are scarce. */
  private quickLimit(): number {
    const free = this.slots - this.all.running;
    const reserved = this.slots - this.doubtfulSlots;
    return free > reserved ? Infinity : Math.ceil((free / reserved) * RESERVED_PER_ENDPOINT);
  }

  /** Throughput of the last whole window; a quieter one lowers it by half at most, for bursts come back. */
  private measure(nowMs: number): void {
    this.finishedInWindow++;
    const elapsedMs = nowMs - this.windowStartedAtMs;
    if (elapsedMs < WINDOW_MS) return;
    this.finishedPerMs = Math.max(this.finishedInWindow / elapsedMs, this.finishedPerMs / 2);
    this.finishedInWindow = 0;
    this.windowStartedAtMs = nowMs;
  }

  /** References that may wait in all. */
  private places(): number {
    return Math.min(MAX_REFERENCES, Math.max(MIN_REFERENCES, Math.ceil(this.finishedPerMs * this.horizonMs)));
  }

  /** @param promised places that count as taken */
  private room(endpoint: EndpointQueue, promised = { all: 0, doubtful: 0 }): number {
    const { waiting } = endpoint;
    const places = this.places();
    const leftInAll = places - this.all.waiting - promised.all;
    const leftToDoubtful = places * DOUBTFUL_SHARE_OF_REFERENCES - this.doubtful.waiting - promised.doubtful;
    const left = endpoint.quick ? leftInAll : Math.min(leftInAll, leftToDoubtful);
    // Each reference queued also leaves one place less.
    const upToOthers = Math.floor((left - waiting) / 2);
    const room = Math.min(endpoint.capacity(this.monotonicMs(), this.horizonMs) - waiting, upToOthers);
    return waiting === 0 ? Math.max(1, room) : room;
  }

  private occupy(endpoint: EndpointQueue): void {
    endpoint.started(this.monotonicMs());
    this.count(endpoint, 'running', 1);
    this.refreshReadiness(endpoint);
  }

  private free(endpoint: EndpointQueue): void {
    endpoint.running--;
    this.count(endpoint, 'running', -1);
    this.refreshReadiness(endpoint);
  }

  private count(endpoint: EndpointQueue, what: keyof Load, change: 1 | -1): void {
    this.all[what] += change;
    if (!endpoint.quick) this.doubtful[what] += change;
  }

  /** Whether it is quick, as it stands now. Time alone changes that, so it is asked whenever it matters. */
  private judge(endpoint: EndpointQueue): void {
    const quick = endpoint.isQuick(this.monotonicMs());
    if (quick === endpoint.quick) return;
    endpoint.quick = quick;
    const sign = quick ? -1 : 1;
    this.doubtful.running += sign * endpoint.running;
    this.doubtful.waiting += sign * endpoint.waiting;
    this.refreshReadiness(endpoint);
  }

  private refreshReadiness(endpoint: EndpointQueue): void {
    const [ready, other] = endpoint.quick
      ? [this.readyQuick, this.readyDoubtful]
      : [this.readyDoubtful, this.readyQuick];
    other.delete(endpoint);
    if (endpoint.waiting > 0 && endpoint.running < endpoint.limit) ready.put(endpoint);
    else ready.delete(endpoint);
  }

  private replace(held: Held, reference: DeliveryReference): void {
    this.endpoint(reference.endpointId).replace(held.reference, reference);
    held.reference = reference;
  }
}

/** At most half of what it may hold waits. */
function isLow(endpoint: EndpointQueue, room: number): boolean {
  return room > 0 && room >= endpoint.waiting;
}
