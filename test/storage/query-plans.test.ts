import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BUSY_APPLICATION,
  CROWDED_APPLICATION,
  QUIET_APPLICATION,
  RARE_TYPE,
  writeHistory,
} from '../../bench/growth/history.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { DELIVERY_STATES, type DeliveryState } from '#domain/delivery-state.js';
import { DAY_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { AttemptRepository } from '#storage/attempt.repository.js';
import { Database } from '#storage/database.js';
import { type DeliveryFilter, DeliveryRepository } from '#storage/delivery.repository.js';
import { EventRepository } from '#storage/event.repository.js';
import { acceptEvents, type EventToAccept, findEventKeys } from '#storage/sql/accept-events.js';
import { readAttemptInputs } from '#storage/sql/attempt-inputs.js';
import { type AttemptResult, recordAttemptResults } from '#storage/sql/attempt-results.js';
import { listWrittenAttempts, readFollowedAttempts } from '#storage/sql/written-attempts.js';
import { cancelAllPending } from '#storage/sql/cancel-pending.js';
import {
  cancelHeldDeliveries,
  findDueEndpoints,
  giveBackDeliveries,
  postponeDeliveries,
  takeDueDeliveries,
} from '#storage/sql/due-deliveries.js';
import { readLatestFailures, sumActivity, sumMinutes } from '#storage/sql/endpoint-activity.js';
import { COUNT_CAP, readEndpointStats } from '#storage/sql/endpoint-stats.js';
import {
  countEndpoints,
  countRunningReplays,
  countSetAside,
  readOutboxFigures,
} from '#storage/sql/fleet-counts.js';
import { listPartitionDays } from '#storage/sql/partition-days.js';
import { createReplay, holdNextReplay, replayPage } from '#storage/sql/replays.js';
import { countUnresolved } from '#storage/sql/unresolved-deliveries.js';
import { countWaiting, findWaitingEndpoints, withPending } from '#storage/sql/waiting-deliveries.js';
import { StatsRepository } from '#storage/stats.repository.js';
import { PlanRecorder, type RecordedPlan } from '../support/plan-recorder.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const NOW = new Date();
const ENDPOINTS = 300;
/** Of the busy application, and one that has had next to nothing. */
const BUSY = 1;
const QUIET = 299;
/** 30 days of history, today, yesterday of the keeper's look back, and three days ahead. */
const PARTITIONS = 34;
/** Rows that a list examines at most where no index serves, with what it returns. */
const MAX_READ = 5_500;
const LEASE_MS = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let recorder: PlanRecorder;
let newest: number;
let today: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const writer = await Database.connect({ url: testDatabase.url, poolSize: 2, applicationName: 'test' });
  await writeHistory(writer, {
    deliveries: 45_000,
    endpoints: ENDPOINTS,
    credentials: Buffer.alloc(0),
    now: NOW,
  });
  const pending = (endpoint: string, rows: number, more = '') =>
    writer.pool.query(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at ${more && ', id'})
       SELECT 1, e.application_id, e.id, 'cte.authorized', 'pending', now_ms(), now_ms() ${more && `, ${more}`}
         FROM generate_series(1, ${rows}) AS n JOIN endpoints e ON e.id = ${endpoint}`,
    );
  await pending(String(BUSY), 12_000);
  await pending('2 + n % 200', 1_000);
  await pending('250', 1, String(firstIdAt(new Date(NOW.getTime() - 20 * DAY_MS)) + 1));
  await writer.pool.query('VACUUM (ANALYZE) deliveries');
  // A partition here has a hundredth of the rows of a real one: a page of it stands for a hundred.
  await writer.pool.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET seq_page_cost = 100', current_database()); END $$`,
  );
  await writer.close();
  database = await Database.connect({ url: testDatabase.url, poolSize: 2, applicationName: 'test' });
  const [row] = await database.query<{ id: number }>(
    { name: 'newest', text: 'SELECT max(id) AS id FROM deliveries' },
    [],
  );
  newest = row!.id;
  today = `deliveries_${new Date(newest / 4096 + Date.UTC(2025, 0, 1)).toISOString().slice(0, 10).replaceAll('-', '')}`;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(() => {
  recorder = new PlanRecorder(database);
});

