import { Counter, type Registry } from 'prom-client';

/**
 * `published`: handed to the transport. `failed`: it did not take it, and the sweep will find it. `stale`: it came to
 * a worker, or was swept up, and was no longer its to send.
 */
export type DispatchResult = 'published' | 'failed' | 'stale';

/** How references travel from acceptance to workers. */
export class DispatchMetrics {
  private readonly references: Counter;

  /** @param results those that this process sees */
  constructor(registry: Registry, results: readonly DispatchResult[]) {
    this.references = new Counter({
      name: 'entrega_dispatch_references_total',
      help: 'References to due deliveries, by what became of them on the way to an attempt.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of results) this.references.inc({ result }, 0);
  }

  referencesDispatched(result: DispatchResult, count: number): void {
    if (count > 0) this.references.inc({ result }, count);
  }
}
