import { setTimeout as sleep } from 'node:timers/promises';
import { CpuWindow } from '../measure/cpu-window.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { RoundFailed } from '../rounds/round-verdict.js';
import { writeBacklog } from './waiting-deliveries.js';

export interface DrainFigures {
  readonly drainedPerSecond: number;
  /** In CPU-seconds of the product and its PostgreSQL. */
  readonly drainCpuPer1000: number;
}

/** The first of it goes out while the last is still being written. */
const SETTLE_MS = 2_000;
const WATCH_MS = 15_000;

/** Watches a backlog drain for a while, and takes away what is left of it. */
export async function watchDrain(
  stage: BenchStage & { readonly platform: DatabasePlatform },
  backlog: { readonly deliveries: number; readonly applications: readonly string[]; readonly body: string },
): Promise<DrainFigures> {
  const { platform, receiver } = stage;
  const round = stage.nextRound();
  await receiver.expect({ round, events: backlog.deliveries, deliveriesPerEvent: 1, refusals: 0 });
  await writeBacklog(platform.database, { round, ...backlog });
  const received = async () => (await receiver.report()).acknowledgements.filter((count) => count > 0).length;
  await sleep(SETTLE_MS);
  const before = await received();
  const cpu = CpuWindow.open(platform.trees);
  await sleep(WATCH_MS);
  const use = cpu.close();
  const after = await received();
  await platform.database.pool.query(`DELETE FROM deliveries WHERE state = 'pending'`);
  if (after === backlog.deliveries)
    throw new RoundFailed('The backlog was drained before its pace was known.');
  const drained = after - before;
  const cpuSeconds = Object.values(use.byTree).reduce((sum, one) => sum + one, 0);
  return { drainedPerSecond: drained / use.wallSeconds, drainCpuPer1000: (cpuSeconds / drained) * 1_000 };
}