function pendingToday(count: number): Promise<(DeliveryReference & { endpointId: number })[]> {
  return database.query(
    {
      name: 'some-pending',
      text: `SELECT id AS "deliveryId", endpoint_id AS "endpointId", extract(epoch FROM due_at)::float8 * 1000 AS token
               FROM deliveries WHERE state = 'pending' AND id > $1 AND endpoint_id <> ${BUSY} ORDER BY id LIMIT $2`,
    },
    [newest - DAY_MS * 4096, count],
  );
}

function only(plans: readonly RecordedPlan[] = recorder.plans): RecordedPlan {
  expect(plans).toHaveLength(1);
  return plans[0]!;
}

describe('statements of the way of an event', () => {
  const event = (): EventToAccept => ({
    applicationId: QUIET_APPLICATION,
    contract: 'tf-fiscal',
    publicId: randomBytes(8).toString('hex'),
    digest: randomBytes(16),
    contentHash: randomBytes(16),
    type: 'cte.authorized',
    occurredAt: NOW,
    body: Buffer.from('{}'),
    reserved: false,
    delayFrom: { recordedAt: null },
    firstAttemptDelayMs: 0,
    keepsUrl: false,
    traceContext: null,
  });

  it.each([1, 30, 500])('accept %i events into their own partitions, reading none', async (count) => {
    const accepted = await acceptEvents(recorder, [Array.from({ length: count }, event)], LEASE_MS);
    expect(accepted.filter((entry) => entry?.deliveryCount === 1)).toHaveLength(count);
    const plan = only();
    expect([...plan.planned]).toEqual([]);
    expect(plan.read).toBeLessThanOrEqual(4 * count + 4);
    expect(plan.locks).toBeLessThan(60);
  });

  it('find the keys of repeated events by their primary key', async () => {
    const [key] = await database.query<{ digest: Buffer }>(
      { name: 'a-key', text: 'SELECT digest FROM event_keys WHERE application_id = $1 LIMIT 1' },
      [BUSY_APPLICATION],
    );
    const keys = Array.from({ length: 50 }, () => ({ applicationId: BUSY_APPLICATION, digest: key!.digest }));
    expect((await findEventKeys(recorder, keys)).filter(Boolean)).toHaveLength(50);
    expect(only().read).toBeLessThanOrEqual(150);
  });

  it('read what 200 attempts need from the partitions that hold it', async () => {
    const references = await pendingToday(200);
    expect(
      await readAttemptInputs(
        recorder,
        references.map((one) => one.deliveryId),
      ),
    ).toHaveLength(200);
    const plan = only();
    expect([...plan.probed]).toEqual([today]);
    expect(plan.planned.size).toBeLessThanOrEqual(4);
    expect(plan.read).toBeLessThanOrEqual(1_000);
    expect(plan.locks).toBeLessThan(30);
  });

  it('write 200 results into the partitions that hold their deliveries', async () => {
    const results = (await pendingToday(200)).map((reference) => ({ ...reference, ...RESULT }));
    const recorded = await recordAttemptResults(recorder, results);
    expect(recorded.filter((result) => result.state === 'pending')).toHaveLength(200);
    const plan = only();
    expect([...plan.probed]).toEqual([today]);
    expect([...plan.planned]).toEqual([today]);
    expect(plan.read).toBeLessThanOrEqual(2_000);
    expect(plan.locks).toBeLessThan(70);
  });
});

describe('a day that has just begun', () => {
  it('is not read whole by the statements that were planned when it was empty', async () => {
    const tomorrow = firstIdAt(new Date(Math.ceil((NOW.getTime() + 1) / DAY_MS) * DAY_MS + 1));
    const reference = { deliveryId: tomorrow, endpointId: BUSY, token: 0 };
    await findDueEndpoints(recorder, 0);
    await takeDueDeliveries(recorder, [{ endpointId: BUSY, room: 5, fromId: tomorrow }], tomorrow, LEASE_MS);
    await giveBackDeliveries(recorder, [reference]);
    await readAttemptInputs(recorder, [tomorrow]);
    await recordAttemptResults(recorder, [{ ...reference, ...RESULT }]);
    expect(recorder.plans.map(({ planned }) => planned.size > 0)).toEqual(Array(5).fill(true));
    expect(recorder.plans.flatMap(({ readWhole }) => readWhole)).toEqual([]);
  });
});

