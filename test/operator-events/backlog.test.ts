import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKLOG_RULES, lookAtBacklogs } from '#delivery/operator-events/backlog-watch.js';
import { announcedOperatorEvent, operatorEventSchema } from '#delivery/operator-events/operator-event.js';
import { readOperatorPosts } from '#storage/sql/operator-events.js';
import { Platform } from '../support/platform.js';

let platform: Platform;
let applications = 0;

beforeAll(async () => {
  platform = await Platform.create();
});
afterAll(() => platform.destroy());
afterEach(async () => {
  for (const table of ['deliveries', 'backlog_watches', 'operator_posts', 'outbox'])
    await platform.sql(`DELETE FROM ${table}`);
});

async function newEndpoint(): Promise<number> {
  const application = `app-${++applications}`;
  await platform.addApplication(application);
  return platform.addEndpoint(application, 'http://127.0.0.1:9/');
}

/** Waits, since so many seconds, for somebody to take it. */
async function waiting(endpoint: number, seconds: number): Promise<void> {
  await platform.sql(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
     SELECT next_id(), application_id, id, 'x', 'pending', now_ms() - $2 * interval '1 s',
            now_ms() - $2 * interval '1 s' FROM endpoints WHERE id = $1`,
    [endpoint, seconds],
  );
}

/** A look, whoever looked last. */
async function look(): Promise<void> {
  await platform.sql(`UPDATE fleet_turns SET next_at = now_ms() WHERE name = 'backlog'`);
  await lookAtBacklogs(platform.database);
}

/** As if so many seconds went by without anything being taken. */
async function pass(seconds: number): Promise<void> {
  await platform.sql(
    `UPDATE deliveries SET scheduled_at = scheduled_at - $1 * interval '1 s', due_at = due_at - $1 * interval '1 s'`,
    [seconds],
  );
  await platform.sql(`UPDATE backlog_watches SET growing_since = growing_since - $1 * interval '1 s'`, [
    seconds,
  ]);
}

async function told() {
  const posts = await readOperatorPosts(platform.database, 100);
  return posts.map((post) =>
    operatorEventSchema.parse(JSON.parse(JSON.stringify(announcedOperatorEvent(post)))),
  );
}

describe('backlog.growing', () => {
  it('is told once when the oldest due attempt has waited longer at each look for five minutes', async () => {
    const endpoint = await newEndpoint();
    await waiting(endpoint, 70);
    await look();
    for (let minute = 1; minute <= 4; minute++) {
      await pass(60);
      await look();
    }
    expect(await told()).toEqual([]);
    for (let minute = 5; minute <= 8; minute++) {
      await pass(60);
      await look();
    }
    expect(await told()).toMatchObject([
      {
        type: 'backlog.growing',
        application: `app-${applications}`,
        contract: 'tf-fiscal',
        endpoint: String(endpoint),
        waitedSeconds: 370,
        endpointCount: 1,
        endpoints: [String(endpoint)],
        api: { pending: `GET /v1/deliveries?state=pending&endpoint=${endpoint}` },
      },
    ]);
    expect((await platform.sql(`SELECT key, topic FROM outbox`))[0]).toEqual({
      key: String(endpoint),
      topic: 'operator-events.v1',
    });
  });

  it('is told again only after the backlog had shrunk', async () => {
    const endpoint = await newEndpoint();
    const grow = async () => {
      await waiting(endpoint, 70);
      await look();
      await pass(301);
      await look();
    };
    await grow();
    await grow();
    expect(await told()).toHaveLength(1);
    await platform.sql('DELETE FROM deliveries');
    await look();
    await grow();
    expect(await told()).toHaveLength(2);
  });

  it('is not told while what waits is worked off, however slowly, nor at once when that stops', async () => {
    const endpoint = await newEndpoint();
    await waiting(endpoint, 3_000);
    await look();
    for (let minute = 1; minute <= 8; minute++) {
      await pass(60);
      await platform.sql('DELETE FROM deliveries');
      await waiting(endpoint, 3_000 - minute);
      await look();
    }
    await pass(60);
    await look();
    expect(await told()).toEqual([]);
  });

  it('is not told of an endpoint that is paused, nor of what is owed later', async () => {
    const [paused, retrying] = [await newEndpoint(), await newEndpoint()];
    await platform.sql(`UPDATE endpoints SET state = 'paused' WHERE id = $1`, [paused]);
    await waiting(paused, 70);
    await waiting(retrying, -3_600);
    await look();
    await pass(301);
    await look();
    expect(await told()).toEqual([]);
  });

  it('is told of what faults of ours put off again and again', async () => {
    await waiting(await newEndpoint(), 70);
    await platform.sql(`UPDATE deliveries SET due_at = now_ms() + interval '30 s', postponed = true`);
    await look();
    await pass(301);
    await platform.sql(`UPDATE deliveries SET due_at = now_ms() + interval '30 s'`);
    await look();
    expect(await told()).toHaveLength(1);
  });

  it('is one event for all that begin to grow together, the longest waiting one first', async () => {
    const endpoints: number[] = [];
    for (let index = 0; index < 25; index++) endpoints.push(await newEndpoint());
    for (const [index, endpoint] of endpoints.entries()) await waiting(endpoint, 70 + index);
    await look();
    await pass(301);
    await look();
    const [event, ...more] = await told();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      endpoint: String(endpoints.at(-1)),
      endpointCount: 25,
      endpoints: endpoints.slice(5).reverse().map(String),
    });
  });

  it('is looked for by one process of all, once a minute', async () => {
    await waiting(await newEndpoint(), 70);
    await look();
    await pass(301);
    await platform.sql(`UPDATE fleet_turns SET next_at = now_ms() WHERE name = 'backlog'`);
    await Promise.all([1, 2, 3, 4, 5].map(() => lookAtBacklogs(platform.database)));
    expect(await told()).toHaveLength(1);
    const [turn] = await platform.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM next_at - now())::float8 AS seconds FROM fleet_turns WHERE name = 'backlog'`,
    );
    expect(turn!.seconds).toBeGreaterThan(BACKLOG_RULES.lookEveryMs / 1_000 - 10);
  });
});
