import type { Figures } from '../measure/statistics.js';
import type { BenchResult } from './bench-result.js';
import { figureAt } from './figure-at.js';
import { format, oursOf } from './table-shapes.js';
import { markdownTable } from './text-table.js';

/** The lines of README.md between which the figures stand. */
export const BEGIN = '<!-- generated: bench -->';
export const END = '<!-- /generated -->';

const LINES = [
  { title: 'the ceiling: undici POST and HMAC alone', scenario: 'ceiling' },
  { title: '`npm start`, one process', scenario: 'standalone' },
  { title: 'ingest, worker and admin over Kafka', scenario: 'kafka' },
];

/** The text of a README with the figures of the result in it. */
export function withFigures(readme: string, result: BenchResult): string {
  const start = readme.indexOf(BEGIN);
  const end = readme.indexOf(END, start);
  if (start === -1 || end === -1) throw new Error(`README.md needs the lines ${BEGIN} and ${END}.`);
  return `${readme.slice(0, start)}${BEGIN}\n\n${figures(result)}\n\n${readme.slice(end)}`;
}

function figures(result: BenchResult): string {
  const { machine, profile, startedAt, revision } = result;
  const heading = ['', 'deliveries/s, 1 / 100 endpoints', 'CPU-seconds per 1,000', 'p50 / p99 at 100/s'];
  const lines = LINES.map(({ title, scenario }) => {
    const median = (row: string) => result.rows.find(({ id }) => id === `${scenario}/${row}`)?.median ?? {};
    const perSecond = ['0.4KB/1', '0.4KB/100'].map((row) =>
      format(figureAt(median(row), 'deliveriesPerSecond'), 0),
    );
    return [title, perSecond.join(' / '), cpuOf(median('0.4KB/1')), latencyOf(median('rate/100'))];
  });
  const measuredAt = revision.commit === null ? '' : ` at ${revision.commit.slice(0, 7)}`;
  return [
    `${machine.cpu}, ${machine.cores} cores that loader and receiver share, ${machine.memoryGiB} GiB; bodies of`,
    `0.4 KB; medians of ${profile.rounds} rounds; ${startedAt.slice(0, 10)}${measuredAt}. CPU time counts everything that runs; latency`,
    'is from publish to receipt.',
    '',
    markdownTable([heading, ...lines]),
  ].join('\n');
}

/** `0.20 + 0.18 = 0.38`: ours, PostgreSQL and Kafka. */
function cpuOf(median: Figures): string {
  const parts = [
    oursOf(median, 'cpuPer1000'),
    figureAt(median, 'cpuPer1000.postgresql'),
    figureAt(median, 'cpuPer1000.kafka'),
  ].filter((part) => part !== undefined);
  const total = format(figureAt(median, 'cpuPer1000.total'), 2);
  return parts.length < 2 ? total : `${parts.map((part) => format(part, 2)).join(' + ')} = ${total}`;
}

function latencyOf(median: Figures): string {
  const [p50, p99] = ['p50', 'p99'].map((name) => figureAt(median, `publishToReceiptMs.${name}`));
  return p50 === undefined ? '' : `${format(p50, 1)} / ${format(p99, 1)} ms`;
}