const RESULT: Omit<AttemptResult, 'deliveryId' | 'token' | 'endpointId'> = {
  endpointEpoch: 1,
  number: 1,
  cycle: 1,
  trigger: 'first',
  publicId: 'x',
  url: 'http://127.0.0.1:9/',
  remoteAddress: null,
  outcome: 'http_5xx',
  httpStatus: 503,
  errorCode: null,
  errorMessage: null,
  responseSummary: '',
  requestHeaders: '',
  responseHeaders: null,
  retryAfterSeconds: null,
  durationMs: 1,
  ageMs: 0,
  retryInMs: 0,
  exhausted: 'dead',
  breakerThreshold: 0,
  countsForBreaker: true,
};

describe('statements of the sweep', () => {
  it('find what fell due by one look into each partition', async () => {
    const { endpoints } = await findDueEndpoints(recorder, Date.now() - 3_600_000);
    expect(endpoints.length).toBeGreaterThan(200);
    const plan = only();
    expect(plan.searches).toBeLessThanOrEqual(PARTITIONS);
    expect(plan.locks).toBeLessThanOrEqual(2 * PARTITIONS + 4);
    expect(plan.readWhole).toEqual([]);
  });

  it('take what is due of 200 endpoints, reading no more than they take', async () => {
    const rooms = Array.from({ length: 200 }, (_, index) => ({
      endpointId: 2 + index,
      room: 3,
      fromId: newest - 4096 * 5_000,
    }));
    const taken = await takeDueDeliveries(recorder, rooms, newest, LEASE_MS);
    expect(taken.length).toBeGreaterThan(400);
    const plan = only();
    expect([...plan.planned]).toEqual([today]);
    expect(plan.searches).toBeLessThanOrEqual(200 + 200 + 4);
    // Once to pick, once to change; an index entry and a row each, and the endpoint.
    expect(plan.read).toBeLessThanOrEqual(3 * taken.length + 2 * 200);
    expect(plan.sorted).toBe(0);
    expect(plan.locks).toBeLessThan(40);
  });

  it('take from an endpoint with thousands due only what it has room for', async () => {
    const taken = await takeDueDeliveries(
      recorder,
      [{ endpointId: BUSY, room: 500, fromId: newest - 4096 * 5_000 }],
      newest,
      LEASE_MS,
    );
    expect(taken).toHaveLength(500);
    expect(only().read).toBeLessThanOrEqual(3 * 500 + 10);
    expect(only().sorted).toBe(0);
  });

  it('send nobody through the days of another one that is overdue for long', async () => {
    const old = firstIdAt(new Date(NOW.getTime() - 20 * DAY_MS));
    const taken = await takeDueDeliveries(
      recorder,
      [
        { endpointId: 250, room: 5, fromId: old },
        { endpointId: 150, room: 1, fromId: newest - 4096 * 5_000 },
      ],
      newest,
      LEASE_MS,
    );
    expect(taken.map((reference) => reference.endpointId).sort()).toEqual([150, 250]);
    const [first, second] = recorder.plans;
    expect(first!.planned.size).toBe(21);
    expect([...second!.planned]).toEqual([today]);
  });

  it.each([
    ['give back', (held: DeliveryReference[]) => giveBackDeliveries(recorder, held)],
    ['postpone', (held: DeliveryReference[]) => postponeDeliveries(recorder, held.map(postponed), 3)],
    ['cancel', (held: DeliveryReference[]) => cancelHeldDeliveries(recorder, held)],
  ])('%s 100 deliveries in their own partition', async (_, change) => {
    await change(await pendingToday(100));
    const plan = only();
    expect([...plan.planned]).toEqual([today]);
    expect(plan.read).toBeLessThanOrEqual(300);
    expect(plan.locks).toBeLessThan(20);
  });

  it('cancel what waits for an endpoint page by page, reading each once', async () => {
    await cancelAllPending(recorder, 160);
    for (const plan of recorder.plans) {
      expect(plan.readWhole).toEqual([]);
      expect(plan.read).toBeLessThanOrEqual(100);
    }
  });
});

function postponed(reference: DeliveryReference) {
  return { ...reference, waitMs: 0, ownFault: false, errorCode: 'X', errorMessage: 'x' };
}

