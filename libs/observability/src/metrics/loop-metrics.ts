import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { SECOND_MS } from '#domain/durations.js';

/** What runs for ever, beside requests and attempts. */
export const LOOPS = [
  'sweep',
  'consumer',
  'results',
  'outbox',
  'operator-url',
  'backlog',
  'partitions',
  'retention',
  'stats',
  'replay',
  'erasure',
] as const;
export type LoopName = (typeof LOOPS)[number];

const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/**
 * Whether the loops of this process go round. What is measured is each loop's last round that succeeded: one that hangs, one
 * that fails and one that ended look alike, and must.
 */
export class LoopMetrics {
  private readonly lastSuccess: Gauge;
  private readonly interval: Gauge;
  private readonly duration: Histogram;
  private readonly failures: Counter;
  private readonly meters = new Map<LoopName, LoopMeter>();

  constructor(registry: Registry) {
    const labelNames = ['loop'] as const;
    const registers = [registry];
    this.lastSuccess = new Gauge({
      name: 'entrega_loop_last_success_timestamp_seconds',
      help: 'When the loop last finished a round, or began to wait for its first.',
      labelNames,
      registers,
      collect: () => {
        for (const [loop, meter] of this.meters)
          this.lastSuccess.set({ loop }, meter.lastSuccessMs / SECOND_MS);
      },
    });
    this.interval = new Gauge({
      name: 'entrega_loop_interval_seconds',
      help: 'How long after a round the next begins where nothing is left to do.',
      labelNames,
      registers,
    });
    this.duration = new Histogram({
      name: 'entrega_loop_duration_seconds',
      help: 'How long rounds take, failed ones too.',
      labelNames,
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.failures = new Counter({
      name: 'entrega_loop_failures_total',
      help: 'Rounds that failed.',
      labelNames,
      registers,
    });
  }

  /**
   * The meter of a loop, which is exported from now on. One per loop and process.
   *
   * @param intervalMs between rounds that leave nothing to do
   * @param isWaiting of a loop that waits for work and not for time: whether it does, and lags behind nothing
   */
  meter(loop: LoopName, intervalMs: number, isWaiting: () => boolean = () => false): LoopMeter {
    this.interval.set({ loop }, intervalMs / SECOND_MS);
    this.duration.zero({ loop });
    this.failures.inc({ loop }, 0);
    const duration = this.duration.labels(loop);
    const meter = new LoopMeter(duration, this.failures.labels(loop), isWaiting);
    this.meters.set(loop, meter);
    return meter;
  }
}

export interface LoopRound {
  succeeded(): void;
  failed(): void;
}

/** Tells of the rounds of one loop. */
export class LoopMeter {
  private lastMs = Date.now();
  private underWay = 0;
  private failing = false;

  constructor(
    private readonly duration: Histogram.Internal<'loop'>,
    private readonly failures: Counter.Internal,
    private readonly isWaiting: () => boolean,
  ) {}

  get lastSuccessMs(): number {
    if (this.underWay === 0 && !this.failing && this.isWaiting()) this.lastMs = Date.now();
    return this.lastMs;
  }

  /** A round begins; whoever goes it says how it ends. */
  begin(): LoopRound {
    const startedAt = performance.now();
    this.underWay++;
    const ended = (failed: boolean) => {
      this.underWay--;
      this.failing = failed;
      this.duration.observe((performance.now() - startedAt) / SECOND_MS);
    };
    return {
      succeeded: () => {
        this.lastMs = Date.now();
        ended(false);
      },
      failed: () => {
        this.failures.inc();
        ended(true);
      },
    };
  }
}
