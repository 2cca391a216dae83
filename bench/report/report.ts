import type { Row, RowKind } from '../scenarios/scenario.js';
import type { BenchResult } from './bench-result.js';
import { checkBottleneck } from './bottleneck.js';
import { figureAt } from './figure-at.js';
import { format, TABLE_SHAPES } from './table-shapes.js';
import { textTable } from './text-table.js';

/** Everything a person wants to read of a result. */
export function reportOf(result: BenchResult): string {
  const { machine, profile, rows, verdicts, failures } = result;
  const kinds = Object.keys(TABLE_SHAPES) as RowKind[];
  return [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB; ${machine.kernel}; Node ${machine.node}, PostgreSQL ${machine.postgresql}.`,
    `Each figure is the median of ${profile.rounds} rounds. CPU time in seconds per 1,000 deliveries; "other work" is what else the machine did.`,
    ...kinds.flatMap((kind) => tableOf(result, kind)),
    ...(rows.length > 0 ? [checkBottleneck(rows).says.join(' ')] : []),
    otherWork(rows),
    ...(verdicts.length > 0 ? [verdictLines(result)] : []),
    repetitions(rows),
    ...failures.map(({ scenario, message }) => `FAILED ${scenario}: ${message}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** In cores; what the system itself does takes less. */
const NOTICEABLE_OTHER_WORK = 0.2;

function otherWork(rows: readonly Row[]): string {
  const most = Math.max(0, ...rows.map(({ median }) => figureAt(median, 'cores.others') ?? 0));
  if (most <= NOTICEABLE_OTHER_WORK) return '';
  return (
    `Other work took up to ${format(most, 2)} cores meanwhile: rates and latencies are worse than this machine gives, ` +
    'and CPU time is somewhat higher.'
  );
}

/** Over all rounds, for a median would hide them. */
function repetitions(rows: readonly Row[]): string {
  const repeated = rows
    .flatMap(({ rounds }) => rounds)
    .flatMap((round) =>
      ['repeated', 'direct.repeated', 'swept.repeated'].map((path) => figureAt(round, path) ?? 0),
    )
    .reduce((sum, one) => sum + one, 0);
  return repeated === 0 ? '' : `${repeated} DELIVERIES CAME MORE THAN ONCE.`;
}

/** Columns that no row fills are left out. */
function tableOf({ rows }: BenchResult, kind: RowKind): string[] {
  const own = rows.filter((row) => row.kind === kind);
  if (own.length === 0) return [];
  const { title, columns } = TABLE_SHAPES[kind];
  const filled = columns.filter(({ cell }) => own.some(({ median }) => cell(median) !== ''));
  const lines = own.map((row) => [row.title, ...filled.map(({ cell }) => cell(row.median))]);
  return [`${title}\n${textTable([['', ...filled.map(({ heading }) => heading)], ...lines])}`];
}

function verdictLines({ verdicts }: BenchResult): string {
  const lines = verdicts.map(({ met, measured, limit, says }) => {
    const [word, bound] = 'atMost' in limit ? ['at most', limit.atMost] : ['at least', limit.atLeast];
    return [says, format(measured, decimalsOf(bound)), `${word} ${bound}`, met ? 'met' : 'MISSED'];
  });
  return textTable(lines);
}

function decimalsOf(bound: number): number {
  return bound >= 100 ? 0 : 2;
}
