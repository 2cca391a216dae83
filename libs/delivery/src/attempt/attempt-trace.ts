import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { type TraceContext, traceHeaders } from '#domain/trace-context.js';
import { contextOf, parentOf } from '#observability/span-context.js';
import type { OutboundResult } from '#outbound/outbound-result.js';
import type { Attempt } from './reference-judge.js';

/** One attempt in the trace of its event's publish, whichever process took that and however often it was tried. */
export interface AttemptTrace {
  /** Where it is in that trace; null where neither its publisher nor we trace. */
  readonly context: TraceContext | null;
  /** What is sent: the contract's headers, and the trace where its application asks for that. */
  readonly headers: Attempt['headers'];
  /** Absent where nothing is traced. */
  readonly span: Span | undefined;
}

/** Begins at the POST and not when the delivery was taken: how long it was owed is in the attempt's log line. */
export function traceAttempt(tracer: Tracer | undefined, attempt: Attempt): AttemptTrace {
  const { input, headers, policy } = attempt;
  const span = tracer?.startSpan(
    'deliver webhook',
    { kind: SpanKind.CLIENT, attributes: attributesOf(attempt) },
    parentOf(input.traceContext),
  );
  const context = span ? contextOf(span) : input.traceContext;
  const told = policy.sendTraceparent && context !== null;
  return { context, span, headers: told ? [...headers, ...traceHeaders(context)] : headers };
}

export function endAttemptSpan(span: Span, result: OutboundResult): void {
  if (result.kind === 'fault') {
    span.setAttribute('error.type', result.error.code);
    span.setStatus({
      code: SpanStatusCode.ERROR,
      message: 'A fault of the sender; the attempt is not counted.',
    });
  } else {
    span.setAttribute('entrega.outcome', result.outcome);
    span.setAttribute('entrega.connection', result.connection);
    if (result.httpStatus !== null) span.setAttribute('http.response.status_code', result.httpStatus);
    if (result.outcome !== 'success') {
      span.setAttribute('error.type', result.error?.code ?? String(result.httpStatus));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  }
  span.end();
}

/** Of the URL only where it leads: credentials, path and query of a webhook are often secrets. */
function attributesOf({ input, publicId }: Attempt) {
  const { protocol, hostname, port } = new URL(input.url);
  return {
    'http.request.method': 'POST',
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    'entrega.application': input.applicationId,
    'entrega.contract': input.contract,
    'entrega.endpoint': String(input.endpointId),
    'entrega.event': publicId,
    'entrega.event_type': input.type,
    'entrega.delivery': String(input.deliveryId),
    'entrega.attempt': input.attemptCount + 1,
    'entrega.cycle': input.cycle,
    'entrega.trigger': input.trigger,
  };
}
