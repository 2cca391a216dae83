import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReplayableState } from '#domain/replay.js';
import { findReplay } from '#storage/sql/replays.js';
import { ADMIN, Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let platform: Platform;
let receiver: RecordingReceiver;
let applications = 0;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.startWorker();
});
afterAll(() => platform.destroy());
beforeEach(async () => {
  receiver = await RecordingReceiver.start();
});
afterEach(() => receiver.stop());

async function newEndpoint(settings: object = {}): Promise<{ application: string; endpoint: number }> {
  const application = `app-${++applications}`;
  await platform.addApplication(application, settings);
  return { application, endpoint: await platform.addEndpoint(application, receiver.url) };
}

async function endpointRow(id: number) {
  const [row] = await platform.sql<{ state: string; failures: number; disabled_reason: string | null }>(
    'SELECT state, failures, disabled_reason FROM endpoints WHERE id = $1',
    [id],
  );
  return row!;
}

async function statesOf(endpoint: number): Promise<Record<string, number>> {
  const rows = await platform.sql<{ state: string; count: number }>(
    'SELECT state, count(*) FROM deliveries WHERE endpoint_id = $1 GROUP BY state',
    [endpoint],
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

/** Ten events refused once each: the breaker opens. */
async function refuseTen(application: string, endpoint: number): Promise<void> {
  receiver.answer = () => ({ status: 500 });
  for (let index = 0; index < 10; index++) await platform.publish(application, `refused-${index}`);
  await until(async () => (await endpointRow(endpoint)).state === 'disabled');
}

/** As an operator's `enable` does. */
async function enable(endpoint: number): Promise<void> {
  await platform.sql(
    `UPDATE endpoints SET state = 'active', failures = 0, epoch = epoch + 1, disabled_at = NULL, disabled_reason = NULL
      WHERE id = $1`,
    [endpoint],
  );
}

function replayOf(endpoint: number, states: ReplayableState[], ratePerSecond: number | null = null) {
  return {
    kind: 'endpoint' as const,
    filter: { applications: null, endpoint, type: null, since: null, until: null, ids: null, states },
    ratePerSecond,
  };
}

async function replayEnds(id: number) {
  return until(async () => {
    const replay = await findReplay(platform.database, id);
    return replay!.state !== 'running' && replay!;
  });
}

describe('the breaker', () => {
  it('disables the target after 10 consecutive failures and announces it once (TF-40)', async () => {
    const { application, endpoint } = await newEndpoint();
    await refuseTen(application, endpoint);
    expect(await endpointRow(endpoint)).toEqual({
      state: 'disabled',
      failures: 10,
      disabled_reason: 'breaker: 10 consecutive failed attempts',
    });
    const disablings = () =>
      platform.announced.filter(
        ({ topic, key }) => topic === 'operator-events.v1' && key === String(endpoint),
      );
    await until(() => disablings().length > 0);
    expect(disablings()).toHaveLength(1);
    expect(disablings()[0]!.payload).toMatchObject({ type: 'endpoint.disabled', application });
  });

  it('counts consecutive failures only: a 2xx resets to 0 (TF-40)', async () => {
    const { application, endpoint } = await newEndpoint();
    receiver.answer = (_, index) => ({ status: index === 9 ? 200 : 500 });
    for (let index = 0; index < 15; index++) {
      await platform.publish(application, `mixed-${index}`);
      await until(() => receiver.received.length === index + 1);
    }
    await until(async () => (await endpointRow(endpoint)).failures === 5);
    expect((await endpointRow(endpoint)).state).toBe('active');
  });

  it('counts each of several targets on its own, by the threshold of the application (TF-40)', async () => {
    const { application, endpoint } = await newEndpoint({ breakerThreshold: 3 });
    const healthy = await RecordingReceiver.start();
    try {
      const other = await platform.addEndpoint(application, healthy.url);
      receiver.answer = () => ({ status: 500 });
      for (let index = 0; index < 3; index++) await platform.publish(application, `each-${index}`);
      await until(async () => (await endpointRow(endpoint)).state === 'disabled');
      await until(() => healthy.received.length === 3);
      expect((await endpointRow(other)).state).toBe('active');
    } finally {
      await healthy.stop();
    }
  });

  it('is off with a threshold of 0', async () => {
    const { application, endpoint } = await newEndpoint({ breakerThreshold: 0 });
    receiver.answer = () => ({ status: 500 });
    for (let index = 0; index < 12; index++) await platform.publish(application, `off-${index}`);
    await until(async () => (await endpointRow(endpoint)).failures === 12);
    expect((await endpointRow(endpoint)).state).toBe('active');
  });

  it('does not count results of attempts that began before a registration (TF-01)', async () => {
    const { application, endpoint } = await newEndpoint({ breakerThreshold: 1 });
    receiver.answer = () => ({ status: 500, delayMs: 300 });
    await platform.publish(application, 'before');
    await until(() => receiver.received.length === 1);
    await enable(endpoint);
    await until(
      async () =>
        (
          await platform.sql(
            'SELECT FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE endpoint_id = $1',
            [endpoint],
          )
        ).length === 1,
    );
    expect(await endpointRow(endpoint)).toMatchObject({ state: 'active', failures: 0 });
  });

  it('leaves what was queued before on its schedule; a success while disabled resets and does not enable (TF-41, TF-43)', async () => {
    const { application, endpoint } = await newEndpoint({ breakerThreshold: 1, retryWaits: ['300ms'] });
    receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
    await platform.publish(application, 'queued-before');
    await until(async () => (await endpointRow(endpoint)).state === 'disabled');
    await until(() => receiver.received.length === 2);
    await until(async () => (await endpointRow(endpoint)).failures === 0);
    expect((await endpointRow(endpoint)).state).toBe('disabled');
    expect(await statesOf(endpoint)).toEqual({ delivered: 1 });
  });
});

describe('a disabled endpoint', () => {
  it('keeps the eleventh event suppressed, and a replay after enabling sends exactly those, once, oldest first (TF-41, TF-42)', async () => {
    const { application, endpoint } = await newEndpoint();
    await refuseTen(application, endpoint);
    for (let index = 0; index < 5; index++) {
      const answer = await platform.publish(application, `late-${index}`);
      expect(answer).toMatchObject({ deliveryCount: 0, suppressedCount: 1 });
    }
    expect(await statesOf(endpoint)).toEqual({ pending: 10, suppressed: 5 });
    const before = receiver.received.length;

    await expect(platform.repairs.replay(replayOf(endpoint, ['suppressed']), ADMIN)).rejects.toMatchObject({
      code: 'ENDPOINT_DISABLED',
    });
    await enable(endpoint);
    receiver.answer = () => ({ status: 200 });
    const preview = await platform.repairs.preview(replayOf(endpoint, ['suppressed']), ADMIN);
    expect(preview).toMatchObject({ matched: 5, byEndpoint: [{ endpointId: endpoint, matched: 5 }] });
    const [first, second] = await Promise.all([
      platform.repairs.replay(replayOf(endpoint, ['suppressed']), ADMIN),
      platform.repairs.replay(replayOf(endpoint, ['suppressed']), ADMIN),
    ]);
    const ended = [await replayEnds(first.id), await replayEnds(second.id)];
    expect(ended.map(({ queued }) => queued).reduce((sum, queued) => sum + queued)).toBe(5);
    await until(async () => (await statesOf(endpoint))['delivered'] === 5);
    const sent = receiver.headerValues('X-Tffiscal-Event-Id').slice(before);
    expect([...sent].sort()).toEqual(['late-0', 'late-1', 'late-2', 'late-3', 'late-4']);
    expect((await statesOf(endpoint))['pending']).toBe(10);
  });

  it('makes no delivery of a reserved event, and nothing to replay (TF-11)', async () => {
    const { application, endpoint } = await newEndpoint();
    const answer = await platform.acceptor.publish({
      application,
      type: 'invoice.cce.registered',
      id: 'reserved',
      occurredAt: null,
      dataJson: `{"invoice_id":"1","chave":"${'1'.repeat(44)}","n_seq":"1"}`,
    });
    expect(answer).toMatchObject({ reserved: true, deliveryCount: 0, suppressedCount: 0 });
    expect(await statesOf(endpoint)).toEqual({});
    expect(await platform.sql(`SELECT FROM events WHERE public_id = 'reserved'`)).toHaveLength(1);
  });
});

describe('a replay', () => {
  it('of dead letters takes each one once and announces progress in its counts', async () => {
    const { application, endpoint } = await newEndpoint({ retryWaits: ['100ms'], breakerThreshold: 0 });
    receiver.answer = () => ({ status: 500 });
    for (let index = 0; index < 20; index++) await platform.publish(application, `dead-${index}`);
    await until(async () => (await statesOf(endpoint))['dead'] === 20, { timeoutMs: 10_000 });
    receiver.answer = () => ({ status: 200 });
    const before = receiver.received.length;
    const replay = await platform.repairs.replay(
      {
        kind: 'dead-letters',
        filter: {
          applications: [application],
          endpoint: null,
          type: null,
          since: null,
          until: null,
          ids: null,
          states: ['dead', 'closed'],
        },
        ratePerSecond: null,
      },
      ADMIN,
    );
    expect(replay).toMatchObject({ matched: 20, state: 'running', createdBy: ADMIN.name });
    expect(await replayEnds(replay.id)).toMatchObject({ state: 'done', queued: 20, skipped: 0 });
    await until(async () => (await statesOf(endpoint))['delivered'] === 20);
    const sent = receiver.headerValues('X-Tffiscal-Event-Id').slice(before);
    expect(sent).toHaveLength(20);
    expect(new Set(sent).size).toBe(20);
  });

  it('goes at the rate asked for and can be canceled on the way', async () => {
    const { application, endpoint } = await newEndpoint();
    await platform.publish(application, 'template');
    await platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state)
       SELECT id, $2, $1, type, 'suppressed' FROM events, generate_series(1, 50) WHERE application_id = $2`,
      [endpoint, application],
    );
    const replay = await platform.repairs.replay(replayOf(endpoint, ['suppressed'], 5), ADMIN);
    await until(async () => (await findReplay(platform.database, replay.id))!.queued >= 5);
    const canceled = await platform.repairs.cancelReplay(replay.id, ADMIN);
    expect(canceled.state).toBe('canceled');
    expect(canceled.queued).toBeLessThan(50);
    expect((await statesOf(endpoint))['suppressed']).toBe(50 - canceled.queued);
    await expect(platform.repairs.cancelReplay(replay.id, ADMIN)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
