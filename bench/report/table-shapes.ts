import type { Figures } from '../measure/statistics.js';
import type { RowKind } from '../scenarios/scenario.js';
import { figureAt } from './figure-at.js';

export interface Column {
  readonly heading: string;
  readonly cell: (figures: Figures) => string;
}

export interface TableShape {
  readonly title: string;
  readonly columns: readonly Column[];
}

/** Of the CPU time by process, what the product does itself: whichever of its roles runs. */
const OURS = ['standalone', 'ingest', 'worker', 'admin', 'sender'];

/** How the report shows the rows of each kind. */
export const TABLE_SHAPES: Readonly<Record<RowKind, TableShape>> = {
  'full-load': {
    title: 'At full load',
    columns: [
      { heading: 'deliveries/s', cell: number('deliveriesPerSecond', 0) },
      { heading: 'of ceiling', cell: percent('shareOfCeiling') },
      { heading: 'CPU-s/1,000', cell: number('cpuPer1000.total', 3) },
      ...cpuColumns('cpuPer1000'),
      { heading: 'loader', cell: number('cpuPer1000.loader', 3) },
      { heading: 'receiver', cell: number('cpuPer1000.receiver', 3) },
      { heading: 'memory MiB', cell: memory },
      { heading: 'other work', cell: cores('cores.others') },
    ],
  },
  rate: {
    title: 'At a fixed rate, in milliseconds: p50 / p95 / p99',
    columns: [
      { heading: 'publish to receipt', cell: percentiles('publishToReceiptMs') },
      { heading: '202 to receipt', cell: percentiles('answerToReceiptMs') },
      { heading: 'publish to 202', cell: percentiles('publishToAnswerMs') },
      { heading: 'loader late', cell: percentiles('loaderLateMs') },
      { heading: 'CPU-s/1,000', cell: number('cpuPer1000.total', 3) },
      ...cpuColumns('cpuPer1000'),
      { heading: 'other work', cell: cores('cores.others') },
    ],
  },
  sweep: {
    title: 'What comes by the sweep, against what goes out at once, turn by turn',
    columns: [
      { heading: 'cost per attempt', cell: ratio('costRatio') },
      { heading: 'deliveries/s', cell: number('swept.deliveriesPerSecond', 0) },
      { heading: 'CPU-s/1,000', cell: number('swept.cpuPer1000.total', 3) },
      ...cpuColumns('swept.cpuPer1000'),
      { heading: 'at once/s', cell: number('direct.deliveriesPerSecond', 0) },
      { heading: 'at once CPU-s/1,000', cell: number('direct.cpuPer1000.total', 3) },
      { heading: 'other work', cell: cores('swept.cores.others') },
    ],
  },
  isolation: {
    title: 'Healthy endpoints without and with a disturbance beside them, turn by turn',
    columns: [
      { heading: 'p99', cell: ratio('latencyRatio') },
      { heading: 'calm p50 / p95 / p99 ms', cell: percentiles('calm.toReceiptMs') },
      { heading: 'disturbed', cell: percentiles('disturbed.toReceiptMs') },
      { heading: 'pace', cell: ratio('paceRatio') },
      { heading: 'calm/s', cell: number('calmPerSecond', 0) },
      { heading: 'disturbed/s', cell: number('disturbedPerSecond', 0) },
      { heading: 'connections/1,000', cell: number('disturbed.connectionsPer1000', 1) },
      { heading: 'descriptors', cell: number('mostDescriptors', 0) },
      { heading: 'other work', cell: cores('disturbed.otherCores') },
    ],
  },
  drain: {
    title: 'A backlog that drains, against deliveries that go out at once to the same endpoints',
    columns: [
      { heading: 'pace', cell: ratio('paceRatio') },
      { heading: 'at once/s', cell: number('direct.deliveriesPerSecond', 0) },
      { heading: 'drains/s', cell: number('drainedPerSecond', 0) },
      { heading: 'at once CPU-s/1,000', cell: number('direct.cpuPer1000.total', 3) },
      { heading: 'drains CPU-s/1,000', cell: number('drainCpuPer1000', 3) },
    ],
  },
  lateness: {
    title: 'Retries of others while one endpoint has a million waiting: how late they start, in ms',
    columns: [
      { heading: 'retries', cell: number('retries', 0) },
      { heading: 'p50 / p95 / p99', cell: percentiles('lateMs') },
      { heading: 'latest', cell: number('lateMs.max', 0) },
      { heading: 'the million drains/s', cell: number('drainedPerSecond', 0) },
    ],
  },
  lists: {
    title: 'Pages of lists, each the median of its reads; the result has them one by one',
    columns: [
      { heading: 'lists', cell: number('lists', 0) },
      { heading: 'median ms', cell: number('medianMs', 1) },
      { heading: 'slowest ms', cell: number('slowestMs', 1) },
    ],
  },
  'dropped-day': {
    title: 'A day past retention, dropped while 100 events a second are published',
    columns: [
      { heading: 'deliveries, s', cell: number('deliveriesSeconds', 2) },
      { heading: 'slowest publish, ms', cell: number('deliveriesSlowestPublishMs', 0) },
      { heading: 'events and keys, s', cell: number('eventsAndKeysSeconds', 2) },
      { heading: 'slowest publish meanwhile, ms', cell: number('eventsAndKeysSlowestPublishMs', 0) },
    ],
  },
  backlog: {
    title: 'Most memory of the process with a backlog, in MiB',
    columns: [
      { heading: 'waiting', cell: number('waiting', 0) },
      { heading: 'without', cell: number('before', 0) },
      { heading: 'for 1 endpoint', cell: number('oneEndpoint', 0) },
      { heading: 'for 5,000', cell: number('manyEndpoints', 0) },
    ],
  },
};

function cpuColumns(path: string): Column[] {
  return [
    { heading: 'ours', cell: (figures) => format(oursOf(figures, path), 3) },
    { heading: 'PostgreSQL', cell: number(`${path}.postgresql`, 3) },
    { heading: 'Kafka', cell: number(`${path}.kafka`, 3) },
  ];
}

/** The sum over the product's own processes; undefined where none of them runs. */
export function oursOf(figures: Figures, path: string): number | undefined {
  const found = OURS.flatMap((name) => figureAt(figures, `${path}.${name}`) ?? []);
  return found.length === 0 ? undefined : found.reduce((sum, one) => sum + one, 0);
}

function number(path: string, decimals: number) {
  return (figures: Figures) => format(figureAt(figures, path), decimals);
}

function percent(path: string) {
  return (figures: Figures) => {
    const share = figureAt(figures, path);
    return share === undefined ? '' : `${Math.round(share * 100)} %`;
  };
}

function ratio(path: string) {
  return (figures: Figures) => `${format(figureAt(figures, path), 2)} x`;
}

function cores(path: string) {
  return (figures: Figures) => `${format(figureAt(figures, path), 2)} cores`;
}

function percentiles(path: string) {
  return (figures: Figures) =>
    ['p50', 'p95', 'p99'].map((name) => format(figureAt(figures, `${path}.${name}`), 1)).join(' / ');
}

function memory({ memoryMiB }: Figures): string {
  if (memoryMiB === undefined || typeof memoryMiB === 'number') return '';
  return Object.entries(memoryMiB)
    .map(([name, mebibytes]) => `${name} ${format(mebibytes as number, 0)}`)
    .join(', ');
}

/** With thousands set apart; empty where there is no figure. */
export function format(value: number | undefined, decimals: number): string {
  if (value === undefined) return '';
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
