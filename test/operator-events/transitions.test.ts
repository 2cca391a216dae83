import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { retryingDeadlocks } from '#delivery/bisect.js';
import {
  announcedOperatorEvent,
  type OperatorEvent,
  operatorEventSchema,
} from '#delivery/operator-events/operator-event.js';
import { relayOutbox } from '#delivery/outbox-relay.js';
import { type AttemptResult, recordAttemptResults } from '#storage/sql/attempt-results.js';
import { eraseSmallRowsPage } from '#storage/sql/erasures.js';
import { readOperatorPosts } from '#storage/sql/operator-events.js';
import { readOutbox } from '#storage/sql/outbox.js';
import type { Announcement, Transport } from '#transport/transport.js';
import { AdminApi } from '../support/admin-api.js';

const TOKEN = Date.UTC(2099, 0, 1);

let api: AdminApi;
let applications = 0;

// No worker runs: what is in the outbox stays there to be looked at.
beforeAll(async () => {
  api = await AdminApi.start();
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.platform.sql('DELETE FROM outbox');
  await api.platform.sql('DELETE FROM operator_posts');
});

async function newEndpoint(): Promise<{ application: string; endpoint: number }> {
  const application = `app-${++applications}`;
  await api.platform.addApplication(application);
  return { application, endpoint: await api.platform.addEndpoint(application, 'http://127.0.0.1:9/') };
}

