import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.js';

/** Passes spans on to an exporter, and says once that it cannot send them, and once that it can again. */
export class OutageReportingExporter implements SpanExporter {
  private failing = false;
  private lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.succeeded();
      else this.failed(spans.length, result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  private succeeded(): void {
    if (this.failing) this.logger.info({ lost: this.lost }, 'traces.exported-again');
    this.failing = false;
    this.lost = 0;
  }

  private failed(spans: number, error: Error | undefined): void {
    this.lost += spans;
    // Its text alone: the error of a refused export holds what the collector answered.
    if (!this.failing) this.logger.warn({ error: error?.message ?? null }, 'traces.not-exported');
    this.failing = true;
  }
}
