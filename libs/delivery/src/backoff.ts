/** Waits that double from `firstMs` to `maxMs` until something succeeds; a wait can be cut short. */
export class Backoff {
  private nextMs: number;
  private cut: (() => void) | undefined;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {
    this.nextMs = firstMs;
  }

  wait(): Promise<void> {
    const waitMs = this.nextMs;
    this.nextMs = Math.min(this.maxMs, waitMs * 2);
    return new Promise((resolve) => {
      const timer = setTimeout(done, waitMs);
      this.cut = done;
      function done(): void {
        clearTimeout(timer);
        resolve();
      }
    });
  }

  /** Ends the present wait. */
  wake(): void {
    this.cut?.();
  }

  reset(): void {
    this.nextMs = this.firstMs;
  }
}
