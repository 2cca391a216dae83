import { setTimeout as sleep } from 'node:timers/promises';
import { CpuWindow } from '../measure/cpu-window.js';
import { monotonicMs } from '../measure/monotonic.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { takeAwayWaiting, writeBacklog } from './waiting-deliveries.js';

export interface DrainFigures {
  readonly drainedPerSecond: number;
  /** In CPU-seconds of the product and its PostgreSQL. */
  readonly drainCpuPer1000: number;
}

/** The first of it goes out while the last is still being written. */
const SETTLE_MS = 2_000;
const WATCH_MS = 15_000;
/** Attempts under way have ended by then. */
const QUIET_MS = 500;

/** Watches a backlog drain, for a while or to its end, and takes away what is left of it. */
export async function watchDrain(
  stage: BenchStage & { readonly platform: DatabasePlatform },
  backlog: { readonly deliveries: number; readonly applications: readonly string[]; readonly body: string },
): Promise<DrainFigures> {
  const { platform, receiver } = stage;
  const round = stage.nextRound();
  const { complete } = await receiver.expect({
    round,
    events: backlog.deliveries,
    deliveriesPerEvent: 1,
    refusals: 0,
  });
  await writeBacklog(platform.database, { round, ...backlog });
  await sleep(SETTLE_MS);
  const fromMs = monotonicMs();
  const cpu = CpuWindow.open(platform.trees);
  await Promise.race([complete, sleep(WATCH_MS)]);
  const toMs = monotonicMs();
  const use = cpu.close();
  await takeAwayWaiting(platform.database);
  await sleep(QUIET_MS);
  const { acknowledgedAtMs } = await receiver.report();
  const drained = acknowledgedAtMs.filter((time) => time > fromMs && time <= toMs).length;
  const cpuSeconds = Object.values(use.byTree).reduce((sum, one) => sum + one, 0);
  return {
    drainedPerSecond: (drained / (toMs - fromMs)) * 1_000,
    drainCpuPer1000: (cpuSeconds / drained) * 1_000,
  };
}
