import { describe, expect, it } from '@jest/globals';
import { createProcessRegistry } from '#observability/metrics/process-metrics.js';
import { DASHBOARDS } from '../../scripts/dashboards/dashboards.js';
import { roleRegistries } from '../metrics/role-registries.js';
import { samplesIn } from '../support/metrics-text.js';
import { type Selector, selectorsIn } from './promql.js';
import { read, recordedNames, ruleExpressions } from './rule-files.js';

/** What Prometheus adds of its own. */
const OF_PROMETHEUS = ['up', 'ALERTS', 'ALERTS_FOR_STATE'];
/** What a scrape adds to every series. */
const OF_THE_SCRAPE = ['instance', 'job'];

const EXPRESSIONS = [
  ...ruleExpressions(),
  ...DASHBOARDS.flatMap(({ name, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) =>
        queries.map(({ expr }, index) => [`${name}: ${title} (${index + 1})`, expr] as const),
      ),
    ),
  ),
];

const documented = new Set(
  [...read('docs/reference/metrics.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!),
);
const ofNode = createProcessRegistry({ role: 'worker', version: '0', revision: '0' })
  .getMetricsAsArray()
  .map(({ name }) => name);
const known = new Set([...documented, ...ofNode, ...recordedNames(), ...OF_PROMETHEUS]);
const exported = (
  await Promise.all(Object.values(roleRegistries()).map((registry) => registry.metrics()))
).flatMap(samplesIn);

function isKnown({ metric }: Selector): boolean {
  return known.has(metric) || known.has(metric.replace(/_(bucket|count|sum)$/, ''));
}

describe('what alerts and dashboards ask for', () => {
  it('is taken apart to the last series', () => {
    const selectors = selectorsIn(
      'sum by (le, a) (rate(x_bucket{a="}",b=~"c|d\\\\."}[5m])) / on () y:z or vector(1)',
    );
    expect(selectors.map(({ metric }) => metric)).toEqual(['x_bucket', 'y:z']);
    expect(selectors[0]!.matchers.map(({ label, matches }) => [label, matches('}'), matches('d.')])).toEqual([
      ['a', true, false],
      ['b', false, true],
    ]);
    expect(documented.size).toBeGreaterThan(40);
  });

  it.each(EXPRESSIONS)('%s: metrics that exist', (_, expr) => {
    const selectors = selectorsIn(expr);
    expect(selectors.filter((selector) => !isKnown(selector))).toEqual([]);
    if (expr !== 'vector(1)') expect(selectors).not.toEqual([]);
  });

  it.each(EXPRESSIONS)('%s: labels and values that are exported', (_, expr) => {
    const unmatched = selectorsIn(expr).filter(({ metric, matchers }) => {
      const samples = exported.filter(({ name }) => name === metric);
      const own = matchers.filter(({ label }) => !OF_THE_SCRAPE.includes(label));
      const isMatched = samples.some(({ labels }) =>
        own.every(({ label, matches }) => label in labels && matches(labels[label]!)),
      );
      return samples.length > 0 && !isMatched;
    });
    expect(unmatched).toEqual([]);
  });
});
