import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sample, samplesIn } from './metrics-text.js';
import { whereInstalled } from './where-installed.js';

const RULES = fileURLToPath(new URL('../../ops/prometheus/alerts.yml', import.meta.url));
const WATCHDOG = 'EntregaWatchdog';
const RULES_TEXT = readFileSync(RULES, 'utf8');
const LOOP_FAILURES = 'entrega_loop_failures_total';
const GROUPS = '[entrega-figures, entrega-page, entrega-ticket, entrega-watchdog]';
const EVERY_SECONDS = 15;

/** What every process said of itself at one moment; null of one that did not answer. */
export interface Scrape {
  readonly atSeconds: number;
  readonly of: Readonly<Record<string, ReadonlyMap<string, Sample> | null>>;
}

/** A stretch of time in which every figure went evenly from what one scrape found to what another did. */
export interface Phase {
  readonly minutes: number;
  readonly from: Scrape;
  readonly to: Scrape;
}

/** `it` of tests that ask which alerts fire. */
export const { it: itWithPromtool } = whereInstalled('promtool', 'prometheus');

/** Whether a rule asks for it; the others would only make promtool slow. */
function isAsked({ name, value }: Sample): boolean {
  return Number.isFinite(value) && (RULES_TEXT.includes(name) || name === LOOP_FAILURES);
}

/** @param targets where each instance answers: its origin */
export async function scrape(targets: Readonly<Record<string, string>>): Promise<Scrape> {
  const texts = Object.entries(targets).map(async ([instance, origin]) => {
    const text = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.text(),
      () => null,
    );
    const samples = text === null ? null : samplesIn(text).filter(isAsked);
    return [instance, samples && new Map(samples.map((sample) => [seriesOf(sample, instance), sample]))];
  });
  return { of: Object.fromEntries(await Promise.all(texts)) as Scrape['of'], atSeconds: Date.now() / 1_000 };
}

/**
 * Which alerts of ops/prometheus fire at the end of each phase, by name, the watchdog left out. Prometheus's own promtool
 * decides, over the phases one after the other: what took seconds in a test has taken the minutes that alerts wait for.
 */
export async function alertsAfter(phases: readonly Phase[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'entrega-alerts-'));
  try {
    await copyFile(RULES, join(folder, 'alerts.yml'));
    await writeFile(join(folder, 'alerts.test.yml'), testOf(phases));
    // The watchdog always fires and never is expected: the run fails, and says what fires.
    const { stdout, stderr, error } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (error) throw error;
    const said = (stdout + stderr).split(/^ *expr: /m).slice(1);
    if (said.length !== phases.length) throw new Error(`promtool said: ${stdout}${stderr}`);
    return said.map((part) =>
      [...part.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!).filter((name) => name !== WATCHDOG),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function testOf(phases: readonly Phase[]): string {
  const ends: number[] = [];
  for (const { minutes } of phases) ends.push((ends.at(-1) ?? 0) + minutes * 60);
  const series = allSeries(phases).flatMap(([instance, id]) => {
    const values = phases.map((phase, index) =>
      valuesIn(phase, instance, id, index === 0 ? 0 : ends[index - 1]!),
    );
    return [`  - series: '${id}'`, `    values: '${values.join(' ')}'`];
  });
  const up = instancesIn(phases).flatMap((instance) => [
    `  - series: 'up{instance="${instance}",job="entrega"}'`,
    `    values: '${phases.map((phase) => evenly(phase, ...upIn(phase, instance))).join(' ')}'`,
  ]);
  const queries = ends.flatMap((end) => [
    `  - expr: count by (alertname) (ALERTS{alertstate="firing"})`,
    `    eval_time: ${end - EVERY_SECONDS}s`,
    '    exp_samples: []',
  ]);
  return [
    'rule_files: [alerts.yml]',
    'evaluation_interval: 1m',
    `group_eval_order: ${GROUPS}`,
    'tests:',
    `- interval: ${EVERY_SECONDS}s`,
    '  input_series:',
    ...series,
    ...up,
    '  promql_expr_test:',
    ...queries,
    '',
  ].join('\n');
}

function instancesIn(phases: readonly Phase[]): string[] {
  return [...new Set(phases.flatMap(({ from, to }) => [...Object.keys(from.of), ...Object.keys(to.of)]))];
}

function allSeries(phases: readonly Phase[]): [instance: string, id: string][] {
  return instancesIn(phases).flatMap((instance) => {
    const ids = phases.flatMap(({ from, to }) =>
      [from, to].flatMap((of) => [...(of.of[instance]?.keys() ?? [])]),
    );
    return [...new Set(ids)].map((id): [string, string] => [instance, id]);
  });
}

function seriesOf({ name, labels }: Sample, instance: string): string {
  const pairs = Object.entries({ ...labels, instance, job: 'entrega' });
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}

function upIn({ from, to }: Phase, instance: string): [number, number] {
  const up = from.of[instance] && to.of[instance] ? 1 : 0;
  return [up, up];
}

/** @param beginsAt seconds on promtool's clock */
function valuesIn(phase: Phase, instance: string, id: string, beginsAt: number): string {
  const [from, to] = [phase.from.of[instance]?.get(id), phase.to.of[instance]?.get(id)];
  if (!from || !to) return `_x${samplesOf(phase)}`;
  if (!/_timestamp_seconds$|^process_start_time_seconds$/.test(from.name))
    return evenly(phase, from.value, to.value);
  const first = beginsAt + from.value - phase.from.atSeconds;
  if (standsStill(phase, instance, from, to)) return evenly(phase, first, first);
  return evenly(phase, first, beginsAt + phase.minutes * 60 + to.value - phase.to.atSeconds);
}

/**
 * A process has begun when it had. The last success of a loop is what it was if rounds after it failed; where there was
 * no round at all, because the test was so quick, it comes along with the time.
 */
function standsStill({ from, to }: Phase, instance: string, before: Sample, after: Sample): boolean {
  if (before.name === 'process_start_time_seconds') return true;
  const loop =
    before.name === 'entrega_stats_last_success_timestamp_seconds' ? 'stats' : before.labels['loop'];
  if (loop === undefined || before.value !== after.value) return false;
  const id = seriesOf({ name: LOOP_FAILURES, labels: { loop }, value: 0 }, instance);
  const [earlier, later] = [from, to].map((of) => of.of[instance]?.get(id)?.value);
  return later! > earlier!;
}

function samplesOf({ minutes }: Phase): number {
  return (minutes * 60) / EVERY_SECONDS;
}

/** From the one towards the other, which the next phase begins with. */
function evenly(phase: Phase, from: number, to: number): string {
  const count = samplesOf(phase);
  const step = rounded((to - from) / count);
  return `${rounded(from)}${step < 0 ? '-' : '+'}${Math.abs(step)}x${count - 1}`;
}

/** Without the exponent that promtool does not read. */
function rounded(value: number): number {
  return Number(value.toFixed(6));
}
