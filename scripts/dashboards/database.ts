import { type Dashboard, lines } from './dashboard.js';

/** PostgreSQL, as the processes see it. */
export const DATABASE: Dashboard = {
  name: 'database',
  title: 'database',
  description: 'PostgreSQL as the processes see it: connections, statements, partitions.',
  rows: [
    {
      title: 'Connections',
      panels: [
        lines('Connections', 'short', 'Of the pool of each process.', {
          expr: 'entrega_db_pool_connections',
          legend: '{{instance}} {{state}}',
        }),
        lines('Waiting for one', 'short', 'For minutes: the database is slow, or the pool is too small.', {
          expr: 'entrega_db_pool_waiting_requests',
          legend: '{{instance}}',
        }),
        lines('Clock offset', 's', 'The clock of the database minus that of the process.', {
          expr: 'entrega_clock_offset_seconds',
          legend: '{{instance}}',
        }),
      ],
    },
    {
      title: 'Statements',
      panels: [
        lines('Most time', 'percentunit', 'The ten statements that take most time, in sessions kept busy.', {
          expr: 'topk(10, sum by (statement) (rate(entrega_db_statement_duration_seconds_sum[5m])))',
          legend: '{{statement}}',
        }),
        lines('Slowest', 's', 'p99 of the ten slowest, with the wait for a connection.', {
          expr: 'topk(10, histogram_quantile(0.99, sum by (le, statement) (rate(entrega_db_statement_duration_seconds_bucket[5m]))))',
          legend: '{{statement}}',
        }),
        lines('Most often', 'reqps', 'The ten most frequent.', {
          expr: 'topk(10, sum by (statement) (rate(entrega_db_statement_duration_seconds_count[5m])))',
          legend: '{{statement}}',
        }),
      ],
    },
    {
      title: 'Partitions',
      panels: [
        {
          ...lines('Made ahead', 's', 'Until when there are partitions. At 0 nothing can be published.', {
            expr: 'min by (table) (entrega_partition_horizon_timestamp_seconds) - time()',
            legend: '{{table}}',
          }),
          bad: 2 * 86_400,
          isLowBad: true,
        },
        lines(
          'Kept beyond retention',
          's',
          'Age of the oldest partition minus the retention: two days are normal, for partitions have a day and events are kept a day longer.',
          {
            expr: 'time() - min by (table) (entrega_partition_oldest_timestamp_seconds) - on () group_left () max(entrega_retention_seconds)',
            legend: '{{table}}',
          },
        ),
        lines('Figures of the database', 's', 'How old the last reading of each process is.', {
          expr: 'time() - entrega_stats_last_success_timestamp_seconds',
          legend: '{{instance}}',
        }),
      ],
    },
  ],
};
