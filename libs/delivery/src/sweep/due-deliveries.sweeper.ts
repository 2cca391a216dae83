import type { Clock } from '#domain/clock.js';
import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Logger } from '#observability/logger.js';
import type { LoopMeter } from '#observability/metrics/loop-metrics.js';
import type { WorkerMetrics } from '#observability/metrics/role-metrics.js';
import type { Queryable } from '#storage/database.js';
import { findDueEndpoints, type Room, takeDueDeliveries } from '#storage/sql/due-deliveries.js';
import type { EndpointQueues } from '../attempt/endpoint-queues.js';
import { Backoff } from '../backoff.js';

const INTERVAL_MS = SECOND_MS;
const FULL_PASS_INTERVAL_MS = 30 * SECOND_MS;
/** A statement that was under way at the last look may have committed earlier times since: longer than any lock wait. */
const OVERLAP_MS = 6 * SECOND_MS;
/** A pass takes nothing that is made later than this after its look, and looks again long before. */
const NEWER_MS = MINUTE_MS;
const ENDPOINTS_PER_STATEMENT = 200;
const DELIVERIES_PER_STATEMENT = 2_000;
/** A pass that still finds room after this long begins anew, with a look for others that fell due. */
const MAX_PASS_MS = 300;

export interface SweeperOptions {
  readonly database: Queryable;
  readonly queues: EndpointQueues;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<WorkerMetrics, 'attempts' | 'loops'>;
  readonly leaseMs: number;
  /** Whether results wait for a database that was away: they are written before anything is taken. */
  readonly resultsBehind: () => boolean;
  /** Told after references were queued. */
  readonly onQueued: () => void;
}

/**
 * Takes what has fallen due: retries, delayed first attempts, whatever no reference brought.
 *
 * Each second it asks which endpoints have something that fell due since its last look, which costs what fell
 * due and not what is waiting, and takes for those with room only, a bounded number each. Endpoints with
 * leftovers are remembered and filled again as soon as their queues run low, so one with a million waiting
 * drains at full speed and delays nobody. Every half minute it looks at everything due, so nothing is
 * forgotten, not even by a bug here. No error ends the loop.
 */
export class DueDeliveriesSweeper {
  /** Endpoints, and the id from which on something of theirs is due. */
  private readonly leftovers = new Map<TimeOrderedId, TimeOrderedId>();
  private sinceMs = 0;
  private nextFullPassAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<void> | undefined;
  /** Before the start and after the stop nothing is taken. */
  private stopped = true;
  private failing = false;
  private readonly backoff = new Backoff(SECOND_MS, 5 * SECOND_MS);

  private readonly meter: LoopMeter;

  constructor(private readonly options: SweeperOptions) {
    this.meter = options.metrics.loops.meter('sweep', INTERVAL_MS);
  }

  start(): void {
    this.stopped = false;
    this.schedule(0);
  }

  /** An endpoint's queue has room: if it has leftovers they are taken now, not at the next second. */
  roomAt(endpointId: TimeOrderedId): void {
    if (this.leftovers.has(endpointId) && this.options.queues.isLow(endpointId)) this.wake();
  }

  /** Looks at once, for something was just made due. */
  wake(): void {
    if (!this.passing && !this.failing) this.schedule(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.backoff.wake();
    await this.passing;
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.passing ??= this.pass().finally(() => {
        this.passing = undefined;
        this.schedule(this.nextDelayMs());
      });
    }, delayMs);
  }

  /** Leftovers with room are not kept waiting for the second; a failure has waited already. */
  private nextDelayMs(): number {
    if (this.failing) return 0;
    return !this.options.resultsBehind() && this.rooms().length > 0 ? 0 : INTERVAL_MS;
  }

  private async pass(): Promise<void> {
    if (this.options.resultsBehind()) return;
    const round = this.meter.begin();
    try {
      const startedAt = this.options.clock.monotonicMs();
      await this.lookForDue();
      while (!this.stopped && this.options.clock.monotonicMs() - startedAt < MAX_PASS_MS) {
        const rooms = this.rooms();
        if (rooms.length === 0) break;
        await this.take(rooms);
      }
      round.succeeded();
      if (this.failing) this.options.logger.info('sweep.database-back');
      this.failing = false;
      this.backoff.reset();
    } catch (error) {
      round.failed();
      if (!this.failing) this.options.logger.error({ err: error }, 'sweep.failed');
      this.failing = true;
      await this.backoff.wait();
    }
  }

  private async lookForDue(): Promise<void> {
    const { database, clock } = this.options;
    const now = clock.monotonicMs();
    const full = now >= this.nextFullPassAt;
    const { endpoints, nowMs } = await findDueEndpoints(database, full ? 0 : this.sinceMs - OVERLAP_MS);
    if (full) this.nextFullPassAt = now + FULL_PASS_INTERVAL_MS;
    this.sinceMs = nowMs;
    for (const { endpointId, fromId } of endpoints) {
      const known = full ? undefined : this.leftovers.get(endpointId);
      this.leftovers.set(endpointId, Math.min(fromId, known ?? fromId));
    }
  }

  private rooms(): Room[] {
    const limits = { endpoints: ENDPOINTS_PER_STATEMENT, references: DELIVERIES_PER_STATEMENT };
    return this.options.queues
      .roomsFor(this.leftovers.keys(), limits)
      .map(({ endpointId, room }) => ({ endpointId, room, fromId: this.leftovers.get(endpointId)! }));
  }

  private async take(rooms: readonly Room[]): Promise<void> {
    const { database, queues, leaseMs, metrics } = this.options;
    const newest = firstIdAt(new Date(this.sinceMs + NEWER_MS));
    const taken = await takeDueDeliveries(database, rooms, newest, leaseMs);
    const counts = new Map<TimeOrderedId, number>();
    let expired = 0;
    for (const reference of taken) {
      if (reference.leaseRanOut) expired++;
      counts.set(reference.endpointId, (counts.get(reference.endpointId) ?? 0) + 1);
      queues.offer(reference, true);
    }
    metrics.attempts.leasesRanOut(expired);
    for (const { endpointId, fromId, room } of rooms) {
      this.leftovers.delete(endpointId);
      // Last in the order again, so that with many endpoints each gets its turn.
      if ((counts.get(endpointId) ?? 0) >= room) this.leftovers.set(endpointId, fromId);
    }
    if (taken.length > 0) this.options.onQueued();
  }
}
