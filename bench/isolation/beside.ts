import { CpuWindow } from '../measure/cpu-window.js';
import { monotonicMs } from '../measure/monotonic.js';
import type { Pace } from '../processes/loader-messages.js';
import type { LoaderProcess } from '../processes/loader-process.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { type PercentileFigures, percentileFigures } from '../rounds/round-figures.js';
import { assertAllAccepted, assertNothingLost } from '../rounds/round-verdict.js';
import { withinLimit } from '../rounds/time-limit.js';

export interface IsolationStage extends BenchStage {
  /** Publishes what goes to the others. */
  readonly otherLoader: LoaderProcess;
}

/** Events for healthy endpoints, which the receiver takes note of. */
export interface HealthyLoad {
  readonly bodies: readonly string[];
  readonly events: number;
  readonly pace: Pace;
}

/** Events for other endpoints meanwhile. What comes of them is not looked at. */
export interface OtherLoad {
  readonly bodies: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** How healthy endpoints fared. */
export interface HealthFigures {
  /** From an event's turn, so that a publish that had to wait is not overlooked. */
  readonly toReceiptMs: PercentileFigures;
  readonly toAnswerMs: PercentileFigures;
  readonly deliveriesPerSecond: number;
  /** Cores in use by what is not of the bench: with much of it the other figures say little. */
  readonly otherCores: number;
  /** Connections made per 1,000 deliveries. */
  readonly connectionsPer1000: number;
  readonly [name: string]: number | PercentileFigures;
}

const LIMIT_MS = 60_000;
const PATH = '/v1/events';

/** @throws RoundFailed when a healthy endpoint's event was refused or did not arrive */
export async function playBeside(
  stage: IsolationStage,
  healthy: HealthyLoad,
  other: OtherLoad,
): Promise<HealthFigures> {
  const { platform, receiver, loader, otherLoader, producerKey: apiKey } = stage;
  const round = stage.nextRound();
  const { complete } = await receiver.expect({
    round,
    events: healthy.events,
    deliveriesPerEvent: 1,
    refusals: 0,
  });
  const cpu = CpuWindow.open({
    ...platform.trees,
    ...Object.fromEntries(
      Object.entries({ loader, otherLoader, receiver }).map(([name, { pid }]) => [
        name,
        { root: pid, without: [] },
      ]),
    ),
  });
  const request = { origin: platform.publishOrigin, path: PATH, apiKey };
  const otherPublished = otherLoader.publish({
    ...request,
    round: stage.nextRound(),
    events: Math.round(other.perSecond * other.seconds),
    bodies: other.bodies,
    pace: { kind: 'rate', eventsPerSecond: other.perSecond },
  });
  const startedAtMs = monotonicMs();
  const published = await withinLimit(
    loader.publish({ ...request, round, ...healthy }),
    LIMIT_MS,
    'Publishing',
  );
  assertAllAccepted(published);
  await withinLimit(complete, LIMIT_MS, 'Delivering').catch(() => undefined);
  const use = cpu.close();
  const receipts = await receiver.report();
  assertNothingLost(receipts, healthy.events);
  await withinLimit(otherPublished, LIMIT_MS, 'Publishing to the others');
  const { acknowledgedAtMs, connections } = receipts;
  const { owedAtMs, answeredAtMs } = published;
  const lastAtMs = acknowledgedAtMs.reduce((last, time) => Math.max(last, time), 0);
  return {
    toReceiptMs: percentileFigures(owedAtMs, acknowledgedAtMs),
    toAnswerMs: percentileFigures(owedAtMs, answeredAtMs),
    deliveriesPerSecond: (healthy.events / (lastAtMs - startedAtMs)) * 1_000,
    otherCores: use.others / use.wallSeconds,
    connectionsPer1000: (connections / healthy.events) * 1_000,
  };
}
