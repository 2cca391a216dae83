import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#storage/database.js';
import { monotonicMs } from '../measure/monotonic.js';
import { percentilesOf } from '../measure/statistics.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import type { PercentileFigures } from '../rounds/round-figures.js';
import { eventId } from '../rounds/event-id.js';
import { assertAllAccepted, assertNothingLost, RoundFailed } from '../rounds/round-verdict.js';
import { withinLimit } from '../rounds/time-limit.js';

export interface LatenessFigures {
  readonly retries: number;
  /** From when a retry was due to its start. */
  readonly lateMs: PercentileFigures;
  /** Requests that were of no event of the round: of the million. */
  readonly drainedPerSecond: number;
  readonly [name: string]: number | PercentileFigures;
}

/** How often each event is refused before it is taken. */
export const REFUSALS = 2;
const EVENTS_PER_SECOND = 50;
const EVENTS = 500;
const LIMIT_MS = 60_000;
const LOOK_INTERVAL_MS = 200;
const MOST_LOOKS = 50;

/**
 * Publishes events that are refused first, and looks how late their retries started.
 *
 * @param applications whose events these are
 */
export async function measureLateness(
  stage: BenchStage & { readonly platform: DatabasePlatform },
  applications: readonly string[],
  bodies: readonly string[],
): Promise<LatenessFigures> {
  const { platform, receiver, loader } = stage;
  const round = stage.nextRound();
  const { complete } = await receiver.expect({
    round,
    events: EVENTS,
    deliveriesPerEvent: 1,
    refusals: REFUSALS,
  });
  const startedAtMs = monotonicMs();
  const published = await loader.publish({
    round,
    events: EVENTS,
    origin: platform.publishOrigin,
    path: '/v1/events',
    apiKey: stage.producerKey,
    bodies,
    pace: { kind: 'rate', eventsPerSecond: EVENTS_PER_SECOND },
  });
  assertAllAccepted(published);
  await withinLimit(complete, LIMIT_MS, 'Delivering').catch(() => undefined);
  const receipts = await receiver.report();
  const seconds = (monotonicMs() - startedAtMs) / 1_000;
  assertNothingLost(receipts, EVENTS);
  const lateMs = await latenessOf(platform.database, applications, round);
  return {
    retries: lateMs.length,
    lateMs: { ...percentilesOf(lateMs) },
    drainedPerSecond: receipts.strangers / seconds,
  };
}

/** The last results are durable some time after they were received. */
async function latenessOf(
  database: Database,
  applications: readonly string[],
  round: number,
): Promise<Float64Array> {
  const wanted = EVENTS * REFUSALS;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { rows } = await database.pool.query<{ late_ms: number }>(LATE, [
      applications,
      `${eventId(round, 0).slice(0, 6)}%`,
    ]);
    if (rows.length === wanted) return Float64Array.from(rows, ({ late_ms }) => late_ms);
    await sleep(LOOK_INTERVAL_MS);
  }
  throw new RoundFailed(`Of ${wanted} retries not all have left an attempt.`);
}

const LATE = `
SELECT extract(epoch FROM retry.started_at - failed.next_attempt_at)::float8 * 1000 AS late_ms
  FROM endpoints endpoint
  JOIN deliveries delivery ON delivery.endpoint_id = endpoint.id
  JOIN events event ON event.id = delivery.event_id
  JOIN attempts failed ON failed.delivery_id = delivery.id
  JOIN attempts retry ON retry.delivery_id = delivery.id AND retry.number = failed.number + 1
 WHERE endpoint.application_id = ANY ($1) AND event.public_id LIKE $2`;