describe('pages of lists', () => {
  const STATES: (readonly DeliveryState[] | undefined)[] = [
    undefined,
    ['delivered'],
    ['pending'],
    ['dead'],
    ['suppressed'],
    ['canceled'],
    ['dead', 'pending'],
    ['closed', 'delivered'],
  ];
  const PLACES: Pick<DeliveryFilter, 'applications' | 'endpoints'>[] = [
    { applications: null },
    { applications: [CROWDED_APPLICATION] },
    { applications: [QUIET_APPLICATION] },
    { applications: null, endpoints: [BUSY] },
    { applications: null, endpoints: [QUIET] },
  ];
  const MORE: Pick<DeliveryFilter, 'types' | 'since' | 'until'>[] = [
    {},
    { types: [RARE_TYPE] },
    { since: new Date(NOW.getTime() - 20 * DAY_MS), until: new Date(NOW.getTime() - 10 * DAY_MS) },
  ];
  const combinations = (states: readonly (readonly DeliveryState[] | undefined)[]): DeliveryFilter[] =>
    states.flatMap((one) =>
      PLACES.flatMap((place) => MORE.map((more) => ({ states: one, ...place, ...more }))),
    );
  const tooMuch = ({ read, readWhole, locks, planned }: RecordedPlan) =>
    read > MAX_READ || readWhole.length > 0 || locks > 16 * planned.size + 10;

  it('of deliveries cost little under every filter', async () => {
    const deliveries = new DeliveryRepository(recorder as unknown as Database);
    for (const filter of combinations(STATES)) await deliveries.list(filter, null, 51);
    expect(recorder.plans.length).toBeGreaterThan(100);
    expect(recorder.plans.filter(tooMuch)).toEqual([]);
  });

  it('of dead letters cost little under every filter', async () => {
    const deliveries = new DeliveryRepository(recorder as unknown as Database);
    for (const filter of combinations([undefined, ['closed']]))
      await deliveries.listDeadLetters(filter, null, 51);
    expect(recorder.plans.filter(tooMuch)).toEqual([]);
  });

  it('of events cost little under every filter', async () => {
    const events = new EventRepository(recorder as unknown as Database);
    for (const { applications } of PLACES)
      for (const more of MORE) await events.list({ applications, ...more }, null, 51);
    expect(recorder.plans.filter(tooMuch)).toEqual([]);
  });

  it('of events found by an id alone cost one look for it, however many applications there are', async () => {
    const events = new EventRepository(recorder as unknown as Database);
    const { rows } = await events.list({ applications: null, publicIds: ['growth-1', 'growth-2'] }, null, 51);
    expect(rows).toHaveLength(2);
    expect(recorder.plans[0]!.searches).toBeLessThanOrEqual(2);
  });

  it('end in the newest day where it has enough, without a look at older ones', async () => {
    const deliveries = new DeliveryRepository(recorder as unknown as Database);
    const events = new EventRepository(recorder as unknown as Database);
    await deliveries.list({ applications: null }, null, 51);
    await deliveries.list({ applications: null, endpoints: [BUSY] }, null, 51);
    await events.list({ applications: [BUSY_APPLICATION] }, null, 51);
    expect(recorder.plans).toHaveLength(3);
    for (const plan of recorder.plans) {
      expect(plan.planned.size).toBeLessThanOrEqual(10);
      expect(plan.read).toBeLessThanOrEqual(200);
      expect(plan.locks).toBeLessThan(120);
    }
  });

  it('of attempts come from the partition of their delivery', async () => {
    const [dead] = await database.query<{ id: number }>(
      { name: 'a-dead-one', text: `SELECT id FROM deliveries WHERE state = 'dead' ORDER BY id LIMIT 1` },
      [],
    );
    const attempts = new AttemptRepository(recorder as unknown as Database);
    expect(await attempts.list(dead!.id, null, 51)).toHaveLength(6);
    expect(only().probed.size).toBe(1);
    expect(only().read).toBeLessThanOrEqual(6);
  });

  it('of attempts that are followed come by when they were written, and are looked up in the days they lie in', async () => {
    const [last] = await database.query<{ id: number }>(
      { name: 'newest-attempt', text: 'SELECT max(id) AS id FROM attempts' },
      [],
    );
    const { attempts, examinedTo } = await listWrittenAttempts(
      recorder,
      last!.id - 4096 * DAY_MS,
      last!.id,
      500,
    );
    expect(attempts).toHaveLength(500);
    expect(examinedTo).toBe(attempts.at(-1)!.id);
    const [written, owners] = recorder.plans;
    expect(written!.readWhole).toEqual([]);
    expect(written!.searches).toBeLessThanOrEqual(PARTITIONS);
    expect(written!.sorted).toBe(0);
    // One more of each day to merge them by.
    expect(written!.read).toBeLessThanOrEqual(500 + PARTITIONS);
    expect(written!.locks).toBeLessThanOrEqual(4 * PARTITIONS + 4);
    expect(owners!.planned.size).toBeLessThanOrEqual(2);
    expect(owners!.read).toBeLessThanOrEqual(500);
    recorder = new PlanRecorder(database);
    expect(await readFollowedAttempts(recorder, attempts.slice(0, 50))).toHaveLength(50);
    expect(only().read).toBeLessThanOrEqual(4 * 50);
    expect(only().readWhole).toEqual([]);
    expect(only().locks).toBeLessThan(60);
  });

  it('with figures of endpoints stop counting', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    const stats = await readEndpointStats(recorder, ids);
    expect(stats.get(BUSY)!.pending).toBe(COUNT_CAP);
    expect(only().readWhole).toEqual([]);
    expect(only().read).toBeLessThanOrEqual(COUNT_CAP + 4_000);
  });

  it('and the figures of all stop counting too', async () => {
    const stats = new StatsRepository(recorder as unknown as Database);
    expect((await stats.deliveries(null)).pending).toBe(COUNT_CAP);
    await stats.deliveries([QUIET_APPLICATION]);
    const [all, quiet] = recorder.plans;
    expect(all!.read).toBeLessThanOrEqual(COUNT_CAP + 3_000);
    expect(quiet!.read).toBeLessThanOrEqual(1_000);
  });

  it.each<[string, DeliveryFilter]>([
    ['of one type', { applications: null, types: [RARE_TYPE] }],
    ['of one type of many endpoints', { applications: [CROWDED_APPLICATION], types: ['cte.canceled'] }],
    ['of more than a few pending ones', { applications: null, endpoints: [BUSY], states: ['pending'] }],
    ['of few pending and dead ones', { applications: [CROWDED_APPLICATION], states: ['pending', 'dead'] }],
    ['of all states of many endpoints', { applications: [CROWDED_APPLICATION], states: DELIVERY_STATES }],
  ])('%s follow each other to the end, skipping and repeating nothing', async (_, filter) => {
    const deliveries = new DeliveryRepository(database);
    const found: number[] = [];
    for (let after: number | null = null; ;) {
      const { rows, stoppedAt } = await deliveries.list(filter, after, 201);
      found.push(...rows.slice(0, 200).map((row) => row.id));
      after = rows.length > 200 ? rows[199]!.id : stoppedAt;
      if (after === null) break;
    }
    const expected = await database.query<{ id: number }>(
      {
        name: '',
        text: `SELECT id FROM deliveries
                WHERE ($1::text[] IS NULL OR application_id = ANY ($1)) AND ($2::bigint[] IS NULL OR endpoint_id = ANY ($2))
                  AND ($3::text[] IS NULL OR state = ANY ($3)) AND ($4::text[] IS NULL OR type = ANY ($4)) ORDER BY id DESC`,
      },
      [filter.applications, filter.endpoints ?? null, filter.states ?? null, filter.types ?? null],
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(found).toEqual(expected.map((row) => row.id));
  });
});

