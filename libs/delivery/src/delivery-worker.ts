import type { OperatorUrlConfig } from '#config/operator-url-config.js';
import type { Tracer } from '@opentelemetry/api';
import type { Clock } from '#domain/clock.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import { type AttemptDeadlines, leaseMs, queueHorizonMs } from '#domain/lease.js';
import { settlesWithin } from '#domain/settles-within.js';
import type { Logger } from '#observability/logger.js';
import type { LoopName } from '#observability/metrics/loop-metrics.js';
import type { WorkerMetrics } from '#observability/metrics/role-metrics.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { Database } from '#storage/database.js';
import type { SecretBox } from '#storage/secret-box.js';
import { giveBackDeliveries } from '#storage/sql/due-deliveries.js';
import type { Transport } from '#transport/transport.js';
import { AttemptRunner } from './attempt/attempt-runner.js';
import { EndpointQueues } from './attempt/endpoint-queues.js';
import { ResultWriter } from './attempt/result-writer.js';
import { runOwedErasurePage } from './erasure/erasure-runner.js';
import { lookAtBacklogs } from './operator-events/backlog-watch.js';
import { dropForNobody, OperatorUrlRelay } from './operator-events/operator-url-relay.js';
import { relayOutbox } from './outbox-relay.js';
import { PeriodicLoop } from './periodic-loop.js';
import { runOwedReplayPage } from './repair/replay-runner.js';
import { DueDeliveriesSweeper } from './sweep/due-deliveries.sweeper.js';

/** What a worker tells of. */
export type DeliveryWorkerMetrics = Pick<
  WorkerMetrics,
  'attempts' | 'deliveries' | 'dispatch' | 'endpoints' | 'faults' | 'loops'
>;

export interface DeliveryWorkerOptions {
  readonly database: Database;
  readonly transport: Transport;
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  /** Uniform in [0, 1): draws waits. */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: DeliveryWorkerMetrics;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly deadlines: AttemptDeadlines;
  /** Attempts at once. */
  readonly concurrency: number;
  /** Null: operator events are announced over the transport only. */
  readonly operatorUrl: OperatorUrlConfig | null;
}

/** What runs this long after a stop is aborted, uncounted, and given back. */
const DRAIN_MS = 10.5 * SECOND_MS;
const ABORT_MS = 0.5 * SECOND_MS;
const FLUSH_MS = SECOND_MS;
/** How often a worker looks whether a replay or an erasure was begun. */
const BEGUN_INTERVAL_MS = SECOND_MS;
const DROP_INTERVAL_MS = 10 * MINUTE_MS;

/**
 * Everything a worker process does: receives references, sweeps, attempts, writes results; and the loops
 * beside them: outbox, operator events, replays and erasures.
 */
export class DeliveryWorker {
  private readonly queues: EndpointQueues;
  private readonly results: ResultWriter;
  private readonly runner: AttemptRunner;
  private readonly sweeper: DueDeliveriesSweeper;
  private readonly operatorUrl: OperatorUrlRelay | undefined;
  private readonly loops: PeriodicLoop[];
  private endReceiving: (() => Promise<void>) | undefined;
  /** References that found no room, on their way back. */
  private readonly givingBack = new Set<Promise<void>>();

  constructor(private readonly options: DeliveryWorkerOptions) {
    const { database, transport, clock, logger, metrics } = options;
    this.queues = new EndpointQueues(options.concurrency, queueHorizonMs(options.deadlines), () =>
      clock.monotonicMs(),
    );
    metrics.attempts.watchSlots(options.concurrency, () => this.queues.running);
    this.results = new ResultWriter({
      database,
      clock,
      logger,
      metrics,
      onRecovered: () => this.runner.poke(),
    });
    this.runner = new AttemptRunner({
      ...options,
      queues: this.queues,
      results: this.results,
      onRoom: (endpointId) => this.sweeper.roomAt(endpointId),
    });
    this.sweeper = new DueDeliveriesSweeper({
      database,
      clock,
      logger,
      metrics,
      queues: this.queues,
      leaseMs: leaseMs(options.deadlines),
      resultsBehind: () => this.results.behind,
      onQueued: () => this.runner.poke(),
    });
    const { operatorUrl: target } = options;
    const operatorUrl = target ? new OperatorUrlRelay({ ...options, target }) : undefined;
    this.operatorUrl = operatorUrl;
    const loop = (name: LoopName, intervalMs: number, round: () => Promise<number>) =>
      new PeriodicLoop({ name, intervalMs, logger, metrics: metrics.loops, round });
    this.loops = [
      loop('outbox', SECOND_MS, async () => ((await relayOutbox(database, transport)) ? 0 : Infinity)),
      operatorUrl
        ? loop('operator-url', SECOND_MS, () => operatorUrl.round())
        : loop('operator-url', DROP_INTERVAL_MS, () => dropForNobody(database)),
      loop('backlog', MINUTE_MS, () => lookAtBacklogs(database)),
      loop('replay', BEGUN_INTERVAL_MS, () =>
        runOwedReplayPage(database, metrics.deliveries, () => this.sweeper.wake()),
      ),
      loop('erasure', BEGUN_INTERVAL_MS, () => runOwedErasurePage(database)),
    ];
  }

  async start(): Promise<void> {
    this.endReceiving = await this.options.transport.receiveReferences({
      receive: (references) => this.receive(references),
      hasRoom: () => this.queues.hasRoom,
    });
    this.sweeper.start();
    for (const loop of this.loops) loop.start();
  }

  /** Something was made due: look now, not at the next second. */
  wakeSweep(): void {
    this.sweeper.wake();
  }

  /**
   * Stops taking, gives back what waits, lets what runs finish until the deadline, writes the results. Bounded
   * to 12 s, whatever the database does; what could not be written comes back with its lease.
   */
  async stop(): Promise<void> {
    this.runner.stopStarting();
    this.operatorUrl?.abort();
    const others = Promise.all([
      this.endReceiving?.(),
      this.sweeper.stop(),
      ...this.loops.map((loop) => loop.stop()),
    ]).then(() => this.giveBackWaiting());
    this.giveBackWaiting();
    await this.runner.drain(DRAIN_MS, ABORT_MS);
    // What was about to start when we stopped went back into its queue.
    this.giveBackWaiting();
    const written = Promise.all([others, this.results.flush(), ...this.givingBack]);
    if (!(await settlesWithin(written, FLUSH_MS))) {
      this.options.logger.error({ results: this.results.depth }, 'worker.stopped-with-results');
    }
  }

  private giveBackWaiting(): void {
    const waiting = this.queues.takeWaiting();
    if (waiting.length > 0) this.giveBack(waiting);
  }

  private receive(references: readonly DeliveryReference[]): void {
    const full = references.filter((reference) => this.queues.offer(reference) === 'full');
    if (full.length > 0) this.giveBack(full);
    this.runner.poke();
  }

  private giveBack(references: readonly DeliveryReference[]): void {
    const work = giveBackDeliveries(this.options.database, references)
      .then(() => undefined)
      .catch((error: unknown) =>
        this.options.logger.warn({ err: error, references: references.length }, 'references.not-given-back'),
      )
      .finally(() => this.givingBack.delete(work));
    this.givingBack.add(work);
  }
}
