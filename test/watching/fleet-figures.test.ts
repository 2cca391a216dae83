import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { CONTRACTS } from '#contracts/registry.js';
import { FleetReader } from '#delivery/watch/fleet-reader.js';
import { StatsLoop } from '#delivery/watch/stats-loop.js';
import { DAY_MS, MINUTE_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { createLogger } from '#observability/logger.js';
import { FleetMetrics } from '#observability/metrics/fleet-metrics.js';
import { LoopMetrics } from '#observability/metrics/loop-metrics.js';
import {
  adminMetrics,
  ingestMetrics,
  standaloneMetrics,
  workerMetrics,
} from '#observability/metrics/role-metrics.js';
import { Database } from '#storage/database.js';
import { Registry } from 'prom-client';
import { CuttableDatabase } from '../support/cuttable-database.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let testDatabase: TestDatabase;
let cuttable: CuttableDatabase;
let database: Database;
let reader: FleetReader;
let ids: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  cuttable = await CuttableDatabase.inFrontOf(testDatabase.url);
  database = await Database.connect({ url: cuttable.url, poolSize: 2, applicationName: 'test' });
  await database.pool.query(
    `INSERT INTO applications (id, name, contract, environment, attributes, settings)
     VALUES ('acme', 'acme', 'tf-fiscal', 'production', '{}', '{}'), ('cut', 'cut', 'cortecloud', 'production', '{}', '{}')`,
  );
  await database.pool.query(
    `INSERT INTO endpoints (id, application_id, url, credentials, credential_names, state, failures)
     SELECT id, application, 'http://127.0.0.1:9/', '', '{}', state, failures
       FROM (VALUES (1, 'acme', 'active', 0), (2, 'acme', 'active', 3), (3, 'acme', 'paused', 2), (4, 'acme', 'disabled', 10),
                    (5, 'cut', 'active', 1), (6, 'cut', 'revoked', 1)) AS e(id, application, state, failures)`,
  );
});
afterAll(async () => {
  await database.close();
  await cuttable.remove();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE deliveries, outbox, replays');
  reader = new FleetReader(database);
  ids = firstIdAt(new Date());
});

/** Of an endpoint, owed and due so many seconds ago, ahead where negative. */
async function pending(
  endpoint: number,
  owedAgo: number,
  dueAgo: number | 'never' = owedAgo,
  more: { id?: number; postponed?: boolean; rows?: number } = {},
): Promise<void> {
  await database.pool.query(
    `INSERT INTO deliveries (id, event_id, application_id, endpoint_id, type, state, scheduled_at, due_at, postponed)
     SELECT $1::bigint + n, 1, e.application_id, e.id, 'x', 'pending', now_ms() - $3 * interval '1 s',
            CASE WHEN $4::text = 'never' THEN 'infinity' ELSE now_ms() - nullif($4, 'never')::float8 * interval '1 s' END, $5
       FROM endpoints e, generate_series(1, $6::int) AS n WHERE e.id = $2`,
    [more.id ?? ids, endpoint, owedAgo, String(dueAgo), more.postponed ?? false, more.rows ?? 1],
  );
  ids += more.rows ?? 1;
}

async function finished(endpoint: number, state: string, id = ++ids): Promise<void> {
  await database.pool.query(
    `INSERT INTO deliveries (id, event_id, application_id, endpoint_id, type, state, finished_at)
     SELECT $1, 1, e.application_id, e.id, 'x', $3, now_ms() FROM endpoints e WHERE e.id = $2`,
    [id, endpoint, state],
  );
}

