import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DASHBOARDS } from '../../scripts/dashboards/dashboards.js';
import { freePort } from '../support/free-port.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { whereInstalled } from '../support/where-installed.js';
import { alerts, recordedNames } from './rule-files.js';

const patience = { timeoutMs: 15_000, intervalMs: 100 };

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly name: string;
      readonly health: string;
      readonly lastEvaluation: string;
      readonly state?: string;
      readonly lastError?: string;
    }[];
  }[];
}

interface Targets {
  readonly activeTargets: readonly { readonly labels: { readonly job: string }; readonly health: string }[];
}

whereInstalled('prometheus').describe('a Prometheus of ours', () => {
  let testDatabase: TestDatabase;
  let folder: string;
  let running: StandaloneProcess;
  let prometheus: ChildProcess;
  let url: string;

  async function ask<Data>(path: string): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }

  async function query(expr: string): Promise<number | undefined> {
    const { result } = await ask<{ result: { value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    );
    return result[0] && Number(result[0].value[1]);
  }

  /** The configuration as it is, but for where the process is, and more often. */
  async function configure(target: string): Promise<void> {
    await cp(fileURLToPath(new URL('../../ops/prometheus', import.meta.url)), folder, { recursive: true });
    const file = join(folder, 'prometheus.yml');
    const config = await readFile(file, 'utf8');
    await writeFile(
      file,
      config.replaceAll('_interval: 15s', '_interval: 1s').replace('localhost:9090', new URL(url).host),
    );
    await writeFile(join(folder, 'targets', 'compose.yml'), `- targets: ['${target}']\n`);
  }

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'entrega-prometheus-'));
    running = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir: join(folder, 'data') });
    url = `http://127.0.0.1:${await freePort()}`;
    await configure(new URL(running.url).host);
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=${new URL(url).host}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }, 60_000);
  afterAll(async () => {
    if (prometheus.exitCode === null) {
      prometheus.kill('SIGKILL');
      await new Promise((resolve) => prometheus.once('close', resolve));
    }
    await running.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
    await testDatabase.drop();
  }, 30_000);

  it('scrapes the process, evaluates every rule on what it finds, and fires the watchdog alone', async () => {
    await until(async () => {
      const { activeTargets } = await ask<Targets>('targets?state=active');
      return activeTargets.some(({ labels, health }) => labels.job === 'entrega' && health === 'up');
    }, patience);
    // Rules that find nothing cannot stumble over it.
    const upAt = Date.now();
    const rules = await until(async () => {
      const found = (await ask<Rules>('rules')).groups.flatMap((group) => group.rules);
      return found.every(({ lastEvaluation }) => Date.parse(lastEvaluation) > upAt) && found;
    }, patience);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.map(({ name }) => name).sort()).toEqual(
      [...alerts().map(({ name }) => name), ...recordedNames()].sort(),
    );
    expect(rules.filter(({ state }) => state === 'firing').map(({ name }) => name)).toEqual([
      'EntregaWatchdog',
    ]);
    expect(await query('entrega_build_info{job="entrega",role="standalone"}')).toBe(1);
  }, 60_000);

  it('sees an event that is published', async () => {
    await running.call('PUT', '/v1/applications/acme', { name: 'Acme', contract: 'tf-fiscal' });
    const event = {
      application: 'acme',
      type: 'cte.event.registered',
      data: { event_code: '110180', n_seq: '1', protocolo: '1' },
    };
    expect((await running.call('POST', '/v1/events', { ...event, id: 'seen' })).status).toBe(202);
    const nowhere =
      'sum(entrega_events_without_target_total{contract="tf-fiscal",type="cte.event.registered"})';
    expect(await until(() => query(nowhere), patience)).toBe(1);
    const alert = 'ALERTS{alertname="EntregaEventsGoNowhere",type="cte.event.registered"}';
    expect(await until(() => query(alert), patience)).toBe(1);
  }, 30_000);

  it.each(DASHBOARDS)('answers what the dashboard $name asks', async ({ rows }) => {
    const expressions = rows.flatMap(({ panels }) =>
      panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)),
    );
    expect(await Promise.all(expressions.map(query))).toHaveLength(expressions.length);
  });
});
