import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '#domain/errors.js';
import { describeMetrics, metricsReference } from '#observability/metrics/metrics-reference.js';
import { roleRegistries } from './role-registries.js';
import { samplesIn } from '../support/metrics-text.js';

const REGISTRIES = roleRegistries();

/** What dashboards and alerts rely on: type and labels of each, and the roles that have it. */
const NAMES: Readonly<Record<string, readonly [type: string, labels: string, roles: string]>> = {
  build_info: ['gauge', 'version revision role', 'standalone ingest worker admin'],
  events_accepted_total: ['counter', 'contract type via', 'standalone ingest'],
  events_duplicate_total: ['counter', 'contract type via', 'standalone ingest'],
  events_rejected_total: ['counter', 'via code', 'standalone ingest'],
  events_without_target_total: ['counter', 'contract type', 'standalone ingest'],
  accept_batch_events: ['histogram', 'via', 'standalone ingest'],
  http_request_duration_seconds: ['histogram', 'method route status', 'standalone ingest worker admin'],
  deliveries_created_total: ['counter', 'contract state', 'standalone ingest'],
  deliveries_finished_total: ['counter', 'contract state', 'standalone worker admin'],
  deliveries_requeued_total: ['counter', 'contract trigger', 'standalone worker admin'],
  attempts_total: ['counter', 'contract outcome trigger', 'standalone worker'],
  attempt_duration_seconds: ['histogram', 'contract outcome', 'standalone worker'],
  attempt_lag_seconds: ['histogram', 'contract', 'standalone worker'],
  publish_to_first_attempt_seconds: ['histogram', 'contract', 'standalone worker'],
  attempts_in_flight: ['gauge', '', 'standalone worker'],
  attempt_slots: ['gauge', '', 'standalone worker'],
  outbound_requests_total: ['counter', 'connection', 'standalone worker'],
  leases_expired_total: ['counter', '', 'standalone worker'],
  results_stale_total: ['counter', '', 'standalone worker'],
  result_batch_deliveries: ['histogram', '', 'standalone worker'],
  internal_failures_total: ['counter', 'stage', 'standalone ingest worker'],
  endpoint_transitions_total: ['counter', 'contract to cause', 'standalone worker admin'],
  kafka_connected: ['gauge', 'role client', 'standalone ingest worker admin'],
  kafka_consumer_lag_records: ['gauge', 'topic partition', 'standalone ingest worker admin'],
  dispatch_references_total: ['counter', 'result', 'standalone ingest worker'],
  db_pool_connections: ['gauge', 'state', 'standalone ingest worker admin'],
  db_pool_waiting_requests: ['gauge', '', 'standalone ingest worker admin'],
  db_statement_duration_seconds: ['histogram', 'statement', 'standalone ingest worker admin'],
  loop_last_success_timestamp_seconds: ['gauge', 'loop', 'standalone ingest worker admin'],
  loop_interval_seconds: ['gauge', 'loop', 'standalone ingest worker admin'],
  loop_duration_seconds: ['histogram', 'loop', 'standalone ingest worker admin'],
  loop_failures_total: ['counter', 'loop', 'standalone ingest worker admin'],
  retention_seconds: ['gauge', '', 'standalone worker admin'],
  clock_offset_seconds: ['gauge', '', 'standalone ingest worker admin'],
  deliveries_unresolved: ['gauge', 'contract state', 'standalone ingest admin'],
  deliveries_set_aside: ['gauge', '', 'standalone ingest admin'],
  backlog_deliveries: ['gauge', 'contract kind', 'standalone ingest admin'],
  oldest_due_age_seconds: ['gauge', 'contract', 'standalone ingest admin'],
  endpoints_due: ['gauge', '', 'standalone ingest admin'],
  endpoints_late: ['gauge', '', 'standalone ingest admin'],
  endpoints: ['gauge', 'contract state', 'standalone ingest admin'],
  endpoints_failing: ['gauge', 'contract', 'standalone ingest admin'],
  stats_last_success_timestamp_seconds: ['gauge', '', 'standalone ingest admin'],
  outbox_rows: ['gauge', '', 'standalone ingest admin'],
  outbox_oldest_age_seconds: ['gauge', '', 'standalone ingest admin'],
  partition_horizon_timestamp_seconds: ['gauge', 'table', 'standalone ingest admin'],
  partition_oldest_timestamp_seconds: ['gauge', 'table', 'standalone ingest admin'],
  replays_running: ['gauge', '', 'standalone ingest admin'],
};