describe('statements of the gauges', () => {
  it('find the days with something pending by one look into each', async () => {
    const partitions = await listPartitionDays(recorder);
    expect(only().probed.size).toBe(0);
    const days = partitions.filter(({ table }) => table === 'deliveries').map(({ partition }) => partition);
    expect(await withPending(recorder, days)).toHaveLength(2);
    const plan = recorder.plans[1]!;
    expect(plan.searches).toBe(PARTITIONS);
    expect(plan.read).toBeLessThanOrEqual(PARTITIONS);
    expect(plan.readWhole).toEqual([]);
  });

  it('find endpoints that wait by a look at each, whatever one of them has waiting', async () => {
    const waiting = (await findWaitingEndpoints(recorder, today)).length;
    expect(waiting).toBeGreaterThanOrEqual(200);
    const plan = only();
    expect([...plan.probed]).toEqual([today]);
    // Its place, its first ten, itself and its application.
    expect(plan.read).toBeLessThanOrEqual(waiting * (1 + 10 + 2) + 2 * ENDPOINTS);
    expect(plan.searches).toBeLessThanOrEqual(4 * waiting + ENDPOINTS);
    expect(plan.sorted).toBe(0);
    expect(plan.readWhole).toEqual([]);
  });

  it('stop counting what waits at the cap', async () => {
    const endpoints = Array.from({ length: 200 }, (_, index) => 1 + index);
    expect(await countWaiting(recorder, today, endpoints, { due: 700, scheduled: 700 })).toEqual({
      due: 700,
      scheduled: 0,
    });
    expect(only().read).toBeLessThanOrEqual(2 * 700);
    expect(only().sorted).toBe(0);
    expect(only().readWhole).toEqual([]);
  });

  it('count what is unresolved by its own index, a day at a time', async () => {
    const { counts, endpoints } = await countUnresolved(recorder, today);
    const { dead, closed, suppressed } = counts.get('tf-fiscal')!;
    const plan = only();
    expect([...plan.probed]).toEqual([today]);
    expect(plan.read).toBeLessThanOrEqual(dead + closed + suppressed + endpoints + 2 * 2 * ENDPOINTS);
    expect(plan.readWhole).toEqual([]);
  });

  it('look at few rows of all else', async () => {
    await countSetAside(recorder);
    await readOutboxFigures(recorder);
    await countRunningReplays(recorder);
    await countEndpoints(recorder);
    expect(recorder.plans.flatMap(({ readWhole }) => readWhole)).toEqual([]);
    expect(recorder.plans[0]!.searches).toBeLessThanOrEqual(PARTITIONS);
    expect(recorder.plans.slice(0, 3).map(({ read }) => read > 10)).toEqual([false, false, false]);
    expect(recorder.plans[3]!.read).toBeLessThanOrEqual(2 * ENDPOINTS + ENDPOINTS);
  });
});

