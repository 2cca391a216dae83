import type { Clock } from '#domain/clock.js';
import { SECOND_MS } from '#domain/durations.js';
import type { Logger } from '#observability/logger.js';
import type { LoopMeter } from '#observability/metrics/loop-metrics.js';
import type { WorkerMetrics } from '#observability/metrics/role-metrics.js';
import { isDataError, isWithoutPartition, type Queryable } from '#storage/database.js';
import {
  type AttemptResult,
  type RecordedResult,
  recordAttemptResults,
} from '#storage/sql/attempt-results.js';
import { type ItemOutcome, runBisecting } from '../bisect.js';
import { Backoff } from '../backoff.js';

/** A result in hand: its age is told when it is written, by the worker's monotonic clock. */
export interface PendingResult {
  readonly result: Omit<AttemptResult, 'ageMs'>;
  /** By its name. */
  readonly contract: string;
  readonly endedAtMonotonicMs: number;
  /** Called once the result is durable, or was set aside as not storable (undefined). */
  readonly settled: (recorded: RecordedResult | undefined) => void;
}

export interface ResultWriterOptions {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<WorkerMetrics, 'attempts' | 'deliveries' | 'endpoints' | 'faults' | 'loops'>;
  /** Told when a database that was away takes results again. */
  readonly onRecovered: () => void;
}

const MAX_BATCH = 200;
/**
 * Results wait this long for company; nobody waits for them meanwhile. What a kill repeats grows with it: the
 * deliveries whose results are in hand.
 */
const LINGER_MS = 50;

/**
 * Writes results in batches, one after the other. A database that is away loses nothing: results stay in hand,
 * in order, and are written first when it is back (`behind` tells the sweep to wait).
 */
export class ResultWriter {
  private waiting: PendingResult[] = [];
  private writing: Promise<void> | undefined;
  private readonly backoff = new Backoff(100, 2 * SECOND_MS);
  private failing = false;
  private hurry = false;

  private readonly meter: LoopMeter;

  constructor(private readonly options: ResultWriterOptions) {
    this.meter = options.metrics.loops.meter('results', LINGER_MS, () => this.writing === undefined);
  }

  /** Results that are not durable yet. */
  get depth(): number {
    return this.waiting.length;
  }

  /** Whether the database refused the last batch. */
  get behind(): boolean {
    return this.failing;
  }

  add(result: PendingResult): void {
    this.waiting.push(result);
    this.writing ??= this.writeAll();
  }

  /** Resolves once everything in hand is durable; does not wait for company any more. */
  async flush(): Promise<void> {
    this.hurry = true;
    this.backoff.wake();
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      if (!this.hurry && !this.failing && this.waiting.length < MAX_BATCH) await linger();
      const batch = this.takeBatch();
      const round = this.meter.begin();
      try {
        // A day whose partition is gone is an item's fault here: waiting for it would keep all others waiting.
        const outcomes = await runBisecting(
          batch,
          (part) => this.write(part),
          (error) => isDataError(error) || isWithoutPartition(error),
        );
        round.succeeded();
        this.settle(batch, outcomes);
        this.measure(batch, outcomes);
        this.backoff.reset();
        if (this.failing) {
          this.failing = false;
          this.options.logger.info({ results: this.waiting.length }, 'results.database-back');
          this.options.onRecovered();
        }
      } catch (error) {
        round.failed();
        // Not thrown on: the results are still true, and nobody else has them.
        this.waiting = [...batch, ...this.waiting];
        if (!this.failing)
          this.options.logger.error({ err: error, results: this.waiting.length }, 'results.not-written');
        this.failing = true;
        await this.backoff.wait();
      }
    }
    this.writing = undefined;
  }

  private write(part: readonly PendingResult[]): Promise<RecordedResult[]> {
    const { database, clock } = this.options;
    const now = clock.monotonicMs();
    return recordAttemptResults(
      database,
      part.map(({ result, endedAtMonotonicMs }) => ({
        ...result,
        ageMs: Math.max(0, Math.round(now - endedAtMonotonicMs)),
      })),
    );
  }

  private settle(batch: readonly PendingResult[], outcomes: readonly ItemOutcome<RecordedResult>[]): void {
    const { logger, metrics } = this.options;
    for (const [index, pending] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (!outcome.ok) {
        metrics.faults.faultAt('result');
        logger.error(
          { err: outcome.error, delivery: String(pending.result.deliveryId) },
          'result.not-storable',
        );
      }
      try {
        pending.settled(outcome.ok ? outcome.result : undefined);
      } catch (error) {
        // It is durable: a fault in what follows must not write it, or its batch, again.
        metrics.faults.faultAt('result');
        logger.error({ err: error, delivery: String(pending.result.deliveryId) }, 'result.settled-badly');
      }
    }
  }

  private measure(batch: readonly PendingResult[], outcomes: readonly ItemOutcome<RecordedResult>[]): void {
    const { attempts, deliveries, endpoints } = this.options.metrics;
    const disabled = new Map<number, string>();
    let stale = 0;
    for (const [index, { contract, result }] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (!outcome.ok) continue;
      const { state, endpointDisabled } = outcome.result;
      if (state === null) stale++;
      else deliveries.deliveriesFinished(contract, state);
      // Every result of its endpoint in the batch says so.
      if (endpointDisabled) disabled.set(result.endpointId, contract);
    }
    for (const contract of disabled.values()) endpoints.endpointChanged(contract, 'disabled', 'breaker');
    attempts.resultsWritten(batch.length, stale);
  }

  /** The oldest results, no delivery twice: a second one of the same delivery waits for the next batch. */
  private takeBatch(): PendingResult[] {
    const batch: PendingResult[] = [];
    const later: PendingResult[] = [];
    const seen = new Set<number>();
    for (const pending of this.waiting) {
      if (batch.length < MAX_BATCH && !seen.has(pending.result.deliveryId)) {
        seen.add(pending.result.deliveryId);
        batch.push(pending);
      } else {
        later.push(pending);
      }
    }
    this.waiting = later;
    return batch;
  }
}

function linger(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LINGER_MS));
}
