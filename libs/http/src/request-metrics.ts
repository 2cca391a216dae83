import type { HttpMetrics } from '#observability/metrics/http-metrics.js';
import type { FastifyInstance } from 'fastify';

/** Measures every request that has been answered, refused ones too. */
export function measureRequests(server: FastifyInstance, metrics: HttpMetrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    metrics.requestAnswered(
      request.method,
      request.is404 ? undefined : url,
      reply.statusCode,
      reply.elapsedTime,
    );
    done();
  });
}
