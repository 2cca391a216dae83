import { setTimeout as sleep } from 'node:timers/promises';
import { CpuWindow } from '../measure/cpu-window.js';
import { memoryMiBOf } from '../measure/memory.js';
import { monotonicMs } from '../measure/monotonic.js';
import type { Pace, Publications } from '../processes/loader-messages.js';
import { callAsAdmin, type Platform } from '../processes/platform.js';
import type { BenchStage } from './bench-stage.js';
import { percentileFigures, type RoundFigures, throughput } from './round-figures.js';
import { assertAllAccepted, assertNothingLost, repeatedIn, RoundFailed } from './round-verdict.js';
import { withinLimit } from './time-limit.js';

export interface RoundPlan {
  readonly events: number;
  /** Publishing bodies, used in turn. */
  readonly bodies: readonly string[];
  readonly path: '/v1/events' | '/v1/events/batch';
  readonly pace: Pace;
  /** So many times each event is answered 500 before it is acknowledged. */
  readonly refusals: number;
}

const PUBLISH_LIMIT_MS = 120_000;
/** For the last delivery, after the last publish was answered. */
const DELIVERY_LIMIT_MS = 30_000;
const SETTLE_LIMIT_MS = 30_000;
const SETTLE_LOOK_MS = 20;

/**
 * Publishes events and waits until each was received and its result is durable. The CPU time of all of that counts.
 *
 * @throws {RoundFailed} when anything was lost or refused
 */
export async function playRound(stage: BenchStage, plan: RoundPlan): Promise<RoundFigures> {
  const { platform, receiver, loader } = stage;
  const round = stage.nextRound();
  const { complete } = await receiver.expect({
    round,
    events: plan.events,
    deliveriesPerEvent: 1,
    refusals: plan.refusals,
  });
  const cpu = CpuWindow.open({
    ...platform.trees,
    loader: { root: loader.pid, without: [] },
    receiver: { root: receiver.pid, without: [] },
  });
  const published = await publish(stage, plan, round);
  assertAllAccepted(published);
  const cameAll = await withinLimit(complete, DELIVERY_LIMIT_MS, 'Delivering').then(
    () => true,
    () => false,
  );
  if (cameAll) await untilSettled(platform);
  const use = cpu.close();
  const receipts = await receiver.report();
  assertNothingLost(receipts, plan.events);

  const { sentAtMs, answeredAtMs, owedAtMs } = published;
  const lastAtMs = receipts.acknowledgedAtMs.reduce((last, time) => Math.max(last, time), 0);
  return {
    ...throughput(plan.events, (lastAtMs - sentAtMs[0]!) / 1_000, use, Object.keys(platform.trees)),
    repeated: repeatedIn(receipts),
    memoryMiB: Object.fromEntries(
      Object.entries(platform.trees).map(([name, tree]) => [name, memoryMiBOf(tree)]),
    ),
    publishToReceiptMs: percentileFigures(sentAtMs, receipts.acknowledgedAtMs),
    answerToReceiptMs: percentileFigures(answeredAtMs, receipts.acknowledgedAtMs),
    publishToAnswerMs: percentileFigures(sentAtMs, answeredAtMs),
    loaderLateMs: percentileFigures(owedAtMs, sentAtMs),
  };
}

function publish({ platform, loader, producerKey }: BenchStage, plan: RoundPlan, round: number) {
  const { events, path, bodies, pace } = plan;
  const origin = platform.publishOrigin;
  const published = loader.publish({ round, events, origin, path, apiKey: producerKey, bodies, pace });
  return withinLimit<Publications>(published, PUBLISH_LIMIT_MS, 'Publishing');
}

/** Until no delivery is pending any more: every result is durable. */
async function untilSettled(platform: Platform): Promise<void> {
  const deadline = monotonicMs() + SETTLE_LIMIT_MS;
  for (;;) {
    const stats = await callAsAdmin<{ deliveries: { pending: number } }>(platform, 'GET', '/v1/stats');
    if (stats.deliveries.pending === 0) return;
    if (monotonicMs() > deadline)
      throw new RoundFailed(
        `${stats.deliveries.pending} deliveries are pending ${SETTLE_LIMIT_MS / 1_000} s after the last was acknowledged.`,
      );
    await sleep(SETTLE_LOOK_MS);
  }
}
