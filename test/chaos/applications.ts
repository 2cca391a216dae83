/** How the receiver of an application behaves. */
export type Manner =
  /** Acknowledges everything, but for times in which it answers garbage. */
  | 'steady'
  /** Acknowledges everything; its endpoint is revoked and registered again. */
  | 'revocable'
  /** Answers 500, but for times after a repair. */
  | 'refusing'
  /** Never answers. */
  | 'hanging';

export interface ChaosApplication {
  readonly id: string;
  readonly manner: Manner;
  /** Of the application; waits are short, so that everything comes to its end. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Enough waits to outlast the longest time of garbage; nothing is ever disabled. */
const PATIENT = {
  timeout: '2s',
  breakerThreshold: 0,
  retryWaits: ['1s', '1s..2s', '2s..3s', '3s', '3s', '3s', '4s', '4s', '5s', '5s', '5s', '5s'],
};

/** Twenty with one endpoint each. */
export const APPLICATIONS: readonly ChaosApplication[] = [
  ...named('steady', 15, PATIENT),
  ...named('revocable', 3, PATIENT),
  ...named('refusing', 1, { timeout: '1s', breakerThreshold: 10, retryWaits: ['1s', '2s'] }),
  ...named('hanging', 1, { timeout: '200ms', breakerThreshold: 0, retryWaits: ['1s'] }),
];

/** One event in a hundred is for it: what waits for it is sent one at a time, and more would not come to an end. */
export const HANGING_SHARE = 0.01;

function named(manner: Manner, count: number, settings: ChaosApplication['settings']): ChaosApplication[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${manner}-${String(index + 1).padStart(2, '0')}`,
    manner,
    settings,
  }));
}
