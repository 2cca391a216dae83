import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Clock } from '#domain/clock.js';
import { isSampled, type TraceContext, traceIdOf } from '#domain/trace-context.js';
import type { Logger } from '#observability/logger.js';
import type { IntakeWay } from '#observability/metrics/labelled-contract.js';
import { parentOf, spanContextOf } from '#observability/span-context.js';
import type { PublishOutcome } from './publish-outcome.js';

/** How the events of a batch came in. */
export interface BatchSource {
  readonly via: IntakeWay;
  /** Ids of the requests that brought them. */
  readonly requests?: readonly string[];
  /** The records that they were, as `topic/partition/first-last`. */
  readonly records?: readonly string[];
  /** Events that came with them and were refused before. */
  readonly refused: number;
}

export interface ReportedBatch extends BatchSource {
  readonly applications: readonly string[];
  /** Of its publishes. */
  readonly traces: readonly TraceContext[];
}

export interface BatchReportOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer?: Tracer | undefined;
}

/** Names on one line: enough to find the others by, however large the batch is. */
const NAMES = 10;
/** Items that are looked at for them, for a line should cost the same whatever it tells of. */
const LOOKED_AT = 100;
/** As many as a span may have. */
const LINKS = 128;

/**
 * Tells of a batch once it is durable: the one line that the log has of it, and where its publishes are traced a span
 * that is linked to each. It belongs to none of their traces alone, and so begins its own.
 */
export async function reported(
  { clock, logger, tracer }: BatchReportOptions,
  batch: ReportedBatch,
  accept: () => Promise<PublishOutcome[]>,
): Promise<PublishOutcome[]> {
  const startedAt = clock.monotonicMs();
  const span = batch.traces.some(isSampled)
    ? tracer?.startSpan(
        'accept events',
        {
          kind: SpanKind.INTERNAL,
          attributes: { 'entrega.via': batch.via },
          links: batch.traces.map((context) => ({ context: spanContextOf(context) })),
        },
        parentOf(null),
      )
    : undefined;
  try {
    const outcomes = await accept();
    const counts = countsOf(outcomes, batch.refused);
    span?.setAttributes({
      'entrega.events': counts.events,
      'entrega.deliveries': counts.deliveries,
      'entrega.duplicates': counts.duplicates,
      'entrega.rejected': counts.rejected,
    });
    logger.info(
      {
        via: batch.via,
        ...counts,
        applications: batch.applications,
        ...(batch.requests && { requests: batch.requests }),
        ...(batch.records && { records: batch.records }),
        ...(batch.traces.length > 0 && { traceIds: batch.traces.slice(0, NAMES).map(traceIdOf) }),
        durationMs: Math.round(clock.monotonicMs() - startedAt),
      },
      'events.accepted',
    );
    return outcomes;
  } catch (error) {
    span?.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span?.end();
  }
}

/** A few different names of what is in a batch. */
export function namesOf<Item>(items: readonly Item[], nameOf: (item: Item) => string | undefined): string[] {
  return [...different(items.length > LOOKED_AT ? items.slice(0, LOOKED_AT) : items, nameOf, NAMES)];
}

export function tracesOf<Item>(
  items: readonly Item[],
  traceOf: (item: Item) => TraceContext | null | undefined,
): TraceContext[] {
  return [...different(items, traceOf, LINKS)];
}

function different<Item, Name>(
  items: readonly Item[],
  nameOf: (item: Item) => Name | null | undefined,
  most: number,
): Set<Name> {
  const names = new Set<Name>();
  for (const item of items) {
    if (names.size >= most) break;
    const name = nameOf(item);
    if (name !== null && name !== undefined) names.add(name);
  }
  return names;
}

function countsOf(outcomes: readonly PublishOutcome[], refused: number) {
  let deliveries = 0;
  let suppressed = 0;
  let duplicates = 0;
  let rejected = refused;
  for (const outcome of outcomes) {
    if (!outcome.ok) rejected++;
    else if (outcome.answer.duplicate) duplicates++;
    else {
      deliveries += outcome.answer.deliveryCount ?? 0;
      suppressed += outcome.answer.suppressedCount ?? 0;
    }
  }
  return { events: outcomes.length + refused, deliveries, suppressed, duplicates, rejected };
}
