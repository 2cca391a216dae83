import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { whereInstalled } from '../support/where-installed.js';
import { alertCases, alerts, read } from './rule-files.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ALERTS = alerts();

/** Runs at the root of the repository, and gives all that it said. */
function run(tool: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

whereInstalled('promtool', 'prometheus').describe('Prometheus', () => {
  it('accepts its configuration and the rules', () => {
    expect(run('promtool', 'check', 'config', 'ops/prometheus/prometheus.yml')).toMatchObject({
      status: 0,
    });
    const rules = run(
      'promtool',
      'check',
      'rules',
      '--lint=all',
      '--lint-fatal',
      'ops/prometheus/alerts.yml',
    );
    expect(rules).toMatchObject({ status: 0 });
  });

  it('fires each alert when it must, and is silent while all is well (lessons: H, S metrics; C#2802)', () => {
    const tested = run('promtool', 'test', 'rules', 'ops/prometheus/alerts.test.yml');
    expect(tested).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') });
  }, 60_000);
});

whereInstalled('amtool', 'prometheus-alertmanager').describe('Alertmanager', () => {
  it('accepts its configuration', () => {
    expect(run('amtool', 'check-config', 'ops/alertmanager/alertmanager.yml')).toMatchObject({ status: 0 });
  });

  it.each(['page', 'ticket', 'watchdog'])('sends a %s to the receiver of this name', (severity) => {
    const config = '--config.file=ops/alertmanager/alertmanager.yml';
    const labels = [`severity=${severity}`, `--verify.receivers=${severity}`];
    expect(run('amtool', 'config', 'routes', 'test', config, ...labels)).toMatchObject({ status: 0 });
  });
});

describe('the alerts', () => {
  it.each(ALERTS)(
    '$name has a case in which it fires, and one in which it does not',
    ({ name, severity }) => {
      const cases = alertCases().filter((one) => one.name === name);
      expect(cases.some(({ fires }) => fires)).toBe(true);
      // The watchdog never is silent.
      expect(cases.some(({ fires }) => !fires)).toBe(severity !== 'watchdog');
    },
  );

  it('have a severity that somebody is told by', () => {
    expect(ALERTS.length).toBeGreaterThan(30);
    const others = ALERTS.filter(({ severity }) => !['page', 'ticket', 'watchdog'].includes(severity));
    expect(others).toEqual([]);
  });

  it('that are inhibited are alerts, and no page is silenced by a ticket', () => {
    const severities = new Map(ALERTS.map(({ name, severity }) => [name, severity]));
    const inhibitions = [
      ...read('ops/alertmanager/alertmanager.yml').matchAll(
        /source_matchers: \[alertname="(\w+)"\]\n\s+target_matchers:[^"]+"([\w|]+)"/g,
      ),
    ].map(([, source, targets]) => ({ source: source!, targets: targets!.split('|') }));
    expect(inhibitions.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['EntregaNoWorker', 'EntregaBacklogUnknown']),
    );
    for (const { source, targets } of inhibitions) {
      for (const target of targets) {
        expect([source, target, severities.has(source), severities.has(target)]).toEqual([
          source,
          target,
          true,
          true,
        ]);
        if (severities.get(target) === 'page') expect(severities.get(source)).toBe('page');
      }
    }
  });
});
