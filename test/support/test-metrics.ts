import { CONTRACTS } from '#contracts/registry.js';
import { standaloneMetrics } from '#observability/metrics/role-metrics.js';
import { Registry } from 'prom-client';

export type TestMetrics = ReturnType<typeof testMetrics>;

/** What the all-in-one process measures, in a registry of its own. */
export function testMetrics(registry = new Registry()) {
  return standaloneMetrics({ registry, contracts: CONTRACTS, retentionDays: 30, usesKafka: true });
}
