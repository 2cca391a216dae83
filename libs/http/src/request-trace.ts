import { readTraceContext, type TraceContext } from '#domain/trace-context.js';
import { contextOf, parentOf } from '#observability/span-context.js';
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What is asked again and again by machines, and by people's browsers, is not traced. */
const TRACED = '/v1/';

/**
 * A span for each call of the API, from the end of its headers to the end of its answer, in the trace of whoever calls.
 * It is named after the route: what a caller puts into a path or a query is not in it.
 */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { url } = request.routeOptions;
    if (url?.startsWith(TRACED)) {
      const attributes = {
        'http.request.method': request.method,
        'http.route': url,
        'entrega.request_id': request.id,
      };
      request.span = tracer.startSpan(
        `${request.method} ${url}`,
        { kind: SpanKind.SERVER, attributes },
        parentOf(callersContext(request)),
      );
    }
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { span } = request;
    if (span?.isRecording()) {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    request.span?.setStatus({ code: SpanStatusCode.ERROR, message: 'The caller went away.' }).end();
    done();
  });
}

/** What is to come of a request joins its trace here: that of its own span, or of whoever called. */
export function traceContextOf(request: FastifyRequest): TraceContext | null {
  return request.span ? contextOf(request.span) : callersContext(request);
}

function callersContext({ headers }: FastifyRequest): TraceContext | null {
  const { traceparent, tracestate } = headers;
  return typeof traceparent === 'string'
    ? readTraceContext(traceparent, typeof tracestate === 'string' ? tracestate : undefined)
    : null;
}
