import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { DatabaseMetrics } from '#observability/metrics/database-metrics.js';
import type { Database } from '#storage/database.js';
import { Registry } from 'prom-client';
import { CuttableDatabase } from '../support/cuttable-database.js';
import { figureIn, samplesIn } from '../support/metrics-text.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let testDatabase: TestDatabase;
let way: CuttableDatabase;
let database: Database;
const registry = new Registry();
const metrics = new DatabaseMetrics(registry);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  way = await CuttableDatabase.inFrontOf(testDatabase.url);
  database = await connectMeasured({ url: way.url, poolSize: 2, applicationName: 'test' }, metrics);
}, 60_000);
afterAll(async () => {
  await database.close();
  await way.remove();
  await testDatabase.drop();
});

const scrape = () => registry.metrics();

it('the clock of the database is compared with ours, which here are one', async () => {
  await until(async () => figureIn(await scrape(), 'entrega_clock_offset_seconds') !== undefined);
  expect(Math.abs(figureIn(await scrape(), 'entrega_clock_offset_seconds')!)).toBeLessThan(0.5);
});

it('the wait for a connection is not taken for an offset of the clocks', async () => {
  const ofStarved = new Registry();
  const pool = { total: 1, idle: 0, waiting: 1 };
  let looks = 0;
  const now = async () => {
    if (looks++ === 0) await new Promise((resolve) => setTimeout(resolve, 1_200));
    return new Date();
  };
  new DatabaseMetrics(ofStarved).watch({ pool: () => pool, now });
  const figures: (number | undefined)[] = [];
  await until(async () => {
    figures.push(figureIn(await ofStarved.metrics(), 'entrega_clock_offset_seconds'));
    return looks > 1 && figures.at(-1) !== undefined;
  });
  for (const figure of figures) expect(Math.abs(figure ?? 0)).toBeLessThan(0.5);
});

it('connections in use, idle and waited for are told', async () => {
  const held = await Promise.all([1, 2].map(() => database.pool.connect()));
  const waiting = database.query({ name: 'waits', text: 'SELECT 1' }, []);
  const text = await scrape();
  for (const client of held) client.release();
  await waiting;
  expect(figureIn(text, 'entrega_db_pool_connections', { state: 'busy' })).toBe(2);
  expect(figureIn(text, 'entrega_db_pool_connections', { state: 'idle' })).toBe(0);
  expect(figureIn(text, 'entrega_db_pool_waiting_requests')).toBeGreaterThanOrEqual(1);
});

it('statements are told by name, without the days that they are prepared for, and failed ones too', async () => {
  const run = (name: string, text = 'SELECT 1') => database.query({ name, text }, []);
  await run('read-x-20260101-20260102');
  await run('read-x-20260103-20260103');
  await run('', 'SELECT 2');
  await database.transaction((connection) => connection.query({ name: 'within', text: 'SELECT 1' }, []));
  await expect(run('fails', 'SELECT nothing')).rejects.toThrow();
  const counts = samplesIn(await scrape())
    .filter(({ name }) => name === 'entrega_db_statement_duration_seconds_count')
    .map(({ labels, value }) => [labels['statement'], value] as const);
  expect(Object.fromEntries(counts)).toMatchObject({ 'read-x': 2, planned: 1, within: 1, fails: 1 });
});

it('a database that is away keeps nobody from scraping, and what it would say is left out', async () => {
  await way.cut();
  await until(async () => {
    const startedAt = performance.now();
    const text = await scrape();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    return figureIn(text, 'entrega_clock_offset_seconds') === undefined;
  });
  await way.mend();
  await until(async () => figureIn(await scrape(), 'entrega_clock_offset_seconds') !== undefined);
});
