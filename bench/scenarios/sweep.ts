import { startStandalone } from '../processes/standalone-platform.js';
import { createProducerKey, registerApplications } from '../rounds/bench-applications.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { BODY_SIZES, publishBody } from '../rounds/event-bodies.js';
import type { RoundFigures } from '../rounds/round-figures.js';
import { RoundFailed } from '../rounds/round-verdict.js';
import { playRound, type RoundPlan } from '../rounds/round.js';
import { warmUp } from '../rounds/warm-up.js';
import { onPlatform } from './on-platform.js';
import { fullPace, MAX_UNDELIVERED } from './pipeline.js';
import { playRow } from './play-row.js';
import type { BenchContext, Scenario } from './scenario.js';

interface SweptLoad {
  readonly id: string;
  readonly title: string;
  readonly endpoints: 1 | 100;
  readonly settings: object;
  readonly refusals: 0 | 1;
}

/** Longer than the sweep's second would only fill the database. */
const WAIT = '1s';
const WAIT_MS = 1_000;
/** What is on its way while it waits: no less than some seconds of work, or the wait would set the pace. */
const WAITING_SECONDS = 3;

const DELAYED = { firstAttemptDelay: WAIT };
/** The receiver refuses every event once; that must not disable it. */
const RETRIED = { retryWaits: [WAIT, WAIT], breakerThreshold: 0 };

const SWEPT: readonly SweptLoad[] = [
  {
    id: 'sweep/delayed/1',
    title: 'delayed first attempt, 1 endpoint',
    endpoints: 1,
    settings: DELAYED,
    refusals: 0,
  },
  {
    id: 'sweep/delayed/100',
    title: 'delayed first attempt, 100 endpoints',
    endpoints: 100,
    settings: DELAYED,
    refusals: 0,
  },
  {
    id: 'sweep/retried/1',
    title: 'refused once, then retried, 1 endpoint',
    endpoints: 1,
    settings: RETRIED,
    refusals: 1,
  },
];

/** What one round found about deliveries at once and about those that the sweep brings, played in turn. */
type SweepFigures = {
  readonly direct: RoundFigures;
  readonly swept: RoundFigures;
  /** CPU time of an attempt that was swept for, or of both of a retried delivery, over that of a direct one. */
  readonly costRatio: number;
};

/**
 * Deliveries that wait and are found by the sweep, against those that go out at once, in the same process and turn
 * by turn, so that what else the machine does falls on both.
 */
export const sweep: Scenario = {
  name: 'sweep',
  rows: SWEPT.map(({ id }) => id),
  run: (context, wanted) =>
    onPlatform(context, startStandalone, async (platform) => {
      const stage = { ...context, platform, producerKey: await createProducerKey(platform) };
      for (const load of SWEPT) if (wanted.has(load.id)) await playSwept(context, stage, load);
    }),
};

async function playSwept(context: BenchContext, stage: BenchStage, load: SweptLoad): Promise<void> {
  const { profile, receiver } = context;
  const origins = receiver.origins.slice(0, load.endpoints);
  const name = load.id.replaceAll('/', '-');
  const bodies = async (prefix: string, settings: object) =>
    (await registerApplications(stage.platform, prefix, origins, settings)).map((application) =>
      publishBody(application, BODY_SIZES.small),
    );
  const direct: Omit<RoundPlan, 'events'> = {
    bodies: await bodies(`direct-${name}`, {}),
    path: '/v1/events',
    pace: fullPace(MAX_UNDELIVERED, receiver.countPort),
    refusals: 0,
  };
  context.say(`${load.title}: warming up for ${profile.warmUpSeconds} s`);
  const perSecond = await warmUp(stage, direct, profile.warmUpSeconds);
  const events = Math.round(perSecond * profile.fullLoadSeconds);
  const swept: RoundPlan = {
    ...direct,
    events,
    bodies: await bodies(`swept-${name}`, load.settings),
    pace: fullPace(Math.round(perSecond * WAITING_SECONDS), receiver.countPort),
    refusals: load.refusals,
  };
  await playRow<SweepFigures>(context, { id: load.id, kind: 'sweep', title: load.title }, async () => {
    const figures = {
      direct: await playRound(stage, { ...direct, events }),
      swept: await playRound(stage, swept),
    };
    // Else they went out at once, and the row would compare a thing with itself.
    if (figures.swept.publishToReceiptMs.p50 < WAIT_MS)
      throw new RoundFailed(`Deliveries that should have waited ${WAIT} came earlier.`);
    const attempts = 1 + load.refusals;
    return {
      ...figures,
      costRatio: figures.swept.cpuPer1000.total / attempts / figures.direct.cpuPer1000.total,
    };
  });
}
