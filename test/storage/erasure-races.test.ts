import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AttemptResult, recordAttemptResults } from '#storage/sql/attempt-results.js';
import { eraseDeliveriesPage } from '#storage/sql/erasures.js';
import { eraseEventBody } from '#storage/sql/event-body-erasure.js';
import type { Queryable } from '#storage/database.js';
import { ADMIN, Platform } from '../support/platform.js';
import { until } from '../support/until.js';

const TOKEN = Date.UTC(2099, 0, 1);

let platform: Platform;
let endpoint: number;
let event: number;
let delivery: number;
let published = 0;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
  endpoint = await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
});
afterAll(() => platform.destroy());
beforeEach(async () => {
  await platform.publish('acme', `event-${++published}`);
  const [row] = await platform.sql<{ id: number; event_id: number }>(
    `UPDATE deliveries SET due_at = to_timestamp($1::float8 / 1000)
      WHERE id = (SELECT max(id) FROM deliveries) RETURNING id, event_id`,
    [TOKEN],
  );
  delivery = row!.id;
  event = row!.event_id;
});

/** Holds what `work` did for as long as `meanwhile` takes to wait for a lock, then commits it. */
async function whileHeld<Result>(
  work: (connection: Queryable) => Promise<unknown>,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  let waiting: Promise<Result> | undefined;
  await platform.database.transaction(async (connection) => {
    await work(connection);
    waiting = meanwhile();
    waiting.catch(() => undefined);
    await until(async () => {
      const [row] = await platform.sql<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`,
      );
      return row!.waiting;
    });
  });
  return waiting!;
}

const erase = () => platform.database.transaction((connection) => eraseEventBody(connection, event));

function result(fields: Partial<AttemptResult>): AttemptResult {
  return {
    deliveryId: delivery,
    token: TOKEN,
    endpointId: endpoint,
    endpointEpoch: 1,
    number: 1,
    cycle: 1,
    trigger: 'first',
    publicId: 'event',
    url: 'http://127.0.0.1:9/',
    remoteAddress: null,
    outcome: 'http_5xx',
    httpStatus: 500,
    errorCode: null,
    errorMessage: null,
    responseSummary: 'personal',
    requestHeaders: 'X-Digest: personal',
    responseHeaders: 'X-Echo: personal',
    retryAfterSeconds: null,
    durationMs: 5,
    ageMs: 0,
    retryInMs: 60_000,
    exhausted: 'dead',
    breakerThreshold: 0,
    countsForBreaker: true,
    ...fields,
  };
}

const SUCCESS = { outcome: 'success', httpStatus: 200, retryInMs: null } as const;
const FAILURE = {};
/** Its lease ran out: it moves nothing. */
const SUPERSEDED = { token: TOKEN - 1 };

async function logged() {
  const [row] = await platform.sql<Record<string, string | null>>(
    `SELECT d.state, a.response_summary AS summary, a.request_headers AS request, a.response_headers AS response FROM deliveries d JOIN attempts a ON a.delivery_id = d.id
      WHERE d.id = $1`,
    [delivery],
  );
  return row;
}

describe('a result that meets the erasure of its event', () => {
  it.each([
    ['a success', SUCCESS, 'delivered'],
    ['a failure', FAILURE, 'canceled'],
    ['a superseded one', SUPERSEDED, 'canceled'],
  ])('keeps no answer when it comes second: %s', async (_, fields, state) => {
    await whileHeld(
      (connection) => eraseEventBody(connection, event),
      () => recordAttemptResults(platform.database, [result(fields)]),
    );
    expect(await logged()).toEqual({ state, summary: '', request: null, response: null });
  });

  it.each([
    ['a success', SUCCESS, 'delivered'],
    ['a failure', FAILURE, 'canceled'],
    ['a superseded one', SUPERSEDED, 'canceled'],
  ])('loses its answer when it comes first: %s', async (_, fields, state) => {
    await whileHeld((connection) => recordAttemptResults(connection, [result(fields)]), erase);
    expect(await logged()).toEqual({ state, summary: '', request: null, response: null });
  });
});

describe('a result that meets the erasure of its application', () => {
  const page = (connection: Queryable) =>
    eraseDeliveriesPage(connection, { applicationId: 'acme', phase: 'deliveries', cursorId: delivery - 1 });
  /** Its endpoint goes with the last page. */
  afterEach(async () => {
    endpoint = await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
  });

  it.each([
    ['a success', SUCCESS],
    ['a failure', FAILURE],
    ['a superseded one', SUPERSEDED],
  ])('leaves nothing when it comes second: %s', async (_, fields) => {
    const [recorded] = await whileHeld(page, () => recordAttemptResults(platform.database, [result(fields)]));
    expect(recorded).toMatchObject({ state: null });
    expect(await platform.sql('SELECT FROM attempts WHERE delivery_id = $1', [delivery])).toEqual([]);
  });

  it.each([
    ['a success', SUCCESS],
    ['a failure', FAILURE],
    ['a superseded one', SUPERSEDED],
  ])('is erased with its delivery when it comes first: %s', async (_, fields) => {
    const erased = await whileHeld(
      (connection) => recordAttemptResults(connection, [result(fields)]),
      () => platform.database.transaction(page),
    );
    expect(erased).toMatchObject({ deliveries: 1, attempts: 1 });
    expect(await platform.sql('SELECT FROM attempts WHERE delivery_id = $1', [delivery])).toEqual([]);
  });
});

describe('a redelivery that meets the erasure of its event', () => {
  it('is refused, for the body is gone when its turn comes', async () => {
    await platform.sql(
      `UPDATE deliveries SET state = 'dead', scheduled_at = NULL, due_at = NULL, finished_at = now_ms() WHERE id = $1`,
      [delivery],
    );
    const redelivered = whileHeld(
      (connection) => eraseEventBody(connection, event),
      () => platform.repairs.redeliver(delivery, ADMIN),
    );
    await expect(redelivered).rejects.toMatchObject({ code: 'BODY_ERASED' });
  });
});

describe('two erasures of one event', () => {
  it('at the same time erase it once', async () => {
    let first: { erased: boolean } | undefined;
    const second = await whileHeld(async (connection) => {
      first = await eraseEventBody(connection, event);
    }, erase);
    expect([first?.erased, second.erased]).toEqual([true, false]);
  });
});