describe('the names that dashboards and alerts rely on', () => {
  it.each(Object.entries(NAMES))(
    'entrega_%s has its type, its labels and its roles',
    (name, [type, labels, roles]) => {
      const found = Object.entries(REGISTRIES).flatMap(([role, registry]) =>
        describeMetrics(registry)
          .filter((metric) => metric.name === `entrega_${name}`)
          .map((metric) => ({ role, ...metric })),
      );
      expect(found.map(({ role }) => role).join(' ')).toBe(roles);
      for (const metric of found) expect([metric.type, metric.labelNames.join(' ')]).toEqual([type, labels]);
    },
  );

  it.each(Object.entries(REGISTRIES))('none of %s tells of one application or endpoint', (_, registry) => {
    const labels = new Set(describeMetrics(registry).flatMap(({ labelNames }) => labelNames));
    for (const label of ['application', 'endpoint', 'url', 'delivery', 'event'])
      expect(labels).not.toContain(label);
  });

  it('and no others are ours', () => {
    const names = Object.values(REGISTRIES).flatMap((registry) =>
      describeMetrics(registry).map(({ name }) => name),
    );
    expect([...new Set(names)].sort()).toEqual(
      Object.keys(NAMES)
        .map((name) => `entrega_${name}`)
        .sort(),
    );
  });

  it('lag is told in steps from 5 ms to half an hour, with one at the 10 s that are promised', async () => {
    const text = await REGISTRIES.worker.metrics();
    const steps = samplesIn(text)
      .filter(
        ({ name, labels }) =>
          name === 'entrega_attempt_lag_seconds_bucket' && labels['contract'] === 'tf-fiscal',
      )
      .map(({ labels }) => Number(labels['le']));
    expect([steps[0], steps.at(-2)]).toEqual([0.005, 1_800]);
    expect(steps).toContain(10);
  });

  it('what prom-client tells of every process has its usual names', async () => {
    expect(samplesIn(await REGISTRIES.admin.metrics()).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_start_time_seconds',
        'nodejs_eventloop_lag_seconds',
      ]),
    );
  });
});

describe('counters', () => {
  it.each(Object.entries(REGISTRIES))(
    'of %s stand at 0 from the start, for every label that is known',
    async (_, registry) => {
      const counters = describeMetrics(registry).filter(({ type }) => type === 'counter');
      const samples = samplesIn(await registry.metrics());
      for (const { name } of counters.filter((counter) => counter.name !== 'entrega_loop_failures_total')) {
        const values = samples.filter((sample) => sample.name === name).map(({ value }) => value);
        expect([name, new Set(values)]).toEqual([name, new Set([0])]);
      }
    },
  );

  it('know every outcome, trigger and type, and one value for all other types', async () => {
    const samples = samplesIn(await REGISTRIES.standalone.metrics());
    const of = (name: string, label: string) =>
      new Set(
        samples.filter((sample) => sample.name === `entrega_${name}`).map(({ labels }) => labels[label]),
      );
    expect([...of('attempts_total', 'outcome')]).toEqual([
      'success',
      'http_3xx',
      'http_auth',
      'http_429',
      'http_4xx',
      'http_5xx',
      'timeout',
      'dns',
      'connect',
      'tls',
      'reset',
      'protocol',
      'address_forbidden',
      'internal',
    ]);
    expect([...of('attempts_total', 'trigger')]).toEqual(['first', 'retry', 'redeliver', 'replay']);
    expect(of('events_accepted_total', 'contract')).toEqual(new Set(['tf-fiscal', 'cortecloud']));
    expect([...of('events_accepted_total', 'type')]).toEqual(
      expect.arrayContaining(['cte.authorized', 'service.status_changed', 'other']),
    );
    expect(of('events_accepted_total', 'via')).toEqual(new Set(['http', 'kafka']));
    for (const code of of('events_rejected_total', 'code')) expect(ERROR_CODES).toContain(code);
    expect(of('events_rejected_total', 'code')).toContain('VALIDATION_FAILED');
    expect(of('endpoint_transitions_total', 'cause')).toEqual(
      new Set(['breaker', 'operator', 'registration']),
    );
  });
});

it('docs/reference/metrics.md says what there is (UPDATE_GENERATED=1 writes it)', async () => {
  const path = new URL('../../docs/reference/metrics.md', import.meta.url);
  const expected = metricsReference(REGISTRIES);
  if (process.env['UPDATE_GENERATED'] === '1') await writeFile(path, expected);
  expect(await readFile(path, 'utf8')).toBe(expected);
});
