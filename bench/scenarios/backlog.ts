import { type DatabasePlatform, startOnDatabase } from '../processes/database-platform.js';
import { createProducerKey, registerApplications } from '../rounds/bench-applications.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { BODY_SIZES, deliveredBody, publishBody } from '../rounds/event-bodies.js';
import type { RoundFigures } from '../rounds/round-figures.js';
import { playRound } from '../rounds/round.js';
import { warmUp } from '../rounds/warm-up.js';
import { type DrainFigures, watchDrain } from '../waiting/drain.js';
import { type LatenessFigures, measureLateness, REFUSALS } from '../waiting/lateness.js';
import { writeWaiting } from '../waiting/waiting-deliveries.js';
import { onPlatform } from './on-platform.js';
import { fullPace, MAX_UNDELIVERED } from './pipeline.js';
import { playRow } from './play-row.js';
import type { BenchContext, Scenario } from './scenario.js';

type WaitingStage = BenchStage & { readonly platform: DatabasePlatform };

const BACKLOG = 200_000;
const DRAINS = [
  { id: 'backlog/200k/1', title: '200,000 for 1 endpoint', endpoints: 1 },
  { id: 'backlog/200k/1000', title: '200,000 for 1,000 endpoints', endpoints: 1_000 },
] as const;
const MILLION = { id: 'backlog/1M/retries', title: 'a million for 1 endpoint', waiting: 1_000_000 } as const;
/** Each takes up to half a minute. */
const MOST_ROUNDS = 3;
const QUIET_APPLICATIONS = 20;

/** Deliveries at once and a backlog to the same endpoints, in turn. */
type DrainRowFigures = DrainFigures & {
  readonly direct: RoundFigures;
  readonly paceRatio: number;
  readonly [name: string]: number | RoundFigures;
};

/** What an outage leaves: how fast it goes out, and what others notice of it. */
export const backlog: Scenario = {
  name: 'backlog',
  rows: [...DRAINS.map(({ id }) => id), MILLION.id],
  run: (allRounds, wanted) => {
    const rounds = Math.min(allRounds.profile.rounds, MOST_ROUNDS);
    const context = { ...allRounds, profile: { ...allRounds.profile, rounds } };
    return onPlatform(
      context,
      (build, caretaker) => startOnDatabase(build, caretaker, {}),
      async (platform) => {
        const stage = { ...context, platform, producerKey: await createProducerKey(platform) };
        for (const drain of DRAINS) if (wanted.has(drain.id)) await playDrain(context, stage, drain);
        if (wanted.has(MILLION.id)) await playMillion(context, stage);
      },
    );
  },
};

async function playDrain(
  context: BenchContext,
  stage: WaitingStage,
  { id, title, endpoints }: (typeof DRAINS)[number],
): Promise<void> {
  const { profile, receiver } = context;
  const { origins } = receiver;
  const applications = await registerApplications(
    stage.platform,
    `drain-${endpoints}`,
    Array.from({ length: endpoints }, (_, index) => origins[index % origins.length]!),
  );
  const direct = {
    bodies: applications.map((application) => publishBody(application, BODY_SIZES.small)),
    path: '/v1/events',
    pace: fullPace(MAX_UNDELIVERED, receiver.countPort),
    refusals: 0,
  } as const;
  context.say(`${title}: warming up for ${profile.warmUpSeconds} s`);
  const perSecond = await warmUp(stage, direct, profile.warmUpSeconds);
  await playRow<DrainRowFigures>(context, { id, kind: 'drain', title }, async () => {
    const atOnce = await playRound(stage, {
      ...direct,
      events: Math.round(perSecond * profile.fullLoadSeconds),
    });
    const body = deliveredBody(BODY_SIZES.small);
    const drained = await watchDrain(stage, { deliveries: BACKLOG, applications, body });
    return {
      ...drained,
      direct: atOnce,
      paceRatio: drained.drainedPerSecond / atOnce.deliveriesPerSecond,
    };
  });
}

async function playMillion(context: BenchContext, stage: WaitingStage): Promise<void> {
  const { receiver, say } = context;
  const [busyOrigin, ...otherOrigins] = receiver.origins;
  const [busy] = await registerApplications(stage.platform, 'busy', [busyOrigin!]);
  const quiet = await registerApplications(
    stage.platform,
    'quiet',
    otherOrigins.slice(0, QUIET_APPLICATIONS),
    { retryWaits: Array.from({ length: REFUSALS + 1 }, () => '1s'), breakerThreshold: 0 },
  );
  const bodies = quiet.map((application) => publishBody(application, BODY_SIZES.small));
  say(`${MILLION.title}: writing them`);
  await writeWaiting(stage.platform.database, {
    deliveries: MILLION.waiting,
    applications: [busy!],
    body: deliveredBody(BODY_SIZES.small),
  });
  const { id, title } = MILLION;
  await playRow<LatenessFigures>(context, { id, kind: 'lateness', title }, () =>
    measureLateness(stage, quiet, bodies),
  );
}