/** Results of attempts that failed, each of a delivery of its own. */
async function failures(
  { application, endpoint }: { application: string; endpoint: number },
  count: number,
  fields: Partial<AttemptResult> = {},
): Promise<AttemptResult[]> {
  const rows = await api.platform.sql<{ id: number }>(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
     SELECT next_id(), $1, $2, 'cte.authorized', 'pending', now_ms(), to_timestamp($3::float8 / 1000)
       FROM generate_series(1, $4) RETURNING id`,
    [application, endpoint, TOKEN, count],
  );
  return rows.map(({ id }) => ({
    deliveryId: id,
    token: TOKEN,
    endpointId: endpoint,
    endpointEpoch: 1,
    number: 1,
    cycle: 1,
    trigger: 'first',
    publicId: `evt-${id}`,
    url: 'http://127.0.0.1:9/',
    remoteAddress: null,
    outcome: 'connect',
    httpStatus: null,
    errorCode: 'CONNECTION_REFUSED',
    errorMessage: '127.0.0.1:9 refused the connection.',
    responseSummary: '',
    requestHeaders: '[]',
    responseHeaders: null,
    retryAfterSeconds: null,
    durationMs: 5,
    ageMs: 0,
    retryInMs: 60_000,
    exhausted: 'dead',
    breakerThreshold: 0,
    countsForBreaker: true,
    ...fields,
  }));
}

/** What waits for the topic, held to the documented shape, and to be the same as what waits for the URL. */
async function recorded(): Promise<OperatorEvent[]> {
  const outbox = await api.platform.database.transaction((connection) => readOutbox(connection, 1_000));
  const events = outbox!.filter(({ topic }) => topic === 'operator-events.v1').map(announcedOperatorEvent);
  for (const event of events) operatorEventSchema.parse(JSON.parse(JSON.stringify(event)));
  const posts = await readOperatorPosts(api.platform.database, 1_000);
  expect(posts.map(announcedOperatorEvent)).toEqual(events);
  return events;
}

const act = (endpoint: number, action: string, body: object = {}) =>
  api.call('POST', `/v1/endpoints/${endpoint}/${action}`, body);

describe('endpoint.disabled', () => {
  it('is recorded once, whichever of the workers that race opens the breaker', async () => {
    const target = await newEndpoint();
    const results = await failures(target, 24, { breakerThreshold: 10 });
    const workers = Array.from({ length: 8 }, (_, worker) => results.slice(3 * worker, 3 * worker + 3));
    await Promise.all(
      workers.map((batch) => retryingDeadlocks(() => recordAttemptResults(api.platform.database, batch))),
    );
    const endpoint = String(target.endpoint);
    const events = await recorded();
    expect(events).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        type: 'endpoint.disabled',
        at: expect.any(String),
        application: target.application,
        contract: 'tf-fiscal',
        endpoint,
        cause: 'breaker',
        reason: 'breaker: 10 consecutive failed attempts',
        consecutiveFailures: expect.any(Number),
        lastHttpStatus: null,
        lastError: { code: 'CONNECTION_REFUSED', message: '127.0.0.1:9 refused the connection.' },
        api: {
          endpoint: `GET /v1/endpoints/${endpoint}`,
          attempts: `GET /v1/attempts?endpoint=${endpoint}`,
          verify: `POST /v1/endpoints/${endpoint}/verify`,
          enable: `POST /v1/endpoints/${endpoint}/enable`,
        },
      },
    ]);
  });

  it('is recorded once when operators disable it at the same time, and not when it is changed while it is', async () => {
    const { endpoint } = await newEndpoint();
    await Promise.all([1, 2, 3, 4].map((n) => act(endpoint, 'disable', { reason: `reason ${n}` })));
    const patched = await api.call('PATCH', `/v1/endpoints/${endpoint}`, { description: 'still disabled' });
    expect(patched.body).toMatchObject({ state: 'disabled', description: 'still disabled' });
    expect(await recorded()).toMatchObject([
      { type: 'endpoint.disabled', cause: 'operator', reason: expect.stringMatching(/^reason \d$/) },
    ]);
  });
});

describe('endpoint.restored', () => {
  it('is recorded once when operators enable it at the same time, with what it missed', async () => {
    const { application, endpoint } = await newEndpoint();
    await act(endpoint, 'disable', { reason: 'maintenance' });
    await api.platform.publish(application, 'missed-1');
    await api.platform.publish(application, 'missed-2');
    const { disabledAt } = (await api.call('GET', `/v1/endpoints/${endpoint}`)).body as {
      disabledAt: string;
    };
    await Promise.all([1, 2, 3, 4].map(() => act(endpoint, 'enable')));
    expect((await recorded()).slice(1)).toMatchObject([
      {
        type: 'endpoint.restored',
        application,
        endpoint: String(endpoint),
        cause: 'operator',
        reason: 'maintenance',
        since: disabledAt,
        suppressedCount: 2,
      },
    ]);
  });

  it('is recorded when its webhook is registered anew, and not by verifying, pausing or revoking', async () => {
    await api.addApplication('again');
    const id = Number(await api.addWebhook('again', 'http://127.0.0.1:9/'));
    await act(id, 'pause');
    await act(id, 'resume');
    await act(id, 'disable');
    await act(id, 'verify');
    await api.addWebhook('again', 'http://127.0.0.1:9/');
    await act(id, 'disable');
    await api.call('DELETE', `/v1/endpoints/${id}`);
    expect((await recorded()).map(({ type, ...event }) => [type, 'cause' in event && event.cause])).toEqual([
      ['endpoint.disabled', 'operator'],
      ['endpoint.restored', 'registration'],
      ['endpoint.disabled', 'operator'],
    ]);
  });
});

describe('delivery.dead', () => {
  it.each(['dead', 'closed'] as const)(
    'is recorded once for a delivery that is %s, beside its dead letter, though its result comes twice',
    async (state) => {
      const target = await newEndpoint();
      const results = await failures(target, 3, { retryInMs: null, exhausted: state });
      await Promise.all(
        [results, results].map((batch) =>
          retryingDeadlocks(() => recordAttemptResults(api.platform.database, batch)),
        ),
      );
      const events = await recorded();
      expect(events).toHaveLength(3);
      const delivery = String(results[0]!.deliveryId);
      expect(events.find((event) => 'delivery' in event && event.delivery === delivery)).toMatchObject({
        type: 'delivery.dead',
        application: target.application,
        contract: 'tf-fiscal',
        endpoint: String(target.endpoint),
        event: `evt-${delivery}`,
        eventType: 'cte.authorized',
        state,
        attemptCount: 1,
        lastError: { code: 'CONNECTION_REFUSED' },
        api: { redeliver: `POST /v1/deliveries/${delivery}/redeliver` },
      });
      const letters = await api.platform.sql(
        `SELECT payload ->> 'delivery' AS delivery FROM outbox WHERE topic = 'dead-letters.v1'`,
      );
      expect(letters).toHaveLength(3);
    },
  );

  it('is recorded with nothing of what it was part of, when that is rolled back', async () => {
    const results = await failures(await newEndpoint(), 1, { retryInMs: null });
    const interrupted = api.platform.database.transaction(async (connection) => {
      await recordAttemptResults(connection, results);
      throw new Error('cut off');
    });
    await expect(interrupted).rejects.toThrow('cut off');
    expect(await recorded()).toEqual([]);
  });
});

describe('the outbox', () => {
  it('announces again, with the same id, what was announced when the process was cut off', async () => {
    const { endpoint } = await newEndpoint();
    await act(endpoint, 'disable');
    const expected = await recorded();
    const announced: Announcement[][] = [];
    const relay = (after: () => Promise<void>) =>
      relayOutbox(api.platform.database, {
        announce: (announcements: readonly Announcement[]) => {
          announced.push([...announcements]);
          return after();
        },
      } as unknown as Transport);
    await expect(relay(() => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off');
    await relay(() => Promise.resolve());
    await relay(() => Promise.resolve());
    expect(announced.map((round) => round.map(({ payload }) => payload))).toEqual([expected, expected]);
  });

  it('is emptied of an erased application, and so is what waits for the URL', async () => {
    const { application, endpoint } = await newEndpoint();
    await act((await newEndpoint()).endpoint, 'disable');
    const kept = await recorded();
    await act(endpoint, 'disable');
    expect(await recorded()).toHaveLength(2);
    await api.platform.database.transaction((connection) =>
      eraseSmallRowsPage(connection, 'outbox', { applicationId: application, phase: 'outbox', cursorId: 0 }),
    );
    expect(await recorded()).toEqual(kept);
  });
});
