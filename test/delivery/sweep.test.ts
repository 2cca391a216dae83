import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { leaseMs } from '#domain/lease.js';
import { Platform, SHORT_DEADLINES } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let platform: Platform;
let receiver: RecordingReceiver;

beforeEach(async () => {
  platform = await Platform.create();
  receiver = await RecordingReceiver.start();
  await platform.addApplication('acme', { timeout: '500ms' });
});
afterEach(async () => {
  await receiver.stop();
  await platform.destroy();
});

/** A worker that takes references and does nothing with what `lose` picks. */
async function loseReferences(lose: (reference: DeliveryReference) => boolean): Promise<DeliveryReference[]> {
  const lost: DeliveryReference[] = [];
  const send = platform.transport.sendReferences.bind(platform.transport);
  platform.transport.sendReferences = (references) => {
    lost.push(...references.filter(lose));
    return send(references.filter((reference) => !lose(reference)));
  };
  return lost;
}

describe('a publish whose reference', () => {
  it('could not be sent goes out within 2 s', async () => {
    await platform.addEndpoint('acme', receiver.url);
    await platform.startWorker();
    platform.transport.sendReferences = () => Promise.reject(new Error('the broker is away'));
    const before = performance.now();
    await platform.publish('acme', 'unsent');
    await until(() => receiver.received.length === 1);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('could not be queued goes out within 2 s', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    receiver.answer = () => ({ status: 200, delayMs: 5 });
    await platform.startWorker();
    // Far more than the first queue of an endpoint holds, whose contract was not read yet.
    await platform.acceptor.publishAll(
      Array.from({ length: 60 }, (_, index) => ({
        application: 'acme',
        type: 'cte.event.registered',
        id: `many-${index}`,
        occurredAt: null,
        dataJson: '{"event_code":"110180","n_seq":"1","protocolo":"1"}',
      })),
    );
    await until(() => receiver.received.length === 60, { timeoutMs: 10_000 });
    const [row] = await platform.sql<{ slowest: number }>(
      `SELECT max(extract(epoch FROM a.started_at) * 1000 - (d.id / 4096 + 1735689600000))::float8 AS slowest
         FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1`,
      [endpoint],
    );
    expect(row!.slowest).toBeLessThan(2_000);
  });

  it('vanished silently goes out when its lease ends, and not before', async () => {
    await platform.addEndpoint('acme', receiver.url);
    await platform.startWorker();
    const lost = await loseReferences(() => true);
    const before = performance.now();
    await platform.publish('acme', 'vanished');
    expect(lost).toHaveLength(1);
    await until(() => receiver.received.length === 1, { timeoutMs: 10_000 });
    const tookMs = performance.now() - before;
    expect(tookMs).toBeGreaterThanOrEqual(leaseMs(SHORT_DEADLINES) - 50);
    expect(tookMs).toBeLessThan(leaseMs(SHORT_DEADLINES) + 2_000);
  });

  it('was given twice is sent once', async () => {
    await platform.addEndpoint('acme', receiver.url);
    await platform.startWorker();
    const send = platform.transport.sendReferences.bind(platform.transport);
    platform.transport.sendReferences = async (references) => [
      ...(await send(references)),
      ...(await send(references)),
    ];
    await platform.publish('acme', 'twice');
    await until(async () => (await platform.states())['delivered'] === 1);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('one endpoint with 100,000 due', () => {
  it('delays no retry of another by more than 2 s and itself drains at its full speed', async () => {
    const perSecond = 10 / 0.1;
    receiver.answer = () => ({ status: 200, delayMs: 100 });
    const other = await RecordingReceiver.start();
    try {
      const busy = await platform.addEndpoint('acme', receiver.url);
      await platform.addApplication('quiet', { retryWaits: ['1s', '1s', '1s', '1s'], breakerThreshold: 0 });
      await platform.addEndpoint('quiet', other.url);
      await platform.publish('acme', 'template');
      await platform.sql(
        `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
         SELECT event_id, application_id, endpoint_id, type, 'pending', now_ms(), now_ms()
           FROM deliveries, generate_series(1, 100000) WHERE endpoint_id = $1`,
        [busy],
      );
      other.answer = (_, index) => ({ status: index < 4 ? 500 : 200 });
      await platform.startWorker();
      await until(() => receiver.received.length > 100, { timeoutMs: 10_000 });
      const from = { at: performance.now(), count: receiver.received.length };
      await platform.publish('quiet', 'retried');
      await until(() => other.received.length === 5, { timeoutMs: 20_000 });
      const drainedPerSecond =
        (receiver.received.length - from.count) / ((performance.now() - from.at) / 1000);
      const attempts = await platform.sql<{ late: number }>(
        `SELECT extract(epoch FROM a.started_at - p.next_attempt_at)::float8 * 1000 AS late
           FROM attempts a JOIN attempts p ON p.delivery_id = a.delivery_id AND p.number = a.number - 1
           JOIN deliveries d ON d.id = a.delivery_id WHERE d.application_id = 'quiet'`,
      );
      expect(Math.max(...attempts.map(({ late }) => late))).toBeLessThan(2_000);
      expect(drainedPerSecond).toBeGreaterThan(0.8 * perSecond);
      expect(receiver.mostOpen).toBeLessThanOrEqual(10);
    } finally {
      await other.stop();
    }
  });
});

describe('a paused endpoint with many due', () => {
  it('costs the sweep one look, and not the same again every second', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await platform.sql(`UPDATE endpoints SET state = 'paused'`);
    await platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
       SELECT 1, 'acme', $1, 'x', 'pending', at, at
         FROM generate_series(1, 5000) AS n, LATERAL (SELECT now_ms() - n * interval '1 min' AS at)`,
      [endpoint],
    );
    const statements: string[] = [];
    const query = platform.database.query.bind(platform.database);
    platform.database.query = (statement, values) => {
      statements.push(statement.text);
      return query(statement, values);
    };
    const count = (part: string) => statements.filter((text) => text.includes(part)).length;
    await platform.startWorker();
    await until(() => {
      platform.worker.wakeSweep();
      return count('GROUP BY endpoint_id') > 10;
    });
    expect(count('SKIP LOCKED')).toBe(1);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a worker', () => {
  it('gives what waits in its queues back at once when it stops, and finishes what runs', async () => {
    receiver.answer = () => ({ status: 200, delayMs: 300 });
    await platform.addEndpoint('acme', receiver.url);
    await platform.startWorker();
    for (let index = 0; index < 60; index++) await platform.publish('acme', `stop-${index}`);
    await until(() => receiver.open === 10);
    await platform.stopWorker();
    const [row] = await platform.sql<{ held: number }>(
      `SELECT count(*) FILTER (WHERE state = 'pending' AND due_at > now()) AS held FROM deliveries`,
    );
    expect(row!.held).toBe(0);
    const { delivered = 0, pending = 0 } = await platform.states();
    expect(delivered).toBe(receiver.received.length);
    expect(delivered + pending).toBe(60);
  });

  it('waits for the database with its results in hand and writes them first', async () => {
    await platform.addEndpoint('acme', receiver.url);
    receiver.answer = () => ({ status: 200, delayMs: 200 });
    await platform.startWorker();
    await platform.publish('acme', 'in-hand');
    await until(() => receiver.open === 1);
    const query = platform.database.query.bind(platform.database);
    let refused = 0;
    platform.database.query = () => {
      refused++;
      return Promise.reject(Object.assign(new Error('the database is away'), { code: '57P01' }));
    };
    await until(() => refused > 3, { timeoutMs: 10_000 });
    platform.database.query = query;
    await until(async () => (await platform.states())['delivered'] === 1, { timeoutMs: 10_000 });
    expect(receiver.received).toHaveLength(1);
  });

  describe('stopped beyond its lease (SIGSTOP) and resumed', () => {
    let child: ChildProcess | undefined;
    afterEach(async () => {
      if (!child || child.exitCode !== null) return;
      const ended = new Promise((resolve) => child!.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    });

    /** A worker process that has a POST under way and is stopped; its lease then runs out. */
    async function stopInFlight(): Promise<ChildProcess> {
      const script = fileURLToPath(new URL('../support/worker-process.ts', import.meta.url));
      const loader = fileURLToPath(new URL('../support/source-loader.mjs', import.meta.url));
      child = spawn(
        process.execPath,
        [
          '--import',
          loader,
          script,
          platform.testDatabase.url,
          platform.encryptionKey.toString('base64'),
          String(SHORT_DEADLINES.connectTimeoutMs),
          String(SHORT_DEADLINES.maxResponseTimeoutMs),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await platform.publish('acme', 'stopped');
      await until(() => receiver.open === 1, { timeoutMs: 20_000 });
      child.kill('SIGSTOP');
      return child;
    }

    it('overwrites nothing newer, and a 2xx that it had in hand is not lost', async () => {
      const endpoint = await platform.addEndpoint('acme', receiver.url);
      // The stopped worker's request gets its 2xx while nobody reads it; the second worker's attempts are refused.
      receiver.answer = (_, index) => ({
        status: index === 0 ? 200 : 500,
        ...(index === 0 ? { delayMs: 100 } : {}),
      });
      const stopped = await stopInFlight();
      await platform.startWorker();
      await until(() => receiver.received.length === 2, { timeoutMs: 10_000 });
      await until(
        async () =>
          (await platform.sql('SELECT FROM deliveries WHERE attempt_count = 1 AND state = $1', ['pending']))
            .length,
      );
      const [before] = await platform.sql<{ failures: number }>(
        'SELECT failures FROM endpoints WHERE id = $1',
        [endpoint],
      );
      expect(before!.failures).toBe(1);
      stopped.kill('SIGCONT');
      await until(async () => (await platform.states())['delivered'] === 1, { timeoutMs: 10_000 });
      expect(receiver.received).toHaveLength(2);
    });

    it('changes nothing with a failure that is superseded', async () => {
      await platform.addEndpoint('acme', receiver.url);
      receiver.answer = (_, index) => ({
        status: index === 0 ? 500 : 200,
        ...(index === 0 ? { delayMs: 100 } : {}),
      });
      const stopped = await stopInFlight();
      await platform.startWorker();
      await until(async () => (await platform.states())['delivered'] === 1, { timeoutMs: 10_000 });
      stopped.kill('SIGCONT');
      await until(async () => (await platform.sql('SELECT FROM attempts WHERE superseded')).length === 1, {
        timeoutMs: 10_000,
      });
      expect(await platform.states()).toEqual({ delivered: 1 });
      expect(await platform.sql('SELECT attempt_count FROM deliveries')).toEqual([{ attempt_count: 1 }]);
    });
  });
});
