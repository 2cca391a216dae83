import { Gauge, type Registry } from 'prom-client';

const DAY_SECONDS = 86_400;

/** How long this process keeps deliveries, beside which the oldest partition is looked at. */
export class RetentionMetrics {
  constructor(registry: Registry, retentionDays: number) {
    new Gauge({
      name: 'entrega_retention_seconds',
      help: 'How long deliveries are kept.',
      registers: [registry],
    }).set(retentionDays * DAY_SECONDS);
  }
}
