import type { Registry } from 'prom-client';
import { AcceptMetrics } from './accept-metrics.js';
import { AttemptMetrics } from './attempt-metrics.js';
import { DatabaseMetrics } from './database-metrics.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { EndpointMetrics } from './endpoint-metrics.js';
import { FaultMetrics } from './fault-metrics.js';
import { FleetMetrics } from './fleet-metrics.js';
import { HttpMetrics } from './http-metrics.js';
import { KafkaMetrics } from './kafka-metrics.js';
import { INTAKE_WAYS, type LabelledContract } from './labelled-contract.js';
import { LoopMetrics } from './loop-metrics.js';
import { RetentionMetrics } from './retention-metrics.js';

export interface RoleMetricsOptions {
  readonly registry: Registry;
  readonly contracts: readonly LabelledContract[];
}

/** What is measured in every role. */
function everyRole({ registry }: RoleMetricsOptions) {
  return {
    http: new HttpMetrics(registry),
    database: new DatabaseMetrics(registry),
    loops: new LoopMetrics(registry),
  };
}

export type IngestMetrics = ReturnType<typeof ingestMetrics>;
export type WorkerMetrics = ReturnType<typeof workerMetrics>;
export type AdminMetrics = ReturnType<typeof adminMetrics>;

export function ingestMetrics(options: RoleMetricsOptions) {
  const { registry, contracts } = options;
  return {
    ...everyRole(options),
    kafka: new KafkaMetrics(registry, 'ingest'),
    fleet: new FleetMetrics(registry, contracts),
    accept: new AcceptMetrics(registry, contracts, INTAKE_WAYS),
    dispatch: new DispatchMetrics(registry, ['published', 'failed']),
    faults: new FaultMetrics(registry, ['accept']),
  };
}

export function workerMetrics(options: RoleMetricsOptions & { readonly retentionDays: number }) {
  const { registry, contracts, retentionDays } = options;
  new RetentionMetrics(registry, retentionDays);
  return {
    ...everyRole(options),
    kafka: new KafkaMetrics(registry, 'worker'),
    attempts: new AttemptMetrics(registry, contracts),
    dispatch: new DispatchMetrics(registry, ['stale']),
    faults: new FaultMetrics(registry, ['compose', 'send', 'result']),
    deliveries: new DeliveryMetrics(registry, contracts, ['replay']),
    endpoints: new EndpointMetrics(registry, contracts, ['breaker']),
  };
}

export function adminMetrics(options: RoleMetricsOptions & { readonly retentionDays: number }) {
  const { registry, contracts, retentionDays } = options;
  new RetentionMetrics(registry, retentionDays);
  return {
    ...everyRole(options),
    kafka: new KafkaMetrics(registry, 'admin'),
    fleet: new FleetMetrics(registry, contracts),
    deliveries: new DeliveryMetrics(registry, contracts, ['redeliver']),
    endpoints: new EndpointMetrics(registry, contracts, ['operator', 'registration']),
  };
}

/** @param options.usesKafka without it nothing is said of Kafka, nor of events that come that way */
export function standaloneMetrics(
  options: RoleMetricsOptions & { readonly retentionDays: number; readonly usesKafka: boolean },
) {
  const { registry, contracts, retentionDays, usesKafka } = options;
  new RetentionMetrics(registry, retentionDays);
  return {
    ...everyRole(options),
    kafka: usesKafka ? new KafkaMetrics(registry, 'standalone') : null,
    fleet: new FleetMetrics(registry, contracts),
    accept: new AcceptMetrics(registry, contracts, usesKafka ? INTAKE_WAYS : ['http']),
    attempts: new AttemptMetrics(registry, contracts),
    dispatch: new DispatchMetrics(registry, ['published', 'failed', 'stale']),
    faults: new FaultMetrics(registry, ['accept', 'compose', 'send', 'result']),
    deliveries: new DeliveryMetrics(registry, contracts, ['redeliver', 'replay']),
    endpoints: new EndpointMetrics(registry, contracts, ['breaker', 'operator', 'registration']),
  };
}
