import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReplayableState } from '#domain/replay.js';
import { EndpointQueues } from '#delivery/attempt/endpoint-queues.js';
import { runReplayPage } from '#delivery/repair/replay-runner.js';
import { DueDeliveriesSweeper } from '#delivery/sweep/due-deliveries.sweeper.js';
import { systemClock } from '#domain/clock.js';
import { createLogger } from '#observability/logger.js';
import { Database, type Statement } from '#storage/database.js';
import { findReplay } from '#storage/sql/replays.js';
import { ADMIN, Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let platform: Platform;
let receiver: RecordingReceiver;

beforeEach(async () => {
  platform = await Platform.create();
  receiver = await RecordingReceiver.start();
  await platform.addApplication('acme', { timeout: '500ms', breakerThreshold: 0 });
});
afterEach(async () => {
  await receiver.stop();
  await platform.destroy();
});

async function delivery(endpoint: number) {
  const [row] = await platform.sql<{ id: number; state: string; attempt_count: number }>(
    'SELECT id, state, attempt_count FROM deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT 1',
    [endpoint],
  );
  return row!;
}

describe('the database', () => {
  it('that ends a connection in use fails what it was used for, and nothing else', async () => {
    const cut = platform.database.transaction(async (connection) => {
      const [row] = await connection.query<{ pid: number }>(
        { name: 'own-pid', text: 'SELECT pg_backend_pid() AS pid' },
        [],
      );
      await platform.sql('SELECT pg_terminate_backend($1)', [row!.pid]);
      await until(
        async () =>
          (await platform.sql('SELECT FROM pg_stat_activity WHERE pid = $1', [row!.pid])).length === 0,
      );
      await connection.query({ name: 'one', text: 'SELECT 1' }, []);
    });
    await expect(cut).rejects.toThrow();
    await expect(platform.sql('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('that does not answer does not keep a process from ending', async () => {
    const database = await Database.connect({
      url: platform.testDatabase.url,
      poolSize: 2,
      applicationName: 'silent',
    });
    const asleep = database.pool.query('SELECT pg_sleep(60)').catch((error: Error) => error);
    await until(
      async () =>
        (
          await platform.sql(
            `SELECT FROM pg_stat_activity WHERE application_name = 'silent' AND query LIKE '%pg_sleep%'`,
          )
        ).length === 1,
    );
    const before = performance.now();
    await database.close();
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(await asleep).toBeInstanceOf(Error);
  });
});

describe('a result', () => {
  it('may say that the next attempt is weeks away', async () => {
    await platform.addApplication('patient', { retryWaits: ['28d'], timeout: '500ms' });
    const endpoint = await platform.addEndpoint('patient', receiver.url);
    receiver.answer = () => ({ status: 500 });
    await platform.startWorker();
    await platform.publish('patient', 'weeks');
    await until(async () => (await delivery(endpoint)).attempt_count === 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('that cannot be stored is set aside, and those beside it are stored', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await platform.publish('acme', 'today');
    const { id } = await delivery(endpoint);
    const [event] = await platform.sql<{ id: number }>('SELECT id FROM events');
    // A delivery of a day whose attempts have no partition any more.
    const [yesterday] = await platform.sql<{ name: string; id: number }>(
      `SELECT inhrelid::regclass::text AS name, ($1::bigint - 86400000::bigint * 4096) AS id FROM pg_inherits
        WHERE inhparent = 'attempts'::regclass ORDER BY 1 LIMIT 1`,
      [id],
    );
    await platform.sql(`ALTER TABLE attempts DETACH PARTITION ${yesterday!.name}`);
    await platform.sql(
      `INSERT INTO deliveries (id, event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
       SELECT $1, $2, application_id, endpoint_id, type, 'pending', now_ms(), now_ms() FROM deliveries WHERE id = $3`,
      [yesterday!.id, event!.id, id],
    );
    await platform.startWorker();
    await until(
      async () =>
        (
          await platform.sql(
            `SELECT FROM deliveries WHERE id = $1 AND last_error_code = 'RESULT_NOT_STORABLE'`,
            [yesterday!.id],
          )
        ).length === 1,
      { timeoutMs: 10_000 },
    );
    await until(
      async () =>
        (await platform.sql(`SELECT FROM deliveries WHERE id = $1 AND state = 'delivered'`, [id])).length,
      {
        timeoutMs: 10_000,
      },
    );
  });
});

describe('a delivery that waits after a fault of ours', () => {
  it('is not in flight: an operator may redeliver it at once', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await platform.publish('acme', 'sealed-badly');
    const { id } = await delivery(endpoint);
    const [row] = await platform.sql<{ credentials: Buffer }>(
      'SELECT credentials FROM endpoints WHERE id = $1',
      [endpoint],
    );
    await platform.sql('UPDATE endpoints SET credentials = $2 WHERE id = $1', [endpoint, Buffer.from('x')]);
    await platform.startWorker();
    await until(
      async () =>
        (await platform.sql('SELECT FROM deliveries WHERE id = $1 AND postponed', [id])).length === 1,
    );
    expect(await delivery(endpoint)).toMatchObject({ state: 'pending', attempt_count: 0 });
    await platform.sql('UPDATE endpoints SET credentials = $2 WHERE id = $1', [endpoint, row!.credentials]);
    await platform.repairs.redeliver(id, ADMIN);
    await until(async () => (await delivery(endpoint)).state === 'delivered');
  });

  it('is set aside after five, for no schedule to pick up, and told', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await platform.sql('UPDATE endpoints SET credentials = $2 WHERE id = $1', [endpoint, Buffer.from('x')]);
    await platform.publish('acme', 'hopeless');
    await platform.startWorker();
    await until(
      async () => {
        await platform.sql(
          `UPDATE deliveries SET due_at = now_ms() WHERE endpoint_id = $1 AND postponed AND due_at < 'infinity'`,
          [endpoint],
        );
        platform.worker.wakeSweep();
        return (
          await platform.sql(`SELECT FROM deliveries WHERE endpoint_id = $1 AND due_at = 'infinity'`, [
            endpoint,
          ])
        ).length;
      },
      { timeoutMs: 10_000 },
    );
    expect(await delivery(endpoint)).toMatchObject({ state: 'pending', attempt_count: 0 });
    expect(receiver.received).toHaveLength(0);
  });
});

describe('the sweep', () => {
  it('rests while nothing more can be queued, and takes no more than can', async () => {
    const endpoints = await Promise.all(
      Array.from({ length: 40 }, (_, index) => platform.addEndpoint('acme', `${receiver.url}/${index}`)),
    );
    await platform.publish('acme', 'template');
    await platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
       SELECT event_id, application_id, endpoint_id, type, 'pending', now_ms(), now_ms()
         FROM deliveries, generate_series(1, 150) WHERE endpoint_id = ANY ($1)`,
      [endpoints],
    );
    const statements: string[] = [];
    const query = platform.database.query.bind(platform.database);
    platform.database.query = (statement: Statement, values) => {
      statements.push(statement.text);
      return query(statement, values);
    };
    // No slot at all: what is queued stays queued.
    const queues = new EndpointQueues(0, 10_000, () => systemClock.monotonicMs());
    const sweeper = new DueDeliveriesSweeper({
      database: platform.database,
      queues,
      clock: systemClock,
      logger: createLogger({ role: 'test', level: 'silent', format: 'json' }),
      metrics: platform.metrics,
      leaseMs: 60_000,
      resultsBehind: () => false,
      onQueued: () => undefined,
    });
    sweeper.start();
    await until(() => queues.waiting > 0 && !endpoints.some((endpoint) => queues.isLow(endpoint)));
    const [taken] = await platform.sql<{ count: number }>(
      'SELECT count(*) FROM deliveries WHERE due_at > now()',
    );
    expect(taken!.count).toBe(queues.waiting);
    const from = { at: performance.now(), statements: statements.length };
    await until(() => performance.now() - from.at > 2_000, { timeoutMs: 3_000 });
    await sweeper.stop();
    expect(statements.slice(from.statements).filter((text) => text.includes('SKIP LOCKED'))).toEqual([]);
    expect(statements.length - from.statements).toBeLessThanOrEqual(4);
    expect(statements.filter((text) => text.includes('SET due_at = now_ms()\n'))).toEqual([]);
  });
});

describe('a replay', () => {
  const replayOf = (endpoint: number, states: ReplayableState[], ratePerSecond: number | null = null) => ({
    kind: 'endpoint' as const,
    filter: { applications: null, endpoint, type: null, since: null, until: null, ids: null, states },
    ratePerSecond,
  });

  async function suppressed(endpoint: number, count: number): Promise<void> {
    await platform.publish('acme', `template-${endpoint}`);
    await platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state)
       SELECT max(event_id), 'acme', $1, 'cte.event.registered', 'suppressed' FROM deliveries, generate_series(1, $2)
        GROUP BY generate_series`,
      [endpoint, count],
    );
  }

  it('takes what was dead when it was asked for, not what died afterwards', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await suppressed(endpoint, 3);
    await platform.sql(
      `UPDATE deliveries SET state = 'dead', finished_at = now_ms()
        WHERE id IN (SELECT id FROM deliveries WHERE endpoint_id = $1 AND state = 'suppressed' ORDER BY id LIMIT 2)`,
      [endpoint],
    );
    const replay = await platform.repairs.replay(replayOf(endpoint, ['dead']), ADMIN);
    await platform.sql(
      `UPDATE deliveries SET state = 'dead', finished_at = now_ms() + interval '1 s' WHERE endpoint_id = $1 AND state = 'suppressed'`,
      [endpoint],
    );
    while (await runReplayPage(platform.database, platform.metrics.deliveries));
    expect(await findReplay(platform.database, replay.id)).toMatchObject({
      state: 'done',
      matched: 2,
      queued: 2,
    });
  });

  it('goes as fast as it was asked to', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await suppressed(endpoint, 4_000);
    await platform.startWorker();
    const before = performance.now();
    const replay = await platform.repairs.replay(replayOf(endpoint, ['suppressed'], 2_000), ADMIN);
    await until(async () => (await findReplay(platform.database, replay.id))!.state === 'done', {
      timeoutMs: 15_000,
    });
    const tookMs = performance.now() - before;
    expect(tookMs).toBeGreaterThan(900);
    expect(tookMs).toBeLessThan(5_000);
  });

  it('whose page fails is tried again later and does not hold up another', async () => {
    const endpoint = await platform.addEndpoint('acme', receiver.url);
    await suppressed(endpoint, 3);
    const broken = await platform.repairs.replay(replayOf(endpoint, ['dead']), ADMIN);
    await platform.sql(`UPDATE replays SET filter = '{"states": 7, "endpoint": null}' WHERE id = $1`, [
      broken.id,
    ]);
    const good = await platform.repairs.replay(replayOf(endpoint, ['suppressed']), ADMIN);
    await expect(runReplayPage(platform.database, platform.metrics.deliveries)).rejects.toThrow();
    await until(async () => !(await runReplayPage(platform.database, platform.metrics.deliveries)));
    expect(await findReplay(platform.database, good.id)).toMatchObject({ state: 'done', queued: 3 });
    await until(async () => {
      await platform.sql('UPDATE replays SET next_page_at = now() WHERE id = $1', [broken.id]);
      await runReplayPage(platform.database, platform.metrics.deliveries).catch(() => undefined);
      return (await findReplay(platform.database, broken.id))!.state === 'failed';
    });
    expect((await findReplay(platform.database, broken.id))!.failure).toContain('A page failed 5 times');
  });
});
