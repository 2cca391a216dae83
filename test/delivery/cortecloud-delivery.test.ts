import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { cortecloud } from '#contracts/cortecloud/cortecloud.js';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { ADMIN, Platform } from '../support/platform.js';
import { headerOf, type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { describeWithTls, TestAuthority } from '../support/tls.js';
import { until } from '../support/until.js';
import { whereInstalled } from '../support/where-installed.js';
import { CortecloudPythonVerifier } from '../verifiers/cortecloud-python-verifier.js';
import { faultsOfCortecloudDelivery } from '../verifiers/cortecloud-verifier.js';

const PAIR = { apiKey: 'sb_wk_test', secret: 'sb_ws_test', ownKey: 'own key ü' };
const SECRETS = { [PAIR.apiKey]: PAIR.secret };
const HTTPS_PORT = 443;

describeWithTls('a Cortecloud destination', () => {
  let platform: Platform;
  let authority: TestAuthority;
  let receiver: RecordingReceiver;
  let centers = 0;

  beforeAll(async () => {
    authority = await TestAuthority.trusted();
    platform = await Platform.create({ deadlines: DEFAULT_DEADLINES });
    await platform.startWorker();
  });
  afterAll(async () => {
    await platform.destroy();
    await authority.withdraw();
  });
  beforeEach(async () => {
    receiver = await RecordingReceiver.start({ tls: await authority.identity() });
  });
  afterEach(() => receiver.stop());

  async function newCenter(settings: object = {}): Promise<string> {
    const center = `center-${++centers}`;
    await platform.addServiceCenter(center, settings);
    return center;
  }

  /** One change of one service; by default long enough ago to be due at once. */
  function publish(application: string, serviceId: number, occurredAt = new Date(Date.now() - 60_000)) {
    return platform.acceptor.publish({
      application,
      type: 'service.status_changed',
      id: null,
      occurredAt,
      dataJson: `{"service_id":${serviceId},"service_internal_code":"PED-${serviceId}","status":6,"old_status":4}`,
    });
  }

  async function delivery(endpoint: number) {
    const [row] = await platform.sql<{
      id: number;
      state: string;
      attempt_count: number;
      scheduled_at: Date | null;
    }>('SELECT * FROM deliveries WHERE endpoint_id = $1', [endpoint]);
    return row!;
  }

  function faults(received: Received, url: string): readonly string[] {
    return faultsOfCortecloudDelivery(
      { rawHeaders: received.headers.flat(), body: received.body },
      { url, secrets: SECRETS, ownKey: PAIR.ownKey },
    );
  }

  async function owe(endpoint: number): Promise<void> {
    await platform.sql(
      `UPDATE deliveries SET scheduled_at = now_ms(), due_at = now_ms() WHERE endpoint_id = $1 AND state = 'pending'`,
      [endpoint],
    );
    platform.worker.wakeSweep();
  }

  const TARGETS = [
    '/hook',
    '',
    '/?central=01',
    '/path/with%20space?a=1&b=2',
    '/q?b=2&a=1&a=0&A=9',
    '/q?name=jo%C3%A3o&city=S%C3%A3o+Paulo',
    '/q?empty=&flag&x=%2B%20%26',
    '/q?broken=%zz&half=%E3%80',
    '/q?a=!*()%27~-._',
  ];

  /** One delivery for each target, with the URL it was registered under. */
  async function receiveAll(): Promise<{ received: Received; url: string }[]> {
    const center = await newCenter();
    const urls = TARGETS.map((target) => new URL(receiver.urlOf(target)).href);
    for (const url of urls) await platform.addDestination(center, url, PAIR);
    const answer = await publish(center, 1);
    expect(answer.deliveryCount).toBe(urls.length);
    await until(() => receiver.received.length === urls.length, { timeoutMs: 10_000 });
    expect(new Set(receiver.headerValues('X-Webhook-Id'))).toEqual(new Set([answer.id]));
    expect(new Set(receiver.headerValues('X-Webhook-Delivery')).size).toBe(urls.length);
    return receiver.received.map((received) => ({ received, url: receiver.urlOf(received.path) }));
  }

  it('is called at exactly the URL registered, and a receiver in Node verifies it (CC-03, CC-30, CC-31, CC-32, CC-33)', async () => {
    for (const { received, url } of await receiveAll()) {
      expect({ url, faults: faults(received, url) }).toEqual({ url, faults: [] });
      expect(headerOf(received, 'Host')).toBe(new URL(url).host);
    }
  });

  whereInstalled('python3').it(
    `is verified by a receiver in Python too, or was warned (CC-06, CC-31, CC-32, CC-33)`,
    async () => {
      const python = new CortecloudPythonVerifier();
      try {
        for (const { received, url } of await receiveAll()) {
          const delivery = { rawHeaders: received.headers.flat(), body: received.body };
          const accepted = await python.accepts(delivery, { url, secrets: SECRETS, ownKey: PAIR.ownKey });
          // Where the two published verifiers sort differently, the registration has warned.
          const warned = cortecloud.url.warnings!(url).length > 0;
          expect({ url, accepted }).toEqual({ url, accepted: !warned });
        }
      } finally {
        await python.stop();
      }
    },
  );

  it('signs HOST without a port for the default one (CC-31)', async () => {
    let onDefaultPort: RecordingReceiver;
    try {
      onDefaultPort = await RecordingReceiver.start({ tls: await authority.identity(), port: HTTPS_PORT });
    } catch {
      // Only a privileged user may listen there; the rule itself is proven beside the contract.
      return;
    }
    try {
      const center = await newCenter();
      const url = 'https://127.0.0.1/hook?x=1';
      await platform.addDestination(center, url, PAIR);
      await publish(center, 1);
      const received = await until(() => onDefaultPort.received[0], { timeoutMs: 10_000 });
      expect(headerOf(received, 'Host')).toBe('127.0.0.1');
      expect(faults(received, url)).toEqual([]);
    } finally {
      await onDefaultPort.stop();
    }
  });

  it('gets one delivery of two changes within one second, published by 20 at once; the others are duplicates (CC-22)', async () => {
    const center = await newCenter();
    const endpoints = [
      await platform.addDestination(center, receiver.urlOf('/one'), PAIR),
      await platform.addDestination(center, receiver.urlOf('/two'), PAIR),
    ];
    const second = Math.floor((Date.now() - 60_000) / 1_000) * 1_000;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        publish(center, 7, new Date(second + (index % 2 === 0 ? 100 : 900))),
      ),
    );
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1);
    await until(() => receiver.received.length === 2, { timeoutMs: 10_000 });
    for (const endpoint of endpoints) {
      expect(await platform.sql('SELECT FROM deliveries WHERE endpoint_id = $1', [endpoint])).toHaveLength(1);
    }
  });

  it('is first called 30.0 s after the full timestamp of the change, a late publish at once (CC-35)', async () => {
    const center = await newCenter();
    const endpoint = await platform.addDestination(center, receiver.url, PAIR);
    const late = new Date(Date.now() - 31_000);
    const before = performance.now();
    await publish(center, 1, late);
    await until(() => receiver.received.length === 1);
    expect(performance.now() - before).toBeLessThan(2_000);
    await until(async () => (await delivery(endpoint)).state === 'delivered');

    const justNow = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 999 - 1_000);
    await publish(center, 2, justNow);
    const rows = await platform.sql<{ scheduled_at: Date }>(
      `SELECT scheduled_at FROM deliveries WHERE endpoint_id = $1 AND state = 'pending'`,
      [endpoint],
    );
    expect(rows).toEqual([{ scheduled_at: new Date(justNow.getTime() + 30_000) }]);
  });

  it('is not called before the delay is over (CC-35), lived through with a delay of 2 s', async () => {
    const center = await newCenter({ firstAttemptDelay: '2s' });
    await platform.addDestination(center, receiver.url, PAIR);
    const occurredAt = new Date();
    await publish(center, 1, occurredAt);
    const received = await until(() => receiver.received[0], { timeoutMs: 10_000 });
    expect(received.at.getTime() - occurredAt.getTime()).toBeGreaterThanOrEqual(2_000);
    expect(received.at.getTime() - occurredAt.getTime()).toBeLessThan(4_000);
  });

  it('is closed after six failures within their ranges, not dead, and a redelivery is one attempt under the same id (CC-37, CC-39)', async () => {
    const center = await newCenter();
    const endpoint = await platform.addDestination(center, receiver.url, PAIR);
    receiver.answer = () => ({ status: 503 });
    await publish(center, 1);
    const seconds: [from: number, to: number][] = [
      [15, 30],
      [30, 60],
      [60, 120],
      [120, 240],
      [240, 480],
    ];
    for (const [index, [from, to]] of seconds.entries()) {
      await until(async () => (await delivery(endpoint)).attempt_count === index + 1);
      const [attempt] = await platform.sql<{ wait_s: number }>(
        `SELECT extract(epoch FROM next_attempt_at - started_at - duration_ms * interval '1 ms')::float8 AS wait_s
           FROM attempts WHERE delivery_id = $1 ORDER BY id DESC LIMIT 1`,
        [(await delivery(endpoint)).id],
      );
      expect(attempt!.wait_s).toBeGreaterThanOrEqual(from);
      expect(attempt!.wait_s).toBeLessThanOrEqual(to);
      await owe(endpoint);
    }
    await until(async () => (await delivery(endpoint)).state === 'closed');
    const announced = () => platform.announced.filter(({ key }) => key === String(endpoint));
    await until(() => announced().length > 0);
    expect(announced()).toMatchObject([
      { topic: 'dead-letters.v1', payload: { state: 'closed', attemptCount: 6 } },
      { topic: 'operator-events.v1', payload: { type: 'delivery.dead', state: 'closed', attemptCount: 6 } },
    ]);

    const { id } = await delivery(endpoint);
    await platform.repairs.redeliver(id, ADMIN);
    await until(async () => (await delivery(endpoint)).attempt_count === 7);
    expect(await delivery(endpoint)).toMatchObject({ state: 'closed', attempt_count: 7 });
    receiver.answer = () => ({ status: 200 });
    await platform.repairs.redeliver(id, ADMIN);
    await until(async () => (await delivery(endpoint)).state === 'delivered');
    expect(new Set(receiver.headerValues('X-Webhook-Delivery'))).toEqual(new Set([String(id)]));
  });

  it('waits as long as Retry-After asks where that is longer, at most an hour, and never shorter (CC-38)', async () => {
    const cases: [retryAfter: string, from: number, to: number][] = [
      ['120', 120, 120],
      ['7200', 3_600, 3_600],
      ['1', 15, 30],
      ['-5', 15, 30],
      ['soon', 15, 30],
      [new Date(Date.now() - 60_000).toUTCString(), 15, 30],
      [new Date(Date.now() + 90_000).toUTCString(), 80, 91],
    ];
    for (const [retryAfter, from, to] of cases) {
      const center = await newCenter();
      const endpoint = await platform.addDestination(center, receiver.url, PAIR);
      receiver.answer = () => ({ status: 429, headers: { 'retry-after': retryAfter } });
      await publish(center, 1);
      const [attempt] = await until(async () => {
        const rows = await platform.sql<{ wait_s: number; outcome: string }>(
          `SELECT extract(epoch FROM a.next_attempt_at - a.started_at - a.duration_ms * interval '1 ms')::float8 AS wait_s,
                  a.outcome
             FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1`,
          [endpoint],
        );
        return rows.length === 1 && rows;
      });
      expect({
        retryAfter,
        outcome: attempt!.outcome,
        waits: attempt!.wait_s >= from && attempt!.wait_s <= to,
      }).toEqual({
        retryAfter,
        outcome: 'http_429',
        waits: true,
      });
    }
  });

  it('never has more than 5 requests at once, drains as fast as that allows, and delays no other (CC-40)', async () => {
    const center = await newCenter();
    const slow = await platform.addDestination(center, receiver.url, PAIR);
    const other = await RecordingReceiver.start({ tls: await authority.identity() });
    const takesMs = 100;
    receiver.answer = () => ({ status: 200, delayMs: takesMs });
    try {
      const outcomes = await platform.acceptor.publishAll(
        Array.from({ length: 200 }, (_, index) => ({
          application: center,
          type: 'service.status_changed',
          id: null,
          occurredAt: new Date(Date.now() - 60_000),
          dataJson: `{"service_id":${index + 1},"status":6,"old_status":4}`,
        })),
      );
      expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
      const before = performance.now();
      await until(() => receiver.received.length > 20, { timeoutMs: 10_000 });
      const otherCenter = await newCenter();
      await platform.addDestination(otherCenter, other.url, PAIR);
      const published = performance.now();
      await publish(otherCenter, 1);
      await until(() => other.received.length === 1);
      expect(performance.now() - published).toBeLessThan(1_000);
      await until(() => receiver.received.length === 200, { timeoutMs: 30_000 });
      const idealMs = (200 / 5) * takesMs;
      expect(performance.now() - before).toBeLessThan(1.6 * idealMs + 1_000);
      expect(receiver.mostOpen).toBe(5);
      expect(await platform.sql('SELECT FROM deliveries WHERE endpoint_id = $1', [slow])).toHaveLength(200);
    } finally {
      await other.stop();
    }
  });

  it('is never disabled unless the operator turns the breaker on for the application (CC-41)', async () => {
    const open = await newCenter();
    const guarded = await newCenter({ breakerThreshold: 3 });
    receiver.answer = () => ({ status: 500 });
    const endpoints = [
      await platform.addDestination(open, receiver.url, PAIR),
      await platform.addDestination(guarded, receiver.url, PAIR),
    ];
    for (const center of [open, guarded]) {
      for (let service = 1; service <= 12; service++) await publish(center, service);
    }
    const states = async () =>
      platform.sql<{ state: string; failures: number }>(
        'SELECT state, failures FROM endpoints WHERE id = ANY ($1) ORDER BY id',
        [endpoints],
      );
    await until(async () => (await states()).every((row) => row.failures >= 3));
    await until(async () => (await states())[0]!.failures === 12);
    expect((await states()).map((row) => row.state)).toEqual(['active', 'disabled']);
  });

  it('counts a redirect as a failure and is not followed to where it points (CC-36)', async () => {
    const center = await newCenter();
    const endpoint = await platform.addDestination(center, receiver.url, PAIR);
    receiver.answer = () => ({ status: 308, headers: { location: receiver.urlOf('/elsewhere') } });
    await publish(center, 1);
    await until(async () => (await delivery(endpoint)).attempt_count === 1);
    expect(receiver.received.map((received) => received.path)).toEqual(['/hook']);
  });
});
