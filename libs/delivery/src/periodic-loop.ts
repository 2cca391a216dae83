import type { Logger } from '#observability/logger.js';
import type { LoopMeter, LoopMetrics, LoopName } from '#observability/metrics/loop-metrics.js';

export interface PeriodicLoopOptions {
  /** Names the loop in logs and metrics. */
  readonly name: LoopName;
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly metrics: LoopMetrics;
  /** Of rounds that may be dear: each, a failed one too, is followed by a rest of so many times its length. */
  readonly rest?: { readonly perRound: number; readonly longestMs: number };
  /** One round; returns after how many ms the next is wanted, if that is sooner than the interval: 0 for at once. */
  readonly round: () => Promise<number>;
}

const NO_REST = { perRound: 0, longestMs: 0 };

/**
 * Runs rounds one after the other, at most an interval apart, for ever: an error is logged once per outage and never
 * ends the loop.
 */
export class PeriodicLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private failing = false;
  private readonly meter: LoopMeter;

  constructor(private readonly options: PeriodicLoopOptions) {
    this.meter = options.metrics.meter(options.name, options.intervalMs);
  }

  start(): void {
    this.schedule(0);
  }

  /** No round starts from now on; resolves when the present one has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.round().finally(() => {
        this.running = undefined;
      });
    }, delayMs);
  }

  private async round(): Promise<void> {
    const { name, logger, intervalMs, rest = NO_REST } = this.options;
    const startedAt = performance.now();
    const round = this.meter.begin();
    let wantedInMs = intervalMs;
    try {
      wantedInMs = await this.options.round();
      round.succeeded();
      if (this.failing) logger.info({ loop: name }, 'loop.recovered');
      this.failing = false;
    } catch (error) {
      round.failed();
      if (!this.failing) logger.error({ err: error, loop: name }, 'loop.failed');
      this.failing = true;
    }
    const restMs = Math.min((performance.now() - startedAt) * rest.perRound, rest.longestMs);
    this.schedule(Math.max(Math.min(wantedInMs, intervalMs), restMs));
  }
}
