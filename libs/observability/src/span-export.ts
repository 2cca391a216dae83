import { randomUUID } from 'node:crypto';
import { diag, DiagLogLevel, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { SECOND_MS } from '#domain/durations.js';
import { settlesWithin } from '#domain/settles-within.js';
import type { Logger } from './logger.js';
import { OutageReportingExporter } from './outage-reporting-exporter.js';

export interface SpanExportOptions {
  /** The whole URL that batches of spans are sent to. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of one export. */
  readonly timeoutMs: number;
  /** Null: named after the role. */
  readonly serviceName: string | null;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: { readonly share: number; readonly asksParent: boolean };
  readonly batch: {
    readonly delayMs: number;
    readonly exportTimeoutMs: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
  };
}

export interface SpanExport {
  readonly tracer: Tracer;
  /** Sends what is waiting, for at most 2 s. */
  stop(): Promise<void>;
}

const FLUSH_MS = 2 * SECOND_MS;

/**
 * Makes spans and sends them to a collector in batches, from a bounded queue: of a collector that is away only spans
 * are lost, and nobody waits for it.
 *
 * @param process.role names the service where no name is set
 */
export function exportSpans(
  options: SpanExportOptions,
  process: { readonly role: string; readonly version: string },
  logger: Logger,
): SpanExport {
  // What the client says of itself; that batches fail is said once, by the exporter.
  const tell = (message: string, ...details: unknown[]) =>
    logger.debug({ message, details }, 'traces.client');
  diag.setLogger({ error: tell, warn: tell, info: tell, debug: tell, verbose: tell }, DiagLogLevel.WARN);
  const { batch } = options;
  const exporter = new OTLPTraceExporter({
    url: options.url,
    headers: { ...options.headers },
    timeoutMillis: options.timeoutMs,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': `entrega-${process.role}`,
        'service.version': process.version,
        'service.instance.id': randomUUID(),
        ...options.resourceAttributes,
        ...(options.serviceName !== null && { 'service.name': options.serviceName }),
      }),
    ),
    sampler: samplerOf(options.sampler),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OutageReportingExporter(exporter, logger),
        scheduledDelayMillis: batch.delayMs,
        exportTimeoutMillis: batch.exportTimeoutMs,
        maxQueueSize: batch.maxQueueSize,
        maxExportBatchSize: batch.maxExportBatchSize,
      }),
    ],
  });
  return {
    tracer: provider.getTracer('entrega', process.version),
    stop: async () => {
      await settlesWithin(provider.shutdown(), FLUSH_MS);
    },
  };
}

function samplerOf({ share, asksParent }: SpanExportOptions['sampler']): Sampler {
  const root =
    share === 1
      ? new AlwaysOnSampler()
      : share === 0
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share);
  return asksParent ? new ParentBasedSampler({ root }) : root;
}
