import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  trace,
} from '@opentelemetry/api';
import { type TraceContext, traceContext, traceContextParts } from '#domain/trace-context.js';

// Parents are handed on as values, never as a context that follows the calls: where nothing is traced nothing is paid,
// and a batch has many parents at once.

/** What a span begins in: as the child of what the text names, or as the first of its trace. */
export function parentOf(context: TraceContext | null): Context {
  return context === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(context));
}

export function spanContextOf(context: TraceContext): SpanContext {
  const { traceId, spanId, flags, tracestate } = traceContextParts(context);
  return {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(tracestate !== null && { traceState: createTraceState(tracestate) }),
  };
}

/** The place of a span, for what comes after it, here or elsewhere. */
export function contextOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const tracestate = traceState?.serialize();
  return traceContext({ traceId, spanId, flags: traceFlags, tracestate: tracestate ? tracestate : null });
}
