import { Histogram, type Registry } from 'prom-client';
import { SECOND_MS } from '#domain/durations.js';

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The one value for all paths that nothing answers. */
const UNKNOWN_ROUTE = 'unknown';

/** What this process answers. */
export class HttpMetrics {
  private readonly duration: Histogram;
  private readonly observers = new Map<string, Histogram.Internal<string>>();

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'entrega_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer, by route template.',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers: [registry],
    });
  }

  /** @param route as it is registered (`/v1/endpoints/:id`); undefined where the path has none */
  requestAnswered(method: string, route: string | undefined, status: number, tookMs: number): void {
    const key = `${method} ${route} ${status}`;
    let observer = this.observers.get(key);
    if (!observer) {
      // Methods are those that the parser knows, routes and statuses are ours: so many combinations there are.
      observer = this.duration.labels(method, route ?? UNKNOWN_ROUTE, String(status));
      this.observers.set(key, observer);
    }
    observer.observe(tookMs / SECOND_MS);
  }
}