it('tells due from scheduled, leased, postponed, set aside and paused, by contract', async () => {
  await pending(1, 30);
  await pending(1, 2);
  await pending(1, -600);
  await pending(1, 3_000, -50); // leased: being attempted
  await pending(2, 40, -3, { postponed: true }); // put off by a fault of ours: it waits all the same
  await pending(2, 9_000, 'never'); // set aside
  await pending(3, 8_000); // of a paused endpoint
  await pending(3, -60);
  await pending(5, -10, -10, { rows: 3 });
  for (const state of ['delivered', 'dead', 'closed', 'suppressed', 'canceled']) await finished(1, state);
  const figures = await reader.read();
  expect(figures.backlog.get('tf-fiscal')).toEqual({
    due: 3,
    scheduled: 1,
    oldestDueAgeMs: expect.any(Number),
  });
  expect(figures.backlog.get('tf-fiscal')!.oldestDueAgeMs / 1_000).toBeCloseTo(40, -1);
  expect(figures.backlog.get('cortecloud')).toEqual({ due: 0, scheduled: 3, oldestDueAgeMs: 0 });
  expect(figures).toMatchObject({ endpointsDue: 2, endpointsLate: 0, setAside: 1 });
  expect(figures.unresolved).toEqual(new Map([['tf-fiscal', { dead: 1, closed: 1, suppressed: 1 }]]));
});

it('calls one endpoint late that has very many waiting, and one that was due behind a lease', async () => {
  await pending(1, 90, 90, { rows: 500 });
  await pending(2, 5);
  await pending(5, 20, 20);
  await pending(5, 75, 12); // its lease ran out 12 s ago
  const figures = await reader.read();
  expect(figures).toMatchObject({ endpointsDue: 3, endpointsLate: 2 });
  expect(figures.backlog.get('tf-fiscal')!.due).toBe(501);
  expect(figures.backlog.get('cortecloud')!.oldestDueAgeMs / 1_000).toBeCloseTo(75, -1);
});

it('counts over days, an endpoint with something in several of them once', async () => {
  const yesterday = firstIdAt(new Date(Date.now() - DAY_MS));
  await pending(1, 5_000, 5_000, { id: yesterday });
  await pending(1, 10);
  await finished(1, 'dead', yesterday + 10);
  await finished(2, 'dead');
  const figures = await reader.read();
  expect(figures).toMatchObject({ endpointsDue: 1, endpointsLate: 1 });
  expect(figures.backlog.get('tf-fiscal')).toMatchObject({ due: 2 });
  expect(figures.unresolved.get('tf-fiscal')!.dead).toBe(2);
  await database.pool.query('DELETE FROM deliveries WHERE id = $1', [yesterday + 10]);
  expect((await reader.read()).unresolved.get('tf-fiscal')!.dead).toBe(1);
});

it('reads again where a partition is dropped after it was listed', async () => {
  const [from, to] = ['2027-06-01', '2027-06-02'].map((day) => firstIdAt(new Date(day))) as [number, number];
  await database.pool.query(
    `CREATE TABLE deliveries_20270601 PARTITION OF deliveries FOR VALUES FROM (${from}) TO (${to})`,
  );
  await pending(1, 10, 10, { id: from });
  await pending(2, 10);
  let drops = 0;
  const dropping: Pick<Database, 'withStatementTimeout'> = {
    withStatementTimeout: (limitMs, work) =>
      database.withStatementTimeout(limitMs, (connection) =>
        work({
          query: async (statement, values) => {
            const rows = await connection.query<never>(statement, values);
            if (statement.name === 'list-partition-days' && drops++ === 0)
              await database.pool.query('DROP TABLE deliveries_20270601');
            return rows;
          },
        }),
      ),
  };
  expect(await new FleetReader(dropping).read()).toMatchObject({ endpointsDue: 1 });
  expect(drops).toBe(2);
});

it('counts endpoints, the outbox and replays, and says what partitions cover', async () => {
  await database.pool.query(
    `INSERT INTO outbox (topic, key, payload, created_at) VALUES ('t', 'k', '{}', now_ms() - interval '70 s'), ('t', 'k', '{}', now_ms())`,
  );
  await database.pool.query(
    `INSERT INTO replays (kind, filter, state, fixed_at, matched, created_by)
     VALUES ('endpoint', '{}', 'running', now(), 1, 'x'), ('endpoint', '{}', 'done', now(), 1, 'x')`,
  );
  const figures = await reader.read();
  expect(figures.endpoints).toEqual(
    new Map([
      ['tf-fiscal', { byState: { active: 2, paused: 1, disabled: 1 }, failing: 1 }],
      ['cortecloud', { byState: { active: 1, paused: 0, disabled: 0 }, failing: 1 }],
    ]),
  );
  expect(figures.outbox.rows).toBe(2);
  expect(figures.outbox.oldestAgeMs / 1_000).toBeCloseTo(70, -1);
  expect(figures.replaysRunning).toBe(1);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (const table of ['events', 'deliveries', 'attempts', 'endpoint_minutes'] as const) {
    const { horizon, oldest } = figures.partitions.get(table)!;
    expect(horizon.getTime()).toBeGreaterThanOrEqual(today + 2 * DAY_MS);
    expect(oldest.getTime()).toBeLessThanOrEqual(today);
  }
});

