import { type Dashboard, lines, perSecond, quantiles } from './dashboard.js';

const PER_ENDPOINT =
  'Metrics know no endpoint; which one it is says `npx entrega stats --by endpoint --order lag|failures|volume`, or GET /v1/stats?by=endpoint.';

/** Receivers, taken together. */
export const ENDPOINTS: Dashboard = {
  name: 'endpoints',
  title: 'endpoints and deliveries',
  description: `What receivers do, taken together. ${PER_ENDPOINT}`,
  rows: [
    {
      title: 'Endpoints',
      panels: [
        lines(
          'Endpoints by state',
          'short',
          `Disabled ones get nothing: their events are suppressed. ${PER_ENDPOINT}`,
          {
            expr: 'max by (contract, state) (entrega_endpoints)',
            legend: '{{contract}} {{state}}',
          },
        ),
        lines(
          'Due, late and failing',
          'short',
          `With something due; whose oldest due delivery has waited for over a minute; whose last attempt failed. ${PER_ENDPOINT}`,
          { expr: 'entrega:endpoints_due:max', legend: 'due' },
          { expr: 'entrega:endpoints_late:max', legend: 'late' },
          { expr: 'sum(max by (contract) (entrega_endpoints_failing))', legend: 'failing' },
        ),
        lines(
          'Changes of state in a quarter of an hour',
          'short',
          'By the breaker, an operator, or a registration that restores a webhook.',
          {
            expr: 'sum by (to, cause) (increase(entrega_endpoint_transitions_total[15m])) > 0',
            legend: '{{to}} by {{cause}}',
          },
        ),
      ],
    },
    {
      title: 'Attempts',
      panels: [
        lines(
          'Attempts by outcome',
          'reqps',
          'http_auth is 401 and 403: a secret or token that only one side changed.',
          perSecond('entrega_attempts_total', ['contract', 'outcome']),
        ),
        lines(
          'Attempts by what they are for',
          'reqps',
          'First attempts, retries, and what operators send again.',
          perSecond('entrega_attempts_total', ['contract', 'trigger']),
        ),
        lines(
          'How long receivers take',
          's',
          'From the dial to the end of the response headers, by outcome. Timeouts end at the deadline.',
          ...quantiles('entrega_attempt_duration_seconds', ['outcome']),
        ),
      ],
    },
    {
      title: 'Deliveries',
      panels: [
        lines(
          'Made and ended',
          'reqps',
          'Suppressed: the endpoint was disabled. Dead and closed: given up, and kept for a redelivery.',
          { expr: 'sum by (state) (rate(entrega_deliveries_created_total[5m]))', legend: 'made {{state}}' },
          { expr: 'sum by (state) (rate(entrega_deliveries_finished_total[5m]))', legend: 'ended {{state}}' },
        ),
        lines(
          'Waiting',
          'short',
          'Due now and owed later. Each contract and kind stops counting at 100,000.',
          {
            expr: 'max by (contract, kind) (entrega_backlog_deliveries)',
            legend: '{{contract}} {{kind}}',
          },
        ),
        lines('Oldest due', 's', 'How long the oldest due delivery of a contract has waited.', {
          expr: 'max by (contract) (entrega_oldest_due_age_seconds)',
          legend: '{{contract}}',
        }),
        lines(
          'Not delivered, and kept',
          'short',
          'Dead, closed and suppressed: a redelivery or a replay sends them.',
          {
            expr: 'max by (contract, state) (entrega_deliveries_unresolved)',
            legend: '{{contract}} {{state}}',
          },
        ),
      ],
    },
    {
      title: 'Repairs',
      panels: [
        lines('Sent again by hand', 'reqps', 'Redeliveries and replays.', {
          expr: 'sum by (contract, trigger) (rate(entrega_deliveries_requeued_total[5m]))',
          legend: '{{contract}} {{trigger}}',
        }),
        lines('Replays that are not finished', 'short', 'npx entrega replays list', {
          expr: 'max(entrega_replays_running)',
          legend: 'replays',
        }),
      ],
    },
  ],
};
