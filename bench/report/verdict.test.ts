import { expect, it } from '@jest/globals';
import type { Figures } from '../measure/statistics.js';
import type { Row, RowKind } from '../scenarios/scenario.js';
import { SCENARIOS } from '../scenarios/scenarios.js';
import { checkBottleneck } from './bottleneck.js';
import { withShareOfCeiling } from './share-of-ceiling.js';
import { type Bar, BARS, judge } from './verdict.js';

function row(id: string, median: Figures, kind: RowKind = 'full-load'): Row {
  return { id, kind, title: id, rounds: [median], median };
}

it('says of each bar whether it was met, at the limit too, and leaves out what was not played', () => {
  const rows = [row('standalone/0.4KB/1', { deliveriesPerSecond: 2_999, cpuPer1000: { total: 0.45 } })];
  expect(judge(rows).map(({ figure, met }) => [figure, met])).toEqual([
    ['deliveriesPerSecond', false],
    ['cpuPer1000.total', true],
  ]);
});

it('has bars of rows that exist only', () => {
  const ids = SCENARIOS.flatMap(({ rows }) => rows);
  expect(BARS.map((bar: Bar) => bar.row).filter((id) => !ids.includes(id))).toEqual([]);
});

it('compares a row with the ceiling of the same bodies and endpoints', () => {
  const rows = withShareOfCeiling([
    row('ceiling/0.4KB/1', { deliveriesPerSecond: 10_000 }),
    row('kafka/0.4KB/1', { deliveriesPerSecond: 2_500 }),
    row('kafka/8KB/1', { deliveriesPerSecond: 1_000 }),
  ]);
  expect(rows.map(({ median }) => median['shareOfCeiling'])).toEqual([undefined, 0.25, undefined]);
});

it('finds a loader, a receiver or a lack of headroom that would be the limit', () => {
  const pipeline = (loader: number, receiver: number) =>
    row('standalone/0.4KB/1', { deliveriesPerSecond: 3_000, cores: { loader, receiver } });
  const bare = (deliveriesPerSecond: number) => row('ceiling/bare', { deliveriesPerSecond });
  expect(checkBottleneck([pipeline(0.2, 0.2), bare(20_000)]).clear).toBe(true);
  expect(checkBottleneck([pipeline(0.9, 0.2), bare(20_000)]).clear).toBe(false);
  expect(checkBottleneck([pipeline(0.2, 0.9), bare(20_000)]).clear).toBe(false);
  expect(checkBottleneck([pipeline(0.2, 0.2), bare(3_500)]).clear).toBe(false);
  expect(checkBottleneck([bare(3_500)]).clear).toBeNull();
});
