import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DELIVERY_STATES,
  type DeliveryEvent,
  type DeliveryState,
  nextState,
} from '#domain/delivery-state.js';
import { type AttemptResult, recordAttemptResults } from '#storage/sql/attempt-results.js';
import { cancelDelivery } from '#storage/sql/cancel-pending.js';
import { cancelHeldDeliveries, giveBackDeliveries } from '#storage/sql/due-deliveries.js';
import { eraseEventBody } from '#storage/sql/event-body-erasure.js';
import { requeueDelivery } from '#storage/sql/repairs.js';
import { retryingDeadlocks } from '#delivery/bisect.js';
import { Platform } from '../support/platform.js';

let platform: Platform;
let endpoint: number;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
  endpoint = await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
});
afterAll(() => platform.destroy());

const TOKEN = Date.UTC(2099, 0, 1);

/** A delivery in that state, of an event a second older; its lease is held under TOKEN while it is pending. */
async function deliveryIn(
  state: DeliveryState,
  wasDelivered = false,
  toEndpoint = endpoint,
): Promise<number> {
  const [row] = await platform.sql<{ id: number }>(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at, delivered_at)
     VALUES (next_id() - 1000 * 4096, 'acme', $4, 'x', $1, CASE WHEN $1 = 'pending' THEN now_ms() END,
             CASE WHEN $1 = 'pending' THEN to_timestamp($2::float8 / 1000) END, CASE WHEN $3 THEN now_ms() END)
     RETURNING id`,
    [state, TOKEN, wasDelivered, toEndpoint],
  );
  return row!.id;
}

function result(deliveryId: number, fields: Partial<AttemptResult> = {}): AttemptResult {
  return {
    deliveryId,
    token: TOKEN,
    endpointId: endpoint,
    endpointEpoch: 1,
    number: 1,
    cycle: 1,
    trigger: 'first',
    publicId: 'evt',
    url: 'http://127.0.0.1:9/',
    remoteAddress: null,
    outcome: 'http_5xx',
    httpStatus: 500,
    errorCode: null,
    errorMessage: null,
    responseSummary: '',
    requestHeaders: '',
    responseHeaders: null,
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

async function stateOf(id: number): Promise<DeliveryState> {
  return (
    await platform.sql<{ state: DeliveryState }>('SELECT state FROM deliveries WHERE id = $1', [id])
  )[0]!.state;
}

/** What each event is in SQL. */
const APPLY: Partial<Record<DeliveryEvent, (id: number) => Promise<unknown>>> = {
  succeeded: (id) =>
    recordAttemptResults(platform.database, [
      result(id, { outcome: 'success', httpStatus: 200, retryInMs: null }),
    ]),
  failed: (id) => recordAttemptResults(platform.database, [result(id)]),
  exhausted: (id) => recordAttemptResults(platform.database, [result(id, { retryInMs: null })]),
  redelivered: (id) => requeueDelivery(platform.database, id),
  canceled: (id) => cancelDelivery(platform.database, id),
  revoked: (id) =>
    cancelHeldDeliveries(platform.database, [{ deliveryId: id, endpointId: endpoint, token: TOKEN }]),
  erased: async (id) => {
    const [row] = await platform.sql<{ event: number }>(
      'SELECT event_id AS event FROM deliveries WHERE id = $1',
      [id],
    );
    await eraseEventBody(platform.database, row!.event);
  },
};

describe('every statement keeps to the table of transitions', () => {
  for (const event of Object.keys(APPLY) as DeliveryEvent[]) {
    for (const state of DELIVERY_STATES) {
      for (const wasDelivered of state === 'pending' ? [false, true] : [false]) {
        const expected = nextState(state, event, { exhausted: 'dead', wasDelivered }) ?? state;
        it(`${event}: ${state}${wasDelivered ? ' (delivered before)' : ''} → ${expected}`, async () => {
          const id = await deliveryIn(state, wasDelivered);
          await APPLY[event]!(id);
          expect(await stateOf(id)).toBe(expected);
        });
      }
    }
  }
});

describe('a result under a token that is no longer the delivery’s', () => {
  it('overwrites nothing newer when it is a failure, and is logged as superseded', async () => {
    const id = await deliveryIn('pending');
    const [recorded] = await recordAttemptResults(platform.database, [result(id, { token: TOKEN - 1 })]);
    expect(recorded!.state).toBeNull();
    const [row] = await platform.sql('SELECT state, attempt_count FROM deliveries WHERE id = $1', [id]);
    expect(row).toEqual({ state: 'pending', attempt_count: 0 });
    expect(await platform.sql('SELECT superseded FROM attempts WHERE delivery_id = $1', [id])).toEqual([
      { superseded: true },
    ]);
  });

  it('is never lost when it is a 2xx: the receiver has the event', async () => {
    const id = await deliveryIn('pending');
    const success = result(id, { token: TOKEN - 1, outcome: 'success', httpStatus: 200, retryInMs: null });
    await recordAttemptResults(platform.database, [success]);
    expect(await stateOf(id)).toBe('delivered');
    await recordAttemptResults(platform.database, [result(id, { retryInMs: null })]);
    expect(await stateOf(id)).toBe('delivered');
    expect(
      await platform.sql('SELECT superseded FROM attempts WHERE delivery_id = $1 ORDER BY id', [id]),
    ).toEqual([{ superseded: false }, { superseded: true }]);
  });

  it('does not give back what somebody else holds', async () => {
    const id = await deliveryIn('pending');
    const given = await giveBackDeliveries(platform.database, [
      { deliveryId: id, endpointId: endpoint, token: TOKEN - 1 },
    ]);
    expect(given).toBe(0);
  });
});

describe('result batches', () => {
  it('over the same endpoints in opposite order all commit', async () => {
    const endpoints = [endpoint];
    for (let index = 0; index < 9; index++) {
      endpoints.push(await platform.addEndpoint('acme', `http://127.0.0.1:9/${index}`));
    }
    const batch = async () =>
      Promise.all(
        endpoints.map(async (endpointId) =>
          result(await deliveryIn('pending', false, endpointId), { endpointId, breakerThreshold: 1_000 }),
        ),
      );
    const rounds = await Promise.all(Array.from({ length: 20 }, batch));
    let deadlocks = 0;
    await Promise.all(
      rounds.map((results, index) =>
        recordAttemptResults(platform.database, index % 2 === 0 ? results : [...results].reverse()).catch(
          (error: { code?: string }) => {
            if (error.code !== '40P01') throw error;
            deadlocks++;
          },
        ),
      ),
    );
    expect(deadlocks).toBe(0);
    const rows = await platform.sql<{ failures: number }>(
      'SELECT failures FROM endpoints WHERE id = ANY ($1)',
      [endpoints.slice(1)],
    );
    expect(rows.map((row) => row.failures)).toEqual(Array(9).fill(20));
  });

  it('fold failures in order of completion: a run that reaches the threshold disables although a 2xx follows (TF-40)', async () => {
    const target = await platform.addEndpoint('acme', 'http://127.0.0.1:9/fold');
    const outcomes = [...Array<boolean>(3).fill(false), true, false];
    const results = await Promise.all(
      outcomes.map(async (success) =>
        result(await deliveryIn('pending', false, target), {
          endpointId: target,
          breakerThreshold: 3,
          ...(success ? { outcome: 'success' as const, httpStatus: 200, retryInMs: null } : {}),
        }),
      ),
    );
    const recorded = await recordAttemptResults(platform.database, results);
    expect(recorded[0]!.endpointDisabled).toBe(true);
    expect(await platform.sql('SELECT state, failures FROM endpoints WHERE id = $1', [target])).toEqual([
      { state: 'disabled', failures: 1 },
    ]);
  });

  it('are tried again when they lose a deadlock', async () => {
    let tries = 0;
    const outcome = await retryingDeadlocks(() => {
      tries++;
      return tries < 3
        ? Promise.reject(Object.assign(new Error('deadlock'), { code: '40P01' }))
        : Promise.resolve('ok');
    });
    expect(outcome).toBe('ok');
  });
});
