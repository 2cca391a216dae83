import type { Logger } from '#observability/logger.js';

export interface PeriodicLoopOptions {
  /** Names the loop in logs. */
  readonly name: string;
  readonly intervalMs: number;
  readonly logger: Logger;
  /** One round; returns after how many ms the next is wanted, if that is sooner than the interval: 0 for at once. */
  readonly round: () => Promise<number>;
}

/**
 * Runs rounds one after the other, at most an interval apart, for ever: an error is logged once per outage and never
 * ends the loop.
 */
export class PeriodicLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;
  private failing = false;

  constructor(private readonly options: PeriodicLoopOptions) {}

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
    const { name, logger, intervalMs } = this.options;
    let wantedInMs = intervalMs;
    try {
      wantedInMs = await this.options.round();
      if (this.failing) logger.info({ loop: name }, 'loop.recovered');
      this.failing = false;
    } catch (error) {
      if (!this.failing) logger.error({ err: error, loop: name }, 'loop.failed');
      this.failing = true;
    }
    this.schedule(Math.min(wantedInMs, intervalMs));
  }
}
