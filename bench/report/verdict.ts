import { DISTURBANCES } from '../isolation/disturbances.js';
import type { Row } from '../scenarios/scenario.js';
import { figureAt } from './figure-at.js';

/** What we want to reach: one figure of one row. */
export interface Bar {
  readonly row: string;
  readonly figure: string;
  readonly limit: { readonly atMost: number } | { readonly atLeast: number };
  readonly says: string;
}

export interface Verdict extends Bar {
  readonly measured: number;
  readonly met: boolean;
}

/** On two cores that loader and receiver share. */
export const BARS: readonly Bar[] = [
  atLeast('standalone/0.4KB/1', 'deliveriesPerSecond', 3_000, 'deliveries/s, standalone'),
  atMost('standalone/0.4KB/1', 'cpuPer1000.total', 0.45, 'CPU-s per 1,000, standalone at full load'),
  atMost('standalone/rate/100', 'cpuPer1000.total', 2.0, 'CPU-s per 1,000, standalone at 100/s'),
  atMost('standalone/rate/100', 'publishToReceiptMs.p50', 3, 'ms from publish to receipt at 100/s, p50'),
  atMost('standalone/rate/100', 'publishToReceiptMs.p99', 8, 'ms from publish to receipt at 100/s, p99'),
  atMost('kafka/0.4KB/1', 'cpuPer1000.total', 0.8, 'CPU-s per 1,000, roles over Kafka, Kafka included'),
  atMost('sweep/delayed/1', 'costRatio', 1.3, 'times the cost of a direct one, delayed, 1 endpoint'),
  atMost('sweep/delayed/100', 'costRatio', 1.3, 'times the cost of a direct one, delayed, 100 endpoints'),
  atMost(
    'sweep/retried/1',
    'costRatio',
    1.3,
    'times the cost of a direct one, an attempt of a retried delivery',
  ),
  ...DISTURBANCES.flatMap(({ id, title }) => [
    atMost(id, 'latencyRatio', 2, `times the calm p99 of the healthy, ${title}`),
    atLeast(id, 'paceRatio', 0.9, `times the calm pace of the healthy, ${title}`),
  ]),
  atLeast('backlog/200k/1', 'paceRatio', 0.8, 'times the pace at once, 200,000 for 1 endpoint drain'),
  atLeast('backlog/200k/1000', 'paceRatio', 0.8, 'times the pace at once, 200,000 for 1,000 endpoints drain'),
  atMost('backlog/1M/retries', 'lateMs.max', 2_000, 'ms that a retry is late beside a million for another'),
];

/** Of the bars whose rows were played. A missed one is said, not hidden, and is no failure of the bench. */
export function judge(rows: readonly Row[], bars: readonly Bar[] = BARS): Verdict[] {
  return bars.flatMap((bar) => {
    const row = rows.find(({ id }) => id === bar.row);
    const measured = row && figureAt(row.median, bar.figure);
    if (measured === undefined) return [];
    const met = 'atMost' in bar.limit ? measured <= bar.limit.atMost : measured >= bar.limit.atLeast;
    return [{ ...bar, measured, met }];
  });
}

function atMost(row: string, figure: string, limit: number, says: string): Bar {
  return { row, figure, limit: { atMost: limit }, says };
}

function atLeast(row: string, figure: string, limit: number, says: string): Bar {
  return { row, figure, limit: { atLeast: limit }, says };
}
