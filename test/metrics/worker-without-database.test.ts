import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CONTRACTS } from '#contracts/registry.js';
import { connectMeasured } from '#http/metrics/measured-database.js';
import { workerMetrics } from '#observability/metrics/role-metrics.js';
import type { Database } from '#storage/database.js';
import { Registry } from 'prom-client';
import { CuttableDatabase } from '../support/cuttable-database.js';
import { figureIn } from '../support/metrics-text.js';
import { Platform } from '../support/platform.js';
import { until } from '../support/until.js';

let platform: Platform;
let way: CuttableDatabase;
let database: Database;
const registry = new Registry();
const metrics = workerMetrics({ registry, contracts: CONTRACTS, retentionDays: 30 });

beforeAll(async () => {
  platform = await Platform.create();
  way = await CuttableDatabase.inFrontOf(platform.testDatabase.url);
  database = await connectMeasured({ url: way.url, poolSize: 4, applicationName: 'test' }, metrics.database);
  platform.worker = platform.newWorker({ database, metrics });
  await platform.startWorker();
}, 60_000);
afterAll(async () => {
  await platform.stopWorker();
  await database.close();
  await way.remove();
  await platform.destroy();
});

const lastSuccess = async (loop: string) =>
  figureIn(await registry.metrics(), 'entrega_loop_last_success_timestamp_seconds', { loop })!;

it('a worker whose database is away answers at once, and tells of loops that fail and stand still', async () => {
  const started = await lastSuccess('sweep');
  await until(async () => (await lastSuccess('sweep')) > started);
  await way.cut();
  const failures = async (loop: string) =>
    figureIn(await registry.metrics(), 'entrega_loop_failures_total', { loop })!;
  await until(async () => (await failures('sweep')) > 0 && (await failures('outbox')) > 0);
  const stood = await lastSuccess('sweep');
  const seen = await failures('sweep');
  await until(async () => (await failures('sweep')) > seen);
  expect(await lastSuccess('sweep')).toBe(stood);
  const scrapedAt = performance.now();
  const text = await registry.metrics();
  expect(performance.now() - scrapedAt).toBeLessThan(500);
  expect(figureIn(text, 'entrega_attempt_slots')).toBe(64);
  // Nobody waits for a result, so this loop lags behind nothing.
  expect(Date.now() / 1_000 - (await lastSuccess('results'))).toBeLessThan(5);
  await way.mend();
  await until(async () => (await lastSuccess('sweep')) > stood, { timeoutMs: 15_000 });
});
