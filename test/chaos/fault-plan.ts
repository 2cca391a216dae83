import { SeededRandom } from './seeded-random.js';

export const FAULT_KINDS = [
  'kill-worker',
  'kill-ingest',
  'pause-worker',
  'pause-ingest',
  'stop-kafka',
  'restart-postgres',
  'crash-postgres',
  'revoke',
  'repair',
  'garbage',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface PlannedFault {
  readonly kind: FaultKind;
  /** Since the beginning of the load. */
  readonly atMs: number;
  readonly durationMs: number;
  /** Uniform in [0, 1): which process or application it hits, and how. */
  readonly target: number;
}

export interface PlanOptions {
  readonly seed: number;
  /** The last fault begins before this. */
  readonly lengthMs: number;
  /** Between the beginnings of two faults, on average. The longer ones overlap with those that follow. */
  readonly meanGapMs: number;
  /** How long each kind lasts: a kill until the new start, an outage until the server is started again. */
  readonly durationsMs: Readonly<Record<FaultKind, readonly [min: number, max: number]>>;
}

/** When which fault happens, all of it drawn from the seed: every kind once before any comes again. */
export function planFaults({ seed, lengthMs, meanGapMs, durationsMs }: PlanOptions): PlannedFault[] {
  const random = new SeededRandom(seed);
  const faults: PlannedFault[] = [];
  let bag: FaultKind[] = [];
  for (let atMs = 0; ;) {
    atMs += random.between(0.5, 1.5) * meanGapMs;
    if (atMs >= lengthMs) return faults;
    if (bag.length === 0) bag = random.shuffled(FAULT_KINDS);
    const kind = bag.pop()!;
    const [min, max] = durationsMs[kind];
    faults.push({
      kind,
      atMs: Math.round(atMs),
      durationMs: Math.round(random.between(min, max)),
      target: random.next(),
    });
  }
}
