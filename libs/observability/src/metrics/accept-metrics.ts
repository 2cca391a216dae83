import { Counter, Histogram, type Registry } from 'prom-client';
import { ERROR_CATALOGUE, ERROR_CODES, type ErrorCode } from '#domain/errors.js';
import type { IntakeWay, LabelledContract } from './labelled-contract.js';
import { TypeCounters } from './type-counters.js';

/** What metrics need of an event that was made durable. */
export interface MeasuredEvent {
  readonly contract: string;
  readonly type: string;
  readonly reserved: boolean;
}

/** Its deliveries, by their first state. */
export interface DeliveryCounts {
  readonly deliveryCount: number;
  readonly suppressedCount: number;
}

/** As a statement takes at most. */
const BATCH_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** What becomes of events that are published. */
export class AcceptMetrics {
  private readonly accepted: ReadonlyMap<IntakeWay, TypeCounters>;
  private readonly duplicates: ReadonlyMap<IntakeWay, TypeCounters>;
  private readonly rejections: Counter;
  private readonly withoutTarget: TypeCounters;
  private readonly batches: Histogram;
  private readonly created: ReadonlyMap<string, Record<'pending' | 'suppressed', Counter.Internal>>;

  /** @param ways those by which events come into this process */
  constructor(registry: Registry, contracts: readonly LabelledContract[], ways: readonly IntakeWay[]) {
    const registers = [registry];
    const byWay = (counter: Counter) =>
      new Map(ways.map((way) => [way, new TypeCounters(counter, contracts, way)]));
    this.accepted = byWay(
      new Counter({
        name: 'entrega_events_accepted_total',
        help: 'Events that were made durable, with their deliveries.',
        labelNames: ['contract', 'type', 'via'],
        registers,
      }),
    );
    this.duplicates = byWay(
      new Counter({
        name: 'entrega_events_duplicate_total',
        help: 'Events that repeated a known id.',
        labelNames: ['contract', 'type', 'via'],
        registers,
      }),
    );
    this.rejections = new Counter({
      name: 'entrega_events_rejected_total',
      help: 'Publishes that were refused for good, by problem code.',
      labelNames: ['via', 'code'],
      registers,
    });
    for (const way of ways) {
      for (const code of REJECTION_CODES) this.rejections.labels(way, code).inc(0);
    }
    this.withoutTarget = new TypeCounters(
      new Counter({
        name: 'entrega_events_without_target_total',
        help: 'Accepted events that no endpoint wanted, reserved ones not counted.',
        labelNames: ['contract', 'type'],
        registers,
      }),
      contracts,
    );
    this.batches = new Histogram({
      name: 'entrega_accept_batch_events',
      help: 'Events that were accepted by one statement.',
      labelNames: ['via'],
      buckets: BATCH_BUCKETS,
      registers,
    });
    for (const via of ways) this.batches.zero({ via });
    const created = new Counter({
      name: 'entrega_deliveries_created_total',
      help: 'Deliveries that came with an accepted event, by their first state.',
      labelNames: ['contract', 'state'],
      registers,
    });
    this.created = new Map(
      contracts.map(({ name }) => {
        const children = {
          pending: created.labels(name, 'pending'),
          suppressed: created.labels(name, 'suppressed'),
        };
        for (const child of Object.values(children)) child.inc(0);
        return [name, children];
      }),
    );
  }

  eventAccepted(
    { contract, type, reserved }: MeasuredEvent,
    { deliveryCount, suppressedCount }: DeliveryCounts,
    way: IntakeWay,
  ): void {
    this.accepted.get(way)!.inc(contract, type);
    const created = this.created.get(contract)!;
    if (deliveryCount > 0) created.pending.inc(deliveryCount);
    if (suppressedCount > 0) created.suppressed.inc(suppressedCount);
    if (deliveryCount + suppressedCount === 0 && !reserved) this.withoutTarget.inc(contract, type);
  }

  eventRepeated(contract: string, type: string, way: IntakeWay): void {
    this.duplicates.get(way)!.inc(contract, type);
  }

  eventRejected(way: IntakeWay, code: ErrorCode): void {
    this.rejections.inc({ via: way, code });
  }

  batchAccepted(events: number, way: IntakeWay): void {
    this.batches.observe({ via: way }, events);
  }
}

/** What a publish may be refused with for good; of a record that our own code stumbles over it is `INTERNAL`. */
const REJECTION_CODES = ERROR_CODES.filter((code) => code === 'INTERNAL' || !ERROR_CATALOGUE[code].retriable);
