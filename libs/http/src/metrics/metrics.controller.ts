import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { Open } from '../access.js';
import { Operation, Topic } from '../openapi/operation.js';

/** Version 0.0.4 of the text format, which every Prometheus reads. */
const { PROMETHEUS_CONTENT_TYPE } = Registry;

@Open()
@Topic('Health', 'Whether the process runs, and can do its work.')
@Controller()
export class MetricsController {
  constructor(@Inject(Registry) private readonly registry: Registry) {}

  @Get('metrics')
  @Header('content-type', PROMETHEUS_CONTENT_TYPE)
  @Operation({
    id: 'getMetrics',
    summary: 'What this process measures',
    description: 'In the text format of Prometheus. Each process tells of itself alone; scrape every one.',
    answers: {
      200: {
        description: 'Its metrics.',
        schema: z.string().meta({
          examples: [
            '# HELP entrega_build_info 1; which build runs in which role.\n# TYPE entrega_build_info gauge\n',
          ],
        }),
        contentType: 'text/plain',
      },
    },
  })
  metrics(): Promise<string> {
    return this.registry.metrics();
  }
}
