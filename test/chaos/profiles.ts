import type { PlanOptions } from './fault-plan.js';

export type Profile = Pick<PlanOptions, 'meanGapMs' | 'durationsMs'>;

/** Some minutes or hours: outages of Kafka of 15 s, pauses beyond the lease of 7.5 s. */
export const LONG: Profile = {
  meanGapMs: 7_000,
  durationsMs: {
    'kill-worker': [500, 3_000],
    'kill-ingest': [500, 3_000],
    'pause-worker': [9_000, 14_000],
    'pause-ingest': [9_000, 14_000],
    'stop-kafka': [15_000, 15_000],
    'restart-postgres': [500, 4_000],
    'crash-postgres': [500, 4_000],
    revoke: [1_000, 4_000],
    repair: [3_000, 8_000],
    garbage: [3_000, 10_000],
  },
};

/** Half a minute, with every kind of fault once and as much of it at the same time as that takes. */
export const QUICK: Profile = {
  meanGapMs: 2_200,
  durationsMs: {
    'kill-worker': [200, 1_000],
    'kill-ingest': [200, 1_000],
    'pause-worker': [8_500, 9_500],
    'pause-ingest': [5_000, 6_000],
    'stop-kafka': [5_000, 6_000],
    'restart-postgres': [300, 1_500],
    'crash-postgres': [300, 1_500],
    revoke: [500, 1_500],
    repair: [2_000, 3_000],
    garbage: [2_000, 4_000],
  },
};
