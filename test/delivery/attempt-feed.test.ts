import { AttemptFeed, type FollowRequest } from '#delivery/follow/attempt-feed.js';
import { SECOND_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import type { Queryable } from '#storage/database.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addDelivery, writeAttempt } from '../support/attempt-writer.js';
import { Platform } from '../support/platform.js';
import { until } from '../support/until.js';

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
  await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
});
afterAll(() => platform.destroy());

const fromNow: FollowRequest = {
  filter: { applications: null },
  after: null,
  limit: 10,
  waitMs: 20_000,
  signal: new AbortController().signal,
};

/** The database, which counts the statements that it is given. */
function counting(): Queryable & { statements: number } {
  return {
    statements: 0,
    query(statement, values) {
      this.statements++;
      return platform.database.query(statement, values);
    },
  };
}

/** Of three statements at most, each quarter of a second. */
const MOST_STATEMENTS_PER_SECOND = 12;

it('asks the database for all who wait at once, and for nobody not at all', async () => {
  const database = counting();
  const feed = new AttemptFeed(database);
  const pages = Array.from({ length: 20 }, () => feed.follow(fromNow));
  await until(() => feed.waiters === 20);
  const [before, from] = [database.statements, performance.now()];
  await until(() => performance.now() - from > 1_000);
  const polls = database.statements - before;
  expect(polls).toBeGreaterThan(2);
  expect(polls).toBeLessThanOrEqual(MOST_STATEMENTS_PER_SECOND + 3);
  const held = await addDelivery(platform, 'acme');
  await writeAttempt(platform.database, held);
  for (const page of await Promise.all(pages)) {
    expect(page.attempts).toMatchObject([{ deliveryId: held.deliveryId }]);
  }
  expect(feed.waiters).toBe(0);
  const after = database.statements;
  const idleFrom = performance.now();
  await until(() => performance.now() - idleFrom > 600);
  expect(database.statements).toBe(after);
});

it('is held up by a transaction of somebody else no longer than a writer of attempts can take', async () => {
  const [old, fresh] = [await addDelivery(platform, 'acme'), await addDelivery(platform, 'acme')];
  const ago = (seconds: number) => firstIdAt(new Date(Date.now() - seconds * SECOND_MS));
  await writeAttempt(platform.database, old);
  await platform.sql('UPDATE attempts SET id = $2 WHERE delivery_id = $1', [old.deliveryId, ago(40)]);
  await platform.database.transaction(async (connection) => {
    await connection.query({ name: 'some-write', text: 'SELECT pg_current_xact_id()' }, []);
    await writeAttempt(platform.database, fresh);
    const feed = new AttemptFeed(platform.database);
    const { attempts, position } = await feed.follow({ ...fromNow, after: ago(45), waitMs: 0 });
    expect(attempts.map(({ deliveryId }) => deliveryId)).toEqual([old.deliveryId]);
    expect(position).toBeLessThan(ago(29));
  });
});

it('forgets who is gone, and lets nobody wait once it is closed', async () => {
  const feed = new AttemptFeed(platform.database);
  const gone = new AbortController();
  const left = feed.follow({ ...fromNow, signal: gone.signal });
  const closed = feed.follow(fromNow);
  await until(() => feed.waiters === 2);
  gone.abort();
  expect((await left).attempts).toEqual([]);
  expect(feed.waiters).toBe(1);
  feed.close();
  expect((await closed).attempts).toEqual([]);
  expect((await feed.follow(fromNow)).attempts).toEqual([]);
});

it('fails those who wait when the database does, and polls again for those who come back', async () => {
  let isAway = false;
  const feed = new AttemptFeed({
    query: (statement, values) =>
      isAway ? Promise.reject(new Error('away')) : platform.database.query(statement, values),
  });
  const failing = feed.follow(fromNow);
  await until(() => feed.waiters === 1);
  isAway = true;
  await expect(failing).rejects.toThrow('away');
  isAway = false;
  const page = feed.follow(fromNow);
  await until(() => feed.waiters === 1);
  const held = await addDelivery(platform, 'acme');
  await writeAttempt(platform.database, held);
  expect((await page).attempts).toMatchObject([{ deliveryId: held.deliveryId }]);
});
