import type { Schemas } from '#client/api-call.js';
import { command } from '../command.js';
import { listOption, wholeNumberOption } from '../options.js';
import type { Output } from '../output.js';
import { stateStyle } from '../shown-state.js';
import { shownTime, shownTimeFromNow } from '../shown-time.js';
import { WrongUsage } from '../wrong-usage.js';

type Ranking = Schemas['EndpointRanking'];

const ORDERS = ['failures', 'lag', 'volume'] as const satisfies readonly Ranking['order'][];
const WINDOWS = ['5m', '1h', '24h'] as const satisfies readonly Ranking['window'][];

export const STATS = command({
  name: 'stats',
  about: 'Show what waits, what was given up and which endpoints are disabled',
  options: {
    application: listOption('Of this application'),
    by: { choices: ['endpoint'] as const, describe: 'The endpoints that stand out, instead of all together' },
    order: { choices: ORDERS, describe: 'With --by: what stands out (failures without it)' },
    window: { choices: WINDOWS, describe: 'With --by: how far attempts are looked back at (1h without it)' },
    limit: wholeNumberOption('limit', 'With --by: so many at most (20 without it)', 1, 200),
  },
  examples: [
    ['stats', 'The whole platform at a glance'],
    ['stats --by endpoint --order lag', 'Which endpoints are the furthest behind'],
  ],
  async run({ client, output, interrupted }, { application, by, order, window, limit }) {
    if (by === undefined && [order, window, limit].some((value) => value !== undefined)) {
      throw new WrongUsage('--order, --window and --limit need --by endpoint.');
    }
    const query = { application, by, order, window, limit };
    const answer = await client.get('/v1/stats', { query, signal: interrupted });
    if ('items' in answer) showRanking(output, answer);
    else showStats(output, answer);
  },
});

function showStats(output: Output, stats: Schemas['Stats']): void {
  const { deliveries, backlog, attempts, endpoints, countsUpTo } = stats;
  const counted = (count: number) => (count >= countsUpTo ? `${count} or more` : count);
  output.one(stats, [
    ['due', counted(backlog.due)],
    ['oldest due', shownTimeFromNow(backlog.oldestDueAt)],
    ['scheduled', counted(backlog.scheduled)],
    ...Object.entries(deliveries).map(([state, count]) => [state, counted(count)] as const),
    [
      'attempts',
      `${attempts.succeeded} succeeded, ${attempts.failed} failed since ${shownTime(attempts.since)}`,
    ],
    [
      'endpoints',
      Object.entries(endpoints)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
    ],
  ]);
  if (output.json || stats.disabledEndpoints.length === 0) return;
  output.line();
  output.table(stats.disabledEndpoints, [
    { title: 'disabled endpoint', of: ({ id }) => id },
    { title: 'application', of: (endpoint) => endpoint.application },
    { title: 'since', of: ({ disabledAt }) => shownTime(disabledAt) },
    { title: 'why', of: ({ disabledReason }) => disabledReason ?? '', cut: true },
  ]);
}

function showRanking(output: Output, ranking: Ranking): void {
  if (output.json) {
    output.one(ranking, []);
    return;
  }
  const columns = [
    { title: 'endpoint', of: ({ id }) => id },
    { title: 'application', of: ({ application }) => application },
    { title: 'state', of: ({ state }) => state, style: stateStyle(output) },
    { title: 'failed', of: ({ failed }) => failed },
    { title: 'succeeded', of: ({ succeeded }) => succeeded },
    {
      title: 'on average',
      of: ({ averageDurationMs }) =>
        averageDurationMs === null ? '-' : `${Math.round(averageDurationMs)} ms`,
      spare: true,
    },
    { title: 'pending', of: ({ pending }) => pending },
    { title: 'oldest due', of: ({ oldestDueAt }) => shownTime(oldestDueAt), spare: true },
    {
      title: 'last failure',
      of: ({ lastHttpStatus, lastError }) => lastError?.code ?? lastHttpStatus ?? '-',
      cut: true,
    },
    { title: 'url', of: ({ url }) => url, cut: true, spare: true },
  ] satisfies Parameters<typeof output.list<Ranking['items'][number]>>[1];
  output.list(
    ranking.items,
    columns,
    `No endpoint stands out by ${ranking.order} since ${shownTime(ranking.since)}.`,
  );
}
