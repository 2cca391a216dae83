import { type Dashboard, lines, perSecond, quantiles } from './dashboard.js';

const instance = '{{instance}}';

/** Processes and their loops. */
export const WORKERS: Dashboard = {
  name: 'workers',
  title: 'processes and loops',
  description: 'What each process has to do, and whether it gets round.',
  rows: [
    {
      title: 'Attempts',
      panels: [
        lines(
          'In flight, and slots',
          'short',
          'All slots in use for long: receivers are slow, or more workers are needed. Above the slots is a bug.',
          { expr: 'entrega_attempts_in_flight', legend: `${instance} in flight` },
          { expr: 'entrega_attempt_slots', legend: `${instance} slots` },
        ),
        lines(
          'Connections',
          'reqps',
          'Requests of attempts on a new connection and on one that was kept.',
          perSecond('entrega_outbound_requests_total', ['instance', 'connection']),
        ),
        lines(
          'Repeats',
          'reqps',
          'Leases that ran out without a result, and results that came too late to count: receivers see these twice.',
          { expr: 'sum(rate(entrega_leases_expired_total[5m]))', legend: 'leases expired' },
          { expr: 'sum(rate(entrega_results_stale_total[5m]))', legend: 'results stale' },
        ),
        lines(
          'Results per transaction',
          'short',
          'More under load, or while the database is slow.',
          ...quantiles('entrega_result_batch_deliveries'),
        ),
      ],
    },
    {
      title: 'Loops',
      panels: [
        lines(
          'Overdue rounds',
          's',
          'Since the last round that succeeded, beyond the interval of the loop. What rises is stuck.',
          {
            expr: '(time() - entrega_loop_last_success_timestamp_seconds - entrega_loop_interval_seconds) > 0',
            legend: `${instance} {{loop}}`,
          },
        ),
        lines('Failed rounds', 'reqps', 'Each outage is logged once, as loop.failed; here is every round.', {
          expr: 'sum by (instance, loop) (rate(entrega_loop_failures_total[5m])) > 0',
          legend: `${instance} {{loop}}`,
        }),
        lines(
          'How long rounds take',
          's',
          'Failed ones too.',
          ...quantiles('entrega_loop_duration_seconds', ['loop']),
        ),
        lines(
          'Faults of ours',
          'reqps',
          'By where they showed. The log says which.',
          perSecond('entrega_internal_failures_total', ['stage']),
        ),
      ],
    },
    {
      title: 'Processes',
      panels: [
        lines('CPU', 'percentunit', 'Of one core, which is all that a process can use.', {
          expr: 'rate(process_cpu_seconds_total{job="entrega"}[1m])',
          legend: instance,
        }),
        lines('Memory', 'bytes', 'Resident.', {
          expr: 'process_resident_memory_bytes{job="entrega"}',
          legend: instance,
        }),
        {
          ...lines(
            'Event loop',
            's',
            'How late its timers are (p99): every attempt and answer waits that long.',
            {
              expr: 'nodejs_eventloop_lag_p99_seconds{job="entrega"}',
              legend: instance,
            },
          ),
          bad: 0.25,
        },
        lines('Descriptors', 'percentunit', 'Open files and connections, of the limit.', {
          expr: 'process_open_fds{job="entrega"} / process_max_fds{job="entrega"}',
          legend: instance,
        }),
      ],
    },
    {
      title: 'Versions and restarts',
      panels: [
        lines('Up', 'bool_on_off', 'Whether the process could be scraped.', {
          expr: 'up{job="entrega"}',
          legend: instance,
        }),
        lines('Runs since', 's', 'Falls to 0 with each start.', {
          expr: 'time() - process_start_time_seconds{job="entrega"}',
          legend: instance,
        }),
        lines(
          'Builds',
          'short',
          'Processes of each role and build. Two builds of a role: a deploy is half-way.',
          {
            expr: 'count by (role, version, revision) (entrega_build_info)',
            legend: '{{role}} {{version}} {{revision}}',
          },
        ),
      ],
    },
  ],
};
