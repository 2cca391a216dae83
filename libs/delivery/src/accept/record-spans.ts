import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { EventRecord } from '#domain/event-record.js';
import { readTraceContext, type TraceContext } from '#domain/trace-context.js';
import { contextOf, parentOf } from '#observability/span-context.js';

/**
 * A span for each record of a batch, in the trace of whoever put it on the topic: what the server's span is to a
 * publish over HTTP. Without a tracer only that trace is read.
 */
export class RecordSpans {
  private readonly spans = new Map<EventRecord, Span>();

  constructor(private readonly tracer: Tracer | undefined) {}

  /** Returns what the event joins. */
  begin(record: EventRecord): TraceContext | null {
    const producers = producersContext(record);
    if (!this.tracer) return producers;
    const { topic, partition, offset } = record;
    const span = this.tracer.startSpan(
      `process ${topic}`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system': 'kafka',
          'messaging.destination.name': topic,
          'messaging.destination.partition.id': String(partition),
          'messaging.kafka.offset': Number(offset),
        },
      },
      parentOf(producers),
    );
    this.spans.set(record, span);
    return contextOf(span);
  }

  /** @param code of the problem, as the rejected topic has it */
  refused(record: EventRecord, code: string): void {
    this.spans.get(record)?.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
  }

  /** @param durable false when the batch failed as a whole and will be read again */
  end(durable: boolean): void {
    for (const span of this.spans.values()) {
      if (!durable) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  }
}

/** A header that is there twice says nothing, as over HTTP. */
function producersContext({ headers }: EventRecord): TraceContext | null {
  if (headers.length === 0) return null;
  const only = (wanted: string): string | undefined => {
    const values = headers.filter(([name]) => name === wanted);
    return values.length === 1 ? values[0]![1].toString('latin1') : undefined;
  };
  return readTraceContext(only('traceparent'), only('tracestate'));
}
