import { type Dashboard, figure, lines, perSecond, quantiles } from './dashboard.js';

/** The first screen answers: do deliveries flow, is it us or a receiver, and since when. */
export const OVERVIEW: Dashboard = {
  name: 'overview',
  title: 'overview',
  description: 'Whether deliveries flow, whether it is us or a receiver, and since when.',
  rows: [
    {
      title: 'Do deliveries flow?',
      panels: [
        figure(
          'Workers',
          'short',
          'Processes that deliver. None: nothing is delivered.',
          'count(entrega_build_info{role=~"worker|standalone"}) or vector(0)',
        ),
        figure(
          'Attempts',
          'reqps',
          'Attempts that end each second. 0 while something is due: the workers stand still.',
          'sum(rate(entrega_attempts_total[1m]))',
        ),
        figure(
          'Delivered',
          'reqps',
          'Deliveries that a receiver acknowledged, each second.',
          'sum(rate(entrega_deliveries_finished_total{state="delivered"}[1m]))',
        ),
        figure(
          'Due now',
          'short',
          'Deliveries whose time has come and which nobody is sending. Each contract stops counting at 100,000.',
          'entrega:backlog_due:sum',
        ),
        figure(
          'Oldest due',
          's',
          'How long the oldest of them has waited. One slow endpoint alone can make it large.',
          'max(entrega_oldest_due_age_seconds)',
          1800,
        ),
        figure(
          'Age of these figures',
          's',
          'When the figures of the database were last read. Red: they say nothing, the database is in trouble.',
          'time() - max(entrega_stats_last_success_timestamp_seconds)',
          120,
        ),
      ],
    },
    {
      title: 'Is it us, or a receiver?',
      panels: [
        figure(
          'Endpoints late',
          'short',
          'Endpoints whose oldest due delivery has waited for over a minute. One or two: theirs. Many: ours.',
          'entrega:endpoints_late:max',
          3,
        ),
        figure(
          'Late attempts',
          'percentunit',
          'Share of the last hour that began more than 10 s after it was due. 0.1 % is what we allow ourselves.',
          'entrega:attempts_unpunctual:ratio_rate1h',
          0.0144,
        ),
        figure(
          'No connection',
          'percentunit',
          'Share of attempts that end with dns, connect, tls, address_forbidden or internal. With many endpoints failing: ours.',
          'entrega:attempts_sender_side:ratio_rate5m',
          0.3,
        ),
        figure(
          'Endpoints failing',
          'percentunit',
          'Share of the active endpoints whose last attempt failed.',
          'entrega:endpoints_failing:ratio',
          0.2,
        ),
        figure(
          'Publishing fails',
          'percentunit',
          'Share of the requests to publish that end in a fault of ours.',
          'entrega:publishes_failed:ratio_rate5m',
          0.02,
        ),
        figure(
          'Faults of ours',
          'short',
          'Internal failures of the last hour, and deliveries that are set aside because of them.',
          'sum(increase(entrega_internal_failures_total[1h])) + max(entrega_deliveries_set_aside)',
          1,
        ),
      ],
    },
    {
      title: 'Since when?',
      panels: [
        {
          title: 'Alerts that fire, and since when their condition holds',
          description: 'docs/runbooks has a page for each.',
          unit: 'dateTimeFromNow',
          shape: 'table',
          queries: [
            {
              expr: `1000 * max by (alertname, severity) (ALERTS_FOR_STATE{alertname=~"Entrega.+",severity!="watchdog"}
and ignoring (alertstate) ALERTS{alertstate="firing"})`,
              legend: '{{alertname}}',
            },
          ],
        },
        lines(
          'Attempts by outcome',
          'reqps',
          'A receiver in trouble changes one colour a little; we in trouble change all.',
          { expr: 'sum by (outcome) (entrega:attempts:rate5m)', legend: '{{outcome}}' },
        ),
        {
          ...lines(
            'Attempts begin late by',
            's',
            'From being due to the start. Over 10 s is late; a receiver that cannot keep up makes its own attempts late.',
            ...quantiles('entrega_attempt_lag_seconds'),
          ),
          bad: 10,
        },
      ],
    },
    {
      title: 'Publishing',
      panels: [
        lines(
          'Events',
          'reqps',
          'Accepted events, repeats of a known id, and refusals. Over Kafka nobody tells a producer of a refusal.',
          { expr: 'sum by (via) (rate(entrega_events_accepted_total[1m]))', legend: 'accepted {{via}}' },
          { expr: 'sum by (via) (rate(entrega_events_duplicate_total[1m]))', legend: 'repeated {{via}}' },
          {
            expr: 'sum by (via, code) (rate(entrega_events_rejected_total[1m])) > 0',
            legend: '{{via}} {{code}}',
          },
        ),
        lines(
          'Events that go nowhere',
          'reqps',
          'Accepted for applications that have no endpoint for their type.',
          perSecond('entrega_events_without_target_total', ['contract', 'type']),
        ),
        lines(
          'How long publishing takes',
          's',
          'Requests to /v1/events and /v1/events/batch, with the commit.',
          {
            expr: 'histogram_quantile(0.5, sum by (le) (rate(entrega_http_request_duration_seconds_bucket{method="POST",route=~"/v1/events(/batch)?"}[5m])))',
            legend: 'p50',
          },
          {
            expr: 'histogram_quantile(0.99, sum by (le) (rate(entrega_http_request_duration_seconds_bucket{method="POST",route=~"/v1/events(/batch)?"}[5m])))',
            legend: 'p99',
          },
        ),
        lines(
          'From publishing to the first attempt',
          's',
          "Beyond the contract's own delay.",
          ...quantiles('entrega_publish_to_first_attempt_seconds', ['contract']),
        ),
      ],
    },
    {
      title: 'API',
      panels: [
        lines('Requests by status', 'reqps', 'Of every process and route.', {
          expr: 'sum by (status) (rate(entrega_http_request_duration_seconds_count[1m]))',
          legend: '{{status}}',
        }),
        lines('Slowest routes', 's', 'p99 of the ten slowest.', {
          expr: 'topk(10, histogram_quantile(0.99, sum by (le, method, route) (rate(entrega_http_request_duration_seconds_bucket[5m]))))',
          legend: '{{method}} {{route}}',
        }),
        lines(
          'Events per accept statement',
          'short',
          'Publishes that arrive together share a statement: more under load.',
          ...quantiles('entrega_accept_batch_events', ['via']),
        ),
      ],
    },
  ],
};
