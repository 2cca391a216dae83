import { measureBacklog } from '../growth/backlog.js';
import { measureDroppedDay } from '../growth/dropped-day.js';
import { startOnHistory } from '../growth/growth-platform.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import { listPaths, measureLists } from '../growth/lists.js';
import type { Figures } from '../measure/statistics.js';
import { progressOf } from '../report/progress.js';
import { createProducerKey, registerApplications } from '../rounds/bench-applications.js';
import { BODY_SIZES, publishBody } from '../rounds/event-bodies.js';
import { Pipeline } from './pipeline.js';
import type { BenchContext, RowKind, Scenario } from './scenario.js';

const PIPELINE = ['0.4KB/1', '0.4KB/100', 'rate/100'];

/** What costs more, and what takes longer, when a month of deliveries is kept: so many in all, by size. */
export function growth(sizes: readonly string[]): Scenario {
  return {
    name: 'growth',
    rows: sizes.flatMap((size) =>
      [...PIPELINE, 'lists', 'dropped-day', 'backlog'].map((row) => `growth/${size}/${row}`),
    ),
    async run(context, wanted) {
      for (const size of sizes) {
        if (![...wanted].some((row) => row.startsWith(`growth/${size}/`))) continue;
        const platform = await startOnHistory(
          context.build,
          context.caretaker,
          deliveriesOf(size),
          context.say,
        );
        try {
          await playSize(context, size, platform, wanted);
        } finally {
          await platform.end();
        }
      }
    },
  };
}

/** `5M` is five million. */
export function deliveriesOf(size: string): number {
  const digits = /^(\d{1,3})M$/.exec(size)?.[1];
  if (digits === undefined) throw new Error(`--rows ${size} is no size such as 5M.`);
  return Number(digits) * 1_000_000;
}

async function playSize(
  context: BenchContext,
  size: string,
  platform: DatabasePlatform,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const record = (row: string, kind: RowKind, figures: Figures) => {
    const title = `growth, ${size} deliveries`;
    context.say(`${title}: ${progressOf(kind, figures)}`);
    context.record({ id: `growth/${size}/${row}`, kind, title, rounds: [figures], median: figures });
  };
  const wants = (row: string) => wanted.has(`growth/${size}/${row}`);
  const pipeline = await Pipeline.prepare(context, `growth/${size}`, platform);
  if (PIPELINE.some(wants)) await pipeline.play(wanted);
  if (wants('lists')) {
    const milliseconds = await measureLists(platform, listPaths(new Date()));
    const slowestFirst = Object.entries(milliseconds).sort(([, a], [, b]) => b - a);
    for (const [path, ms] of slowestFirst.slice(0, 10)) context.say(`${ms.toFixed(1)} ms  ${path}`);
    const times = slowestFirst.map(([, ms]) => ms);
    record('lists', 'lists', {
      lists: times.length,
      medianMs: times[Math.floor(times.length / 2)]!,
      slowestMs: times[0]!,
      milliseconds,
    });
  }
  if (wants('dropped-day')) {
    const [application] = await registerApplications(
      platform,
      'dropping',
      context.receiver.origins.slice(0, 1),
    );
    const stage = { ...context, platform, producerKey: await createProducerKey(platform) };
    const bodies = [publishBody(application!, BODY_SIZES.small)];
    const plan = { bodies, path: '/v1/events', refusals: 0 } as const;
    record('dropped-day', 'dropped-day', await measureDroppedDay(stage, platform, plan));
  }
  if (wants('backlog')) record('backlog', 'backlog', await measureBacklog(platform));
}
