import { Counter, type Registry } from 'prom-client';

/**
 * Where a fault of ours showed: `accept`, an event that our own code stumbled over; `compose`, a delivery whose
 * request could not be made; `send`, a POST that this machine could not make; `result`, an outcome that could not be
 * kept.
 */
export type FaultStage = 'accept' | 'compose' | 'send' | 'result';

/** Faults of ours, which are never the producer's or the receiver's. A database that is away is not among them. */
export class FaultMetrics {
  private readonly faults: Counter;

  /** @param stages those that this process has */
  constructor(registry: Registry, stages: readonly FaultStage[]) {
    this.faults = new Counter({
      name: 'entrega_internal_failures_total',
      help: 'Faults of this platform, by where they showed.',
      labelNames: ['stage'],
      registers: [registry],
    });
    for (const stage of stages) this.faults.inc({ stage }, 0);
  }

  faultAt(stage: FaultStage): void {
    this.faults.inc({ stage });
  }
}
