import { CONTRACTS } from '#contracts/registry.js';
import { createProcessRegistry } from '#observability/metrics/process-metrics.js';
import {
  adminMetrics,
  ingestMetrics,
  standaloneMetrics,
  workerMetrics,
} from '#observability/metrics/role-metrics.js';
import type { Registry } from 'prom-client';

/** What each role registers at its start. */
export function roleRegistries(): Readonly<Record<'standalone' | 'ingest' | 'worker' | 'admin', Registry>> {
  const optionsOf = (role: string) => ({
    registry: createProcessRegistry({ role, version: '1.0.0', revision: 'abc' }),
    contracts: CONTRACTS,
    retentionDays: 30,
  });
  const [standalone, ingest, worker, admin] = (['standalone', 'ingest', 'worker', 'admin'] as const).map(
    optionsOf,
  );
  standaloneMetrics({ ...standalone!, usesKafka: true });
  ingestMetrics(ingest!);
  workerMetrics(worker!);
  adminMetrics(admin!);
  return {
    standalone: standalone!.registry,
    ingest: ingest!.registry,
    worker: worker!.registry,
    admin: admin!.registry,
  };
}