it('exports nothing while the database is away, and all of it when it is back', async () => {
  await pending(1, 90);
  const registry = new Registry();
  const metrics = { fleet: new FleetMetrics(registry, CONTRACTS), loops: new LoopMetrics(registry) };
  const logger = createLogger({ role: 'test', level: 'silent', format: 'json' });
  const loop = new StatsLoop({ database, logger, metrics, intervalMs: 50 });
  const samples = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => /^entrega_/.test(line) && !/^entrega_(loop|stats)_/.test(line));
  const lastSuccess = async () =>
    Number(/^entrega_stats_last_success_timestamp_seconds (\S+)$/m.exec(await registry.metrics())![1]);
  expect(await samples()).toEqual([]);
  expect(await lastSuccess()).toBe(0);
  loop.start();
  try {
    const shown = await until(async () => {
      const lines = await samples();
      return lines.length > 0 && lines;
    });
    expect(shown).toEqual(
      expect.arrayContaining([
        'entrega_backlog_deliveries{contract="tf-fiscal",kind="due"} 1',
        'entrega_backlog_deliveries{contract="cortecloud",kind="scheduled"} 0',
        'entrega_endpoints_late 1',
        'entrega_endpoints{contract="tf-fiscal",state="disabled"} 1',
        'entrega_deliveries_unresolved{contract="cortecloud",state="closed"} 0',
        'entrega_deliveries_set_aside 0',
      ]),
    );
    const names = shown.map((line) => /^\w+/.exec(line)![0]);
    expect([...new Set(names)].sort()).toEqual(GAUGES);
    await cuttable.cut();
    await until(async () => (await samples()).length === 0);
    const known = await lastSuccess();
    expect(known).toBeGreaterThan(Date.now() / 1_000 - 60);
    await cuttable.mend();
    await until(async () => (await samples()).length === shown.length, { timeoutMs: 15_000 });
    expect(await lastSuccess()).toBeGreaterThanOrEqual(known);
  } finally {
    await loop.stop();
  }
});

it('exports no figure that is older than two minutes', async () => {
  let nowMs = 0;
  const registry = new Registry();
  const metrics = new FleetMetrics(registry, CONTRACTS, () => nowMs);
  metrics.show(await reader.read());
  nowMs = 2 * MINUTE_MS;
  expect(await registry.metrics()).toContain('entrega_endpoints_late 0');
  nowMs += 1;
  expect(await registry.metrics()).not.toMatch(/^entrega_(?!stats_)/m);
});

it('is measured by the processes that take in and administer, and not by the worker, which may be dead', () => {
  const options = { contracts: CONTRACTS, retentionDays: 30, usesKafka: true };
  const told = (measure: (all: typeof options & { registry: Registry }) => unknown) => {
    const registry = new Registry();
    measure({ ...options, registry });
    return registry.getSingleMetric('entrega_endpoints_late') !== undefined;
  };
  expect([ingestMetrics, adminMetrics, standaloneMetrics, workerMetrics].map(told)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

const GAUGES = [
  'entrega_backlog_deliveries',
  'entrega_deliveries_set_aside',
  'entrega_deliveries_unresolved',
  'entrega_endpoints',
  'entrega_endpoints_due',
  'entrega_endpoints_failing',
  'entrega_endpoints_late',
  'entrega_oldest_due_age_seconds',
  'entrega_outbox_oldest_age_seconds',
  'entrega_outbox_rows',
  'entrega_partition_horizon_timestamp_seconds',
  'entrega_partition_oldest_timestamp_seconds',
  'entrega_replays_running',
];
