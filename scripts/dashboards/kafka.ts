import { type Dashboard, lines, perSecond } from './dashboard.js';

/** What travels over Kafka. Without it this is empty. */
export const KAFKA: Dashboard = {
  name: 'kafka',
  title: 'Kafka',
  description: 'Events in, references to workers, announcements out. Empty where entrega runs without Kafka.',
  rows: [
    {
      title: 'Connections',
      panels: [
        lines(
          'Connected',
          'bool_on_off',
          'Of each client. While Kafka is away events come in over HTTP and the sweep delivers.',
          { expr: 'entrega_kafka_connected', legend: '{{instance}} {{client}}' },
        ),
      ],
    },
    {
      title: 'Events in',
      panels: [
        lines(
          'Records that wait',
          'short',
          'On each topic, in all partitions. events.v1 are events that nobody has taken yet.',
          {
            expr: 'sum by (topic) (max by (topic, partition) (entrega_kafka_consumer_lag_records))',
            legend: '{{topic}}',
          },
        ),
        {
          ...lines('Time to take them', 's', 'What waits on events.v1, at the present pace.', {
            expr: 'entrega:kafka_intake_lag:sum / entrega:kafka_intake:rate5m',
            legend: 'events.v1',
          }),
          bad: 600,
        },
        lines(
          'Taken',
          'reqps',
          'Events from Kafka that were accepted, repeated or refused.',
          { expr: 'sum(rate(entrega_events_accepted_total{via="kafka"}[1m]))', legend: 'accepted' },
          { expr: 'sum(rate(entrega_events_duplicate_total{via="kafka"}[1m]))', legend: 'repeated' },
          { expr: 'sum(rate(entrega_events_rejected_total{via="kafka"}[1m]))', legend: 'refused' },
        ),
      ],
    },
    {
      title: 'References to workers',
      panels: [
        lines(
          'References',
          'reqps',
          'Failed: Kafka did not take it, and the sweep finds the delivery. Stale: somebody else had it already.',
          perSecond('entrega_dispatch_references_total', ['result']),
        ),
      ],
    },
    {
      title: 'Announcements out',
      panels: [
        lines('Outbox', 'short', 'Announcements that wait. Stops counting at 10,000.', {
          expr: 'max(entrega_outbox_rows)',
          legend: 'rows',
        }),
        {
          ...lines('Oldest announcement', 's', 'How long it has waited.', {
            expr: 'max(entrega_outbox_oldest_age_seconds)',
            legend: 'oldest',
          }),
          bad: 300,
        },
      ],
    },
  ],
};
