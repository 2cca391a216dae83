import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Open } from '../access.js';
import { Operation, Topic } from '../openapi/operation.js';
import { type Readiness, ReadinessProbe, readinessSchema } from './readiness.js';

@Open()
@Topic('Health', 'Whether the process runs, and can do its work.')
@Controller()
export class HealthController {
  constructor(private readonly probe: ReadinessProbe) {}

  /** Says that the process runs. It looks at nothing outside, so that nobody restarts us for another's fault. */
  @Get('healthz')
  @Operation({
    id: 'getHealth',
    summary: 'Whether the process runs; it looks at nothing outside',
    answers: { 200: { description: 'It does.', schema: z.object({ status: z.literal('ok') }) } },
  })
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation({
    id: 'getReadiness',
    summary: 'Whether the process can do its work',
    description:
      'Without the transport it is `degraded` and works: events are accepted and delivered all the same.',
    answers: {
      200: { description: 'It can.', schema: readinessSchema },
      503: { description: 'It cannot: the database or its schema is away.', schema: readinessSchema },
    },
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.probe.look();
    if (readiness.status === 'unready') reply.code(503);
    return readiness;
  }
}
