import { Counter, type Registry } from 'prom-client';
import type { EndpointState } from '#domain/endpoint-state.js';
import type { LabelledContract } from './labelled-contract.js';

export type TransitionCause = 'breaker' | 'operator' | 'registration';

/** Where each cause may lead. A registration restores a webhook that was disabled. */
const TARGETS: Readonly<Record<TransitionCause, readonly EndpointState[]>> = {
  breaker: ['disabled'],
  operator: ['active', 'disabled', 'paused', 'revoked'],
  registration: ['active'],
};

/** Endpoints that change their state. */
export class EndpointMetrics {
  private readonly transitions: Counter;

  /** @param causes those that work in this process */
  constructor(
    registry: Registry,
    contracts: readonly LabelledContract[],
    causes: readonly TransitionCause[],
  ) {
    this.transitions = new Counter({
      name: 'entrega_endpoint_transitions_total',
      help: 'Endpoints that were disabled, restored, paused or revoked, by why.',
      labelNames: ['contract', 'to', 'cause'],
      registers: [registry],
    });
    for (const { name } of contracts) {
      for (const cause of causes) {
        for (const to of TARGETS[cause]) this.transitions.inc({ contract: name, to, cause }, 0);
      }
    }
  }

  endpointChanged(contract: string, to: EndpointState, cause: TransitionCause, count = 1): void {
    this.transitions.inc({ contract, to, cause }, count);
  }
}
