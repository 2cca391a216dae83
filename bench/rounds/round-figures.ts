import type { CpuUse } from '../measure/cpu-window.js';
import { type Percentiles, percentilesOf } from '../measure/statistics.js';

/** How much was delivered, how fast, and for what CPU time. */
export interface ThroughputFigures {
  readonly deliveries: number;
  /** From the first publish to the last receipt. */
  readonly seconds: number;
  readonly deliveriesPerSecond: number;
  /** CPU-seconds per 1,000 deliveries, by process; `total` is those that count. */
  readonly cpuPer1000: { readonly [process: string]: number; readonly total: number };
  /** Cores in use on average, from before the first publish until the last result was durable. */
  readonly cores: { readonly [process: string]: number; readonly others: number };
  readonly [name: string]: number | { readonly [name: string]: number };
}

export interface RoundFigures extends ThroughputFigures {
  /** Deliveries that came more than once. */
  readonly repeated: number;
  readonly memoryMiB: { readonly [process: string]: number };
  readonly publishToReceiptMs: PercentileFigures;
  /** From the 202. Below zero where the receiver was quicker than the answer. */
  readonly answerToReceiptMs: PercentileFigures;
  readonly publishToAnswerMs: PercentileFigures;
  /** Between an event's turn and its being sent: by how much the loader itself was late. */
  readonly loaderLateMs: PercentileFigures;
}

export type PercentileFigures = Percentiles & { readonly [name: string]: number };

/** @param counted the processes whose CPU time makes up the total; what serves only the bench is not among them */
export function throughput(
  deliveries: number,
  seconds: number,
  use: CpuUse,
  counted: readonly string[],
): ThroughputFigures {
  const per1000 = mapValues(use.byTree, (cpuSeconds) => (cpuSeconds / deliveries) * 1_000);
  const total = counted.reduce((sum, name) => sum + per1000[name]!, 0);
  const cores = mapValues(use.byTree, (cpuSeconds) => cpuSeconds / use.wallSeconds);
  return {
    deliveries,
    seconds,
    deliveriesPerSecond: deliveries / seconds,
    cpuPer1000: { ...per1000, total },
    cores: { ...cores, others: use.others / use.wallSeconds },
  };
}

export function percentileFigures(from: Float64Array, to: Float64Array): PercentileFigures {
  return { ...percentilesOf(to.map((time, index) => time - from[index]!)) };
}

function mapValues(record: Readonly<Record<string, number>>, map: (value: number) => number) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