describe('statements of the ranking of endpoints', () => {
  const hourAgo = new Date(NOW.getTime() - 3_600_000);

  it('read the minutes of the time asked for, of its own days alone', async () => {
    const sums = await sumActivity(recorder, hourAgo, NOW);
    await sumMinutes(recorder, hourAgo, null);
    await sumMinutes(recorder, hourAgo, [QUIET]);
    const attempts = sums.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
    for (const plan of recorder.plans) {
      expect(plan.readWhole).toEqual([]);
      // Each row once from the index and once from its page.
      expect(plan.read).toBeLessThanOrEqual(2 * attempts);
      expect(plan.planned.size).toBeLessThanOrEqual(2 + 3);
    }
    expect(recorder.plans[2]!.searches).toBeLessThanOrEqual(2 + 3);
  });

  it('look at the newest few deliveries of each endpoint for its last error', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1);
    await readLatestFailures(recorder, ids, newest - 2 * DAY_MS * 4096);
    expect(only().read).toBeLessThanOrEqual(50 * 20 + 50 * 6);
    expect(only().planned.size).toBeLessThanOrEqual(3 + 3);
    expect(only().readWhole).toEqual([]);
    expect(only().sorted).toBe(0);
  });
});

describe('a page of a replay', () => {
  const filter = {
    applications: null,
    endpoint: BUSY,
    type: null,
    since: new Date(NOW.getTime() - 30 * DAY_MS).toISOString(),
    until: null,
    ids: null,
  };

  it.each([
    ['suppressed', 'endpoint', { ...filter, states: ['suppressed'] }],
    ['delivered', 'endpoint', { ...filter, states: ['delivered'] }],
    ['closed among many delivered', 'endpoint', { ...filter, states: ['closed', 'pending'] }],
    ['dead letters', 'dead-letters', { ...filter, since: null, states: ['dead', 'closed'] }],
  ] as const)('of %s reads about a page', async (_, kind, wanted) => {
    await database.query({ name: 'no-replays', text: 'DELETE FROM replays' }, []);
    const replay = { kind, filter: wanted, ratePerSecond: null, createdBy: 'test' };
    await createReplay(database, replay);
    await recorder.transaction(async (connection) => {
      const held = await holdNextReplay(connection);
      await replayPage(connection, held!, 100);
    });
    for (const plan of recorder.plans) {
      expect(plan.readWhole).toEqual([]);
      expect(plan.read).toBeLessThanOrEqual(MAX_READ);
    }
  });
});
