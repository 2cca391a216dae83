import { describe, expect, it } from '@jest/globals';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { createLogger } from './logger.js';
import { OutageReportingExporter } from './outage-reporting-exporter.js';

describe('OutageReportingExporter', () => {
  it('says once that spans cannot be sent, and once with how many were lost that they can again', () => {
    const lines: { level: string; msg: string }[] = [];
    const destination = {
      write: (line: string) => void lines.push(JSON.parse(line) as { level: string; msg: string }),
    };
    const logger = createLogger({ role: 'test', level: 'info', format: 'json' }, destination);
    let result: ExportResult = { code: ExportResultCode.SUCCESS };
    const inner = {
      export: (_: ReadableSpan[], done: (result: ExportResult) => void) => done(result),
      shutdown: async () => {},
    };
    const exporter = new OutageReportingExporter(inner, logger);
    const results: ExportResult[] = [];
    const send = (spans: number) =>
      exporter.export(new Array<ReadableSpan>(spans), (told) => results.push(told));

    send(1);
    result = { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED') };
    [2, 3, 4].forEach(send);
    result = { code: ExportResultCode.SUCCESS };
    [5, 6].forEach(send);

    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'traces.not-exported', error: 'connect ECONNREFUSED' }),
      expect.objectContaining({ level: 'info', msg: 'traces.exported-again', lost: 9 }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([0, 1, 1, 1, 0, 0]);
  });
});
