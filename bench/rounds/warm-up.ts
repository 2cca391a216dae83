import { monotonicMs } from '../measure/monotonic.js';
import type { BenchStage } from './bench-stage.js';
import { playRound, type RoundPlan } from './round.js';

const EVENTS = 2_000;

/**
 * Plays small rounds for so long that code is compiled and connections are open, and returns the pace of the last
 * third in deliveries per second: from it follows how many events a measured round gets.
 */
export async function warmUp(
  stage: BenchStage,
  plan: Omit<RoundPlan, 'events'>,
  seconds: number,
): Promise<number> {
  const paces: number[] = [];
  const endMs = monotonicMs() + seconds * 1_000;
  while (monotonicMs() < endMs) {
    const { deliveriesPerSecond } = await playRound(stage, { ...plan, events: EVENTS });
    paces.push(deliveriesPerSecond);
  }
  const last = paces.slice(-Math.ceil(paces.length / 3));
  return last.reduce((sum, pace) => sum + pace, 0) / last.length;
}
