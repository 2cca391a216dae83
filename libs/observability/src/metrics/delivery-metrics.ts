import { Counter, type Registry } from 'prom-client';
import type { DeliveryState } from '#domain/delivery-state.js';
import type { LabelledContract } from './labelled-contract.js';

export type FinalState = Extract<DeliveryState, 'delivered' | 'dead' | 'closed' | 'canceled'>;
export type RequeueTrigger = 'redeliver' | 'replay';

const FINAL_STATES: readonly FinalState[] = ['delivered', 'dead', 'closed', 'canceled'];

/** What becomes of deliveries. */
export class DeliveryMetrics {
  private readonly finished: ReadonlyMap<string, ReadonlyMap<string, Counter.Internal>>;
  private readonly requeued: Counter;

  /** @param triggers what makes this process queue a delivery again */
  constructor(
    registry: Registry,
    contracts: readonly LabelledContract[],
    triggers: readonly RequeueTrigger[],
  ) {
    const registers = [registry];
    const finished = new Counter({
      name: 'entrega_deliveries_finished_total',
      help: 'Deliveries that came to an end, by state. One that is delivered late, after it was dead, counts under both.',
      labelNames: ['contract', 'state'],
      registers,
    });
    this.finished = new Map(
      contracts.map(({ name }) => {
        const children = new Map(
          FINAL_STATES.map((state) => [state as string, finished.labels(name, state)]),
        );
        for (const child of children.values()) child.inc(0);
        return [name, children];
      }),
    );
    this.requeued = new Counter({
      name: 'entrega_deliveries_requeued_total',
      help: 'Deliveries that were queued again by hand.',
      labelNames: ['contract', 'trigger'],
      registers,
    });
    for (const { name } of contracts) {
      for (const trigger of triggers) this.requeued.inc({ contract: name, trigger }, 0);
    }
  }

  /** A state that is no end changes nothing, and neither does a contract that this version no longer has. */
  deliveriesFinished(contract: string, state: DeliveryState, count = 1): void {
    this.finished.get(contract)?.get(state)?.inc(count);
  }

  /** Canceled together; those whose first success was past are delivered. An arrow, so that it can be handed on as it is. */
  readonly pendingCanceled = (page: {
    readonly contract: string;
    readonly changed: number;
    readonly delivered: number;
  }): void => {
    this.deliveriesFinished(page.contract, 'canceled', page.changed - page.delivered);
    this.deliveriesFinished(page.contract, 'delivered', page.delivered);
  };

  deliveriesRequeued(contract: string, trigger: RequeueTrigger, count = 1): void {
    this.requeued.inc({ contract, trigger }, count);
  }
}
