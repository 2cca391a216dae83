import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { ADMIN, Platform } from '../support/platform.js';
import { headerOf, type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';
import { faultsOfTfFiscalDelivery } from '../verifiers/tf-fiscal-verifier.js';

let platform: Platform;
let receiver: RecordingReceiver;

beforeAll(async () => {
  platform = await Platform.create({ deadlines: DEFAULT_DEADLINES, logLevel: 'info' });
  await platform.startWorker();
});
afterAll(() => platform.destroy());
beforeEach(async () => {
  receiver = await RecordingReceiver.start();
});
afterEach(() => receiver.stop());

function verified(received: Received, appSecret: string, token = 'token-1'): string[] {
  return [
    ...faultsOfTfFiscalDelivery(
      { rawHeaders: received.headers.flat(), body: received.body },
      { appSecret, token, now: received.at },
    ),
  ];
}

interface DeliveryRow {
  id: number;
  state: string;
  attempt_count: number;
  scheduled_at: Date | null;
  finished_at: Date | null;
}

async function delivery(endpoint: number): Promise<DeliveryRow> {
  const [row] = await platform.sql<DeliveryRow>('SELECT * FROM deliveries WHERE endpoint_id = $1', [
    endpoint,
  ]);
  return row!;
}

describe('an attempt', () => {
  it('POSTs the stored bytes under the headers of the contract, signed (TF-21, TF-30, TF-31)', async () => {
    const secret = await platform.addApplication('signed');
    const endpoint = await platform.addEndpoint('signed', receiver.url);
    const answer = await platform.publish('signed', 'evt-1');
    expect(answer.deliveryCount).toBe(1);
    const received = await until(() => receiver.received[0]);
    expect(verified(received, secret)).toEqual([]);
    expect(headerOf(received, 'X-Tffiscal-Event-Id')).toBe('evt-1');
    const { id } = await until(async () => {
      const row = await delivery(endpoint);
      return row.state === 'delivered' && row;
    });
    expect(headerOf(received, 'X-Tffiscal-Delivery-Id')).toBe(String(id));
    const [stored] = await platform.sql<{ body: Buffer }>(
      `SELECT body FROM events WHERE public_id = 'evt-1'`,
    );
    expect(received.body.equals(stored!.body)).toBe(true);
  });

  it('is logged with number, time, URL, status, duration and response, and in one canonical line (TF-36)', async () => {
    await platform.addApplication('logged');
    const endpoint = await platform.addEndpoint('logged', receiver.url);
    receiver.answer = () => ({ status: 418, body: 'short and stout' });
    await platform.publish('logged', 'evt-log');
    const attempt = await until(async () => {
      const rows = await platform.sql(
        'SELECT a.* FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1',
        [endpoint],
      );
      return rows[0];
    });
    expect(attempt).toMatchObject({
      number: 1,
      cycle: 1,
      superseded: false,
      trigger: 'first',
      url: receiver.url,
      remote_address: '127.0.0.1',
      outcome: 'http_4xx',
      http_status: 418,
      error_code: null,
      response_summary: 'short and stout',
    });
    const lines = platform.logged.filter(
      (line) => line['msg'] === 'delivery.attempted' && line['event'] === 'evt-log',
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      application: 'logged',
      endpoint: String(endpoint),
      attempt: 1,
      outcome: 'http_4xx',
      httpStatus: 418,
      state: 'pending',
    });
    expect(lines[0]).toHaveProperty('nextAttemptAt');
  });

  it('goes to all targets of an event under its one id, each with a delivery id of its own (TF-02)', async () => {
    await platform.addApplication('targets');
    await platform.addEndpoint('targets', receiver.url);
    await platform.addEndpoint('targets', receiver.url);
    await platform.publish('targets', 'evt-both');
    await until(() => receiver.received.length === 2);
    expect(receiver.headerValues('X-Tffiscal-Event-Id')).toEqual(['evt-both', 'evt-both']);
    expect(new Set(receiver.headerValues('X-Tffiscal-Delivery-Id')).size).toBe(2);
  });

  it('carries a fresh timestamp and the same ids and bytes each time (TF-30, TF-31)', async () => {
    const secret = await platform.addApplication('retried', { retryWaits: ['1100ms'] });
    await platform.addEndpoint('retried', receiver.url);
    receiver.answer = (_, index) => ({ status: index === 0 ? 503 : 204 });
    await platform.publish('retried', 'evt-retry');
    await until(() => receiver.received.length === 2, { timeoutMs: 5_000 });
    const [first, second] = receiver.received;
    for (const name of ['X-Tffiscal-Event-Id', 'X-Tffiscal-Delivery-Id']) {
      expect(headerOf(second!, name)).toBe(headerOf(first!, name));
    }
    expect(Number(headerOf(second!, 'X-Tffiscal-Timestamp'))).toBeGreaterThan(
      Number(headerOf(first!, 'X-Tffiscal-Timestamp')),
    );
    expect(second!.body.equals(first!.body)).toBe(true);
    expect([...verified(first!, secret), ...verified(second!, secret)]).toEqual([]);
  });

  it('uses URL and token as they are now for what was queued before (TF-33)', async () => {
    const secret = await platform.addApplication('moved', { retryWaits: ['500ms'] });
    const other = await RecordingReceiver.start();
    try {
      const endpoint = await platform.addEndpoint('moved', receiver.url);
      receiver.answer = () => ({ status: 500 });
      await platform.publish('moved', 'evt-moved');
      await until(() => receiver.received.length === 1);
      await platform.sql('UPDATE endpoints SET url = $2, credentials = $3 WHERE id = $1', [
        endpoint,
        other.url,
        platform.secretBox.seal('endpoint-credentials', '{"token":"token-2"}'),
      ]);
      const received = await until(() => other.received[0], { timeoutMs: 5_000 });
      expect(verified(received, secret, 'token-2')).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('counts a redirect as a failure and does not follow it (TF-32)', async () => {
    await platform.addApplication('redirected');
    const endpoint = await platform.addEndpoint('redirected', receiver.url);
    receiver.answer = () => ({ status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    await platform.publish('redirected', 'evt-302');
    await until(async () => (await delivery(endpoint)).attempt_count === 1);
    expect((await delivery(endpoint)).state).toBe('pending');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a webhook that answers 500', () => {
  it('gets its next attempt at +60 s, +5 min, +30 min, +2 h and +6 h, then is dead (TF-34, TF-35)', async () => {
    await platform.addApplication('refusing');
    const endpoint = await platform.addEndpoint('refusing', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await platform.publish('refusing', 'evt-500');
    const minutes = [1, 5, 30, 120, 360];
    for (const [index, wait] of minutes.entries()) {
      await until(async () => (await delivery(endpoint)).attempt_count === index + 1, { timeoutMs: 5_000 });
      const [attempt] = await platform.sql<{ ended_at: Date; next_attempt_at: Date; number: number }>(
        `SELECT number, next_attempt_at, started_at + duration_ms * interval '1 ms' AS ended_at
           FROM attempts WHERE delivery_id = $1 ORDER BY id DESC LIMIT 1`,
        [(await delivery(endpoint)).id],
      );
      expect(attempt!.number).toBe(index + 1);
      expect(attempt!.next_attempt_at.getTime() - attempt!.ended_at.getTime()).toBe(wait * 60_000);
      expect((await delivery(endpoint)).scheduled_at).toEqual(attempt!.next_attempt_at);
      await platform.sql(
        'UPDATE deliveries SET scheduled_at = now_ms(), due_at = now_ms() WHERE endpoint_id = $1',
        [endpoint],
      );
      platform.worker.wakeSweep();
    }
    const last = await until(async () => {
      const row = await delivery(endpoint);
      return row.state === 'dead' && row;
    });
    expect(last).toMatchObject({ attempt_count: 6, scheduled_at: null });
    expect(receiver.received).toHaveLength(6);
  });

  it('runs the whole cycle live with waits of 1 s and is announced as a dead letter once (TF-35)', async () => {
    await platform.addApplication('live', {
      retryWaits: ['1s', '1s', '1s', '1s', '1s'],
      breakerThreshold: 0,
    });
    const endpoint = await platform.addEndpoint('live', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await platform.publish('live', 'evt-live');
    await until(async () => (await delivery(endpoint)).state === 'dead', { timeoutMs: 15_000 });
    expect(receiver.received).toHaveLength(6);
    for (let index = 1; index < 6; index++) {
      const gapMs = receiver.received[index]!.at.getTime() - receiver.received[index - 1]!.at.getTime();
      expect(gapMs).toBeGreaterThanOrEqual(990);
      expect(gapMs).toBeLessThan(3_000);
    }
    const deadLetters = () =>
      platform.announced.filter(({ topic, key }) => topic === 'dead-letters.v1' && key === String(endpoint));
    await until(() => deadLetters().length > 0);
    await until(async () => (await platform.sql('SELECT FROM outbox')).length === 0);
    expect(deadLetters()).toHaveLength(1);
    expect(deadLetters()[0]!.payload).toMatchObject({ event: 'evt-live', state: 'dead', attemptCount: 6 });
  });

  it('is re-pushed with the whole schedule, attempt numbers going on (TF-35)', async () => {
    const endpoint = (
      await platform.sql<{ id: number }>(`SELECT id FROM endpoints WHERE application_id = 'live'`)
    )[0]!.id;
    const before = await delivery(endpoint);
    await platform.sql('UPDATE endpoints SET url = $2 WHERE id = $1', [endpoint, receiver.url]);
    await platform.repairs.redeliver(before.id, ADMIN);
    const after = await until(async () => {
      const row = await delivery(endpoint);
      return row.state === 'delivered' && row;
    });
    expect(after.attempt_count).toBe(7);
    const [attempt] = await platform.sql(
      'SELECT * FROM attempts WHERE delivery_id = $1 ORDER BY id DESC LIMIT 1',
      [before.id],
    );
    expect(attempt).toMatchObject({ number: 7, cycle: 2, trigger: 'redeliver', outcome: 'success' });
  });
});
