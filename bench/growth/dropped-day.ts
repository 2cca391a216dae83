import { PartitionKeeper } from '#storage/partition-keeper.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { playRound, type RoundPlan } from '../rounds/round.js';
import { HISTORY_DAYS } from './history.js';

/** How long the oldest day takes to go while events are published, and how long the slowest publish took. */
export async function measureDroppedDay(
  stage: BenchStage,
  { database }: DatabasePlatform,
  publishing: Omit<RoundPlan, 'events' | 'pace'>,
): Promise<Record<string, number>> {
  const keeper = new PartitionKeeper(database);
  const drop = async (retentionDays: number, seconds: number) => {
    const plan: RoundPlan = {
      ...publishing,
      events: 100 * seconds,
      pace: { kind: 'rate', eventsPerSecond: 100 },
    };
    const round = playRound(stage, plan);
    const startedAt = performance.now();
    const { dropped } = await keeper.dropExpired(new Date(), retentionDays);
    const tookSeconds = (performance.now() - startedAt) / 1_000;
    const { publishToAnswerMs } = await round;
    return { dropped, tookSeconds, slowestPublishMs: publishToAnswerMs.max };
  };
  // Older than all history there is one empty day.
  await keeper.dropExpired(new Date(), HISTORY_DAYS - 1);
  const deliveries = await drop(HISTORY_DAYS - 2, 5);
  // A day later its events go, and with them, step by step, their keys.
  const events = await drop(HISTORY_DAYS - 3, 20);
  if (!deliveries.dropped.length || !events.dropped.some((name) => name.startsWith('events_')))
    throw new Error(`Dropped were ${[...deliveries.dropped, ...events.dropped].join(', ')}.`);
  return {
    deliveriesSeconds: deliveries.tookSeconds,
    deliveriesSlowestPublishMs: deliveries.slowestPublishMs,
    eventsAndKeysSeconds: events.tookSeconds,
    eventsAndKeysSlowestPublishMs: events.slowestPublishMs,
  };
}
