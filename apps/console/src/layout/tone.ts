import type { Schemas } from '#client/api-call.js';

/** How good or bad a thing is; its colour, and never its colour alone. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet';

export function toneOfDelivery(state: Schemas['Delivery']['state']): Tone {
  switch (state) {
    case 'delivered':
      return 'good';
    case 'dead':
    case 'closed':
      return 'bad';
    case 'pending':
      return 'info';
    default:
      return 'quiet';
  }
}

export function toneOfEndpoint(state: Schemas['Endpoint']['state']): Tone {
  switch (state) {
    case 'active':
      return 'good';
    case 'disabled':
      return 'bad';
    case 'paused':
      return 'warn';
    default:
      return 'quiet';
  }
}

export function toneOfReplay(state: Schemas['Replay']['state']): Tone {
  switch (state) {
    case 'running':
      return 'info';
    case 'done':
      return 'good';
    case 'failed':
      return 'bad';
    default:
      return 'quiet';
  }
}
