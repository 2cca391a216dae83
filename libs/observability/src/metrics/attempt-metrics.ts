import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '#domain/attempt-outcome.js';
import { ATTEMPT_TRIGGERS, type AttemptTrigger } from '#domain/delivery-state.js';
import { SECOND_MS } from '#domain/durations.js';
import type { LabelledContract } from './labelled-contract.js';

/** Up to the deadlines of an attempt. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
/** Punctuality is promised at 10 s. */
const LAG_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800];
/** As many as a transaction takes at most. */
const BATCH_BUCKETS = [1, 2, 5, 10, 20, 50, 100, 200];

interface ContractMeters {
  readonly attempts: Readonly<Record<AttemptOutcome, Readonly<Record<AttemptTrigger, Counter.Internal>>>>;
  readonly duration: Readonly<Record<AttemptOutcome, Histogram.Internal<string>>>;
  readonly lag: Histogram.Internal<string>;
  readonly publishToFirst: Histogram.Internal<string>;
}

/** The attempts of this worker. What is called for each is looked up beforehand: this is the hot path. */
export class AttemptMetrics {
  private readonly contracts: ReadonlyMap<string, ContractMeters>;
  private readonly connections: Readonly<Record<'new' | 'reused', Counter.Internal>>;
  private readonly leasesExpired: Counter;
  private readonly resultsStale: Counter;
  private readonly resultBatches: Histogram;
  private running: () => number = () => 0;
  private readonly slots: Gauge;

  constructor(registry: Registry, contracts: readonly LabelledContract[]) {
    const registers = [registry];
    const attempts = new Counter({
      name: 'entrega_attempts_total',
      help: 'Attempts that ended, by how and by what they were made for.',
      labelNames: ['contract', 'outcome', 'trigger'],
      registers,
    });
    const duration = new Histogram({
      name: 'entrega_attempt_duration_seconds',
      help: 'From the dial to the end of the response headers.',
      labelNames: ['contract', 'outcome'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    const lag = new Histogram({
      name: 'entrega_attempt_lag_seconds',
      help: 'From when an attempt was owed to its start.',
      labelNames: ['contract'],
      buckets: LAG_BUCKETS,
      registers,
    });
    const publishToFirst = new Histogram({
      name: 'entrega_publish_to_first_attempt_seconds',
      help: "From the acceptance of an event to the first attempt of its delivery, beyond the contract's own delay.",
      labelNames: ['contract'],
      buckets: LAG_BUCKETS,
      registers,
    });
    this.contracts = new Map(
      contracts.map(({ name: contract }) => {
        lag.zero({ contract });
        publishToFirst.zero({ contract });
        const meters = {
          attempts: byOutcome((outcome) => {
            const ofTrigger = (trigger: AttemptTrigger) => attempts.labels(contract, outcome, trigger);
            for (const trigger of ATTEMPT_TRIGGERS) ofTrigger(trigger).inc(0);
            return {
              first: ofTrigger('first'),
              retry: ofTrigger('retry'),
              redeliver: ofTrigger('redeliver'),
              replay: ofTrigger('replay'),
            };
          }),
          duration: byOutcome((outcome) => {
            duration.zero({ contract, outcome });
            return duration.labels(contract, outcome);
          }),
          lag: lag.labels(contract),
          publishToFirst: publishToFirst.labels(contract),
        };
        return [contract, meters];
      }),
    );
    const connections = new Counter({
      name: 'entrega_outbound_requests_total',
      help: 'Requests of attempts, by whether their connection was made for them.',
      labelNames: ['connection'],
      registers,
    });
    this.connections = { new: connections.labels('new'), reused: connections.labels('reused') };
    this.connections.new.inc(0);
    this.connections.reused.inc(0);
    this.leasesExpired = new Counter({
      name: 'entrega_leases_expired_total',
      help: 'Deliveries that fell due again without a result: their worker died, or was too slow.',
      registers,
    });
    this.resultsStale = new Counter({
      name: 'entrega_results_stale_total',
      help: "Results without effect, for their delivery was no longer the worker's.",
      registers,
    });
    this.resultBatches = new Histogram({
      name: 'entrega_result_batch_deliveries',
      help: 'Results that were written by one transaction.',
      buckets: BATCH_BUCKETS,
      registers,
    });
    const inFlight: Gauge = new Gauge({
      name: 'entrega_attempts_in_flight',
      help: 'Attempts that run at this moment.',
      registers,
      collect: () => inFlight.set(this.running()),
    });
    this.slots = new Gauge({
      name: 'entrega_attempt_slots',
      help: 'Attempts that may run at the same time.',
      registers,
    });
  }

  /** @param running how many run at this moment */
  watchSlots(slots: number, running: () => number): void {
    this.slots.set(slots);
    this.running = running;
  }

  /** @param lagMs since the attempt was owed; null where nothing says when */
  attemptStarted(contract: string, lagMs: number | null, isFirst: boolean): void {
    if (lagMs === null) return;
    const meters = this.contracts.get(contract)!;
    const lagSeconds = Math.max(0, lagMs) / SECOND_MS;
    meters.lag.observe(lagSeconds);
    if (isFirst) meters.publishToFirst.observe(lagSeconds);
  }

  attemptEnded(
    contract: string,
    trigger: AttemptTrigger,
    attempt: {
      readonly outcome: AttemptOutcome;
      readonly durationMs: number;
      readonly connection: 'new' | 'reused' | 'reused-then-new' | 'none';
    },
  ): void {
    const meters = this.contracts.get(contract)!;
    const { outcome, durationMs, connection } = attempt;
    meters.attempts[outcome][trigger].inc();
    meters.duration[outcome].observe(durationMs / SECOND_MS);
    if (connection === 'reused' || connection === 'reused-then-new') this.connections.reused.inc();
    if (connection === 'new' || connection === 'reused-then-new') this.connections.new.inc();
  }

  leasesRanOut(count: number): void {
    if (count > 0) this.leasesExpired.inc(count);
  }

  /** @param stale how many of the results were without effect */
  resultsWritten(results: number, stale: number): void {
    this.resultBatches.observe(results);
    if (stale > 0) this.resultsStale.inc(stale);
  }
}

function byOutcome<Value>(make: (outcome: AttemptOutcome) => Value): Readonly<Record<AttemptOutcome, Value>> {
  return Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, make(outcome)])) as Record<
    AttemptOutcome,
    Value
  >;
}
