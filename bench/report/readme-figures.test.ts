import { expect, it } from '@jest/globals';
import { check } from 'prettier';
import type { Figures } from '../measure/statistics.js';
import { FULL } from '../scenarios/bench-profile.js';
import type { BenchResult } from './bench-result.js';
import { BEGIN, END, withFigures } from './readme-figures.js';

function row(id: string, median: Figures) {
  return { id, kind: 'full-load' as const, title: id, rounds: [median], median };
}

const RESULT: BenchResult = {
  startedAt: '2026-12-01T10:00:00.000Z',
  seconds: 900,
  machine: {
    cpu: 'Some CPU',
    cores: 2,
    memoryGiB: 24,
    kernel: 'linux 6.18',
    node: '24.21.0',
    postgresql: '18.4.0',
    loadBefore: 0,
  },
  revision: { commit: '0123456789abcdef', changed: false },
  profile: FULL,
  rows: [
    row('ceiling/0.4KB/1', { deliveriesPerSecond: 31_234, cpuPer1000: { sender: 0.03, total: 0.03 } }),
    row('ceiling/0.4KB/100', { deliveriesPerSecond: 30_000 }),
    row('standalone/0.4KB/1', {
      deliveriesPerSecond: 3_120.4,
      cpuPer1000: { standalone: 0.2, postgresql: 0.18, loader: 0.04, total: 0.38 },
    }),
    row('standalone/0.4KB/100', { deliveriesPerSecond: 3_300 }),
    row('standalone/rate/100', { publishToReceiptMs: { p50: 2.34, p95: 4, p99: 6.66, max: 9 } }),
    row('kafka/0.4KB/1', {
      deliveriesPerSecond: 1_800,
      cpuPer1000: { ingest: 0.2, worker: 0.25, admin: 0, postgresql: 0.2, kafka: 0.1, total: 0.75 },
    }),
    row('kafka/0.4KB/100', { deliveriesPerSecond: 1_900 }),
  ],
  verdicts: [],
  failures: [],
};

const README = `# x\n\n${BEGIN}\n\nold figures\n\n${END}\n\nafter\n`;

it('puts the figures of a result between its two lines and leaves the rest', () => {
  const lines = withFigures(README, RESULT).split('\n');
  expect(lines.slice(0, 4)).toEqual(['# x', '', BEGIN, '']);
  expect(lines.slice(-5)).toEqual(['', END, '', 'after', '']);
  const cells = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/ *\| */).slice(2, -1));
  expect(cells.slice(2)).toEqual([
    ['31,234 / 30,000', '0.03', ''],
    ['3,120 / 3,300', '0.20 + 0.18 = 0.38', '2.3 / 6.7 ms'],
    ['1,800 / 1,900', '0.45 + 0.20 + 0.10 = 0.75', ''],
  ]);
});

it('changes nothing when it is up to date, and passes the check of the format', async () => {
  const once = withFigures(README, RESULT);
  expect(withFigures(once, RESULT)).toBe(once);
  expect(await check(once, { parser: 'markdown', printWidth: 110 })).toBe(true);
});

it('objects to a README without a place for the figures', () => {
  expect(() => withFigures('# x\n', RESULT)).toThrow('needs the lines');
});
