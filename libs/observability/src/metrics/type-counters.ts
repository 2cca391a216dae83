import type { Counter } from 'prom-client';
import { type LabelledContract, OTHER_TYPE } from './labelled-contract.js';

/**
 * The children of a counter whose first labels are `contract` and `type`, at 0 from the start: one of every type of
 * every contract, and one for all other types of it.
 */
export class TypeCounters {
  private readonly children = new Map<string, Map<string, Counter.Internal>>();

  /** @param further the values of the labels behind `contract` and `type` */
  constructor(counter: Counter, contracts: readonly LabelledContract[], ...further: readonly string[]) {
    for (const { name, eventTypes } of contracts) {
      const ofContract = new Map<string, Counter.Internal>();
      for (const type of [...eventTypes.map((eventType) => eventType.name), OTHER_TYPE]) {
        const child = counter.labels(name, type, ...further);
        child.inc(0);
        ofContract.set(type, child);
      }
      this.children.set(name, ofContract);
    }
  }

  inc(contract: string, type: string): void {
    const ofContract = this.children.get(contract)!;
    (ofContract.get(type) ?? ofContract.get(OTHER_TYPE)!).inc();
  }
}
