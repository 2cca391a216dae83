import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Open } from '../access.js';
import { type Readiness, ReadinessProbe } from './readiness.js';

@Open()
@Controller()
export class HealthController {
  constructor(private readonly probe: ReadinessProbe) {}

  /** Says that the process runs. It looks at nothing outside, so that nobody restarts us for another's fault. */
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.probe.look();
    if (readiness.status === 'unready') reply.code(503);
    return readiness;
  }
}
