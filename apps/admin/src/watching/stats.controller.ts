import { DAY_MS } from '#domain/durations.js';
import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { COUNT_CAP } from '#storage/sql/endpoint-stats.js';
import { StatsRepository } from '#storage/stats.repository.js';
import { Controller, Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import { visibleApplications } from './visible-applications.js';
import { statsQuery } from './watching.schemas.js';

export interface StatsAnswer {
  at: Date;
  /** Counts of deliveries stop here. */
  countsUpTo: number;
  deliveries: { pending: number; dead: number; closed: number; suppressed: number; canceled: number };
  /** What waits: owed by now, and owed later. */
  backlog: { due: number; scheduled: number; oldestDueAt: Date | null };
  /** Of the last 24 hours. */
  attempts: { since: Date; succeeded: number; failed: number };
  endpoints: { active: number; paused: number; disabled: number };
  /** The latest first, up to a hundred. */
  disabledEndpoints: {
    id: string;
    application: string;
    disabledAt: Date | null;
    disabledReason: string | null;
  }[];
}

@Controller('v1/stats')
@Roles('operator')
export class StatsController {
  constructor(private readonly stats: StatsRepository) {}

  @Get()
  async read(
    @Query({ schema: statsQuery }) { application }: z.output<typeof statsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<StatsAnswer> {
    const applications = visibleApplications(principal, application);
    const { now, due, scheduled, oldestDueAt, ...deliveries } = await this.stats.deliveries(applications);
    const since = new Date(now.getTime() - DAY_MS);
    const [attempts, byState, disabled] = await Promise.all([
      this.stats.attempts(applications, since),
      this.stats.endpointsByState(applications),
      this.stats.disabledEndpoints(applications),
    ]);
    return {
      at: now,
      countsUpTo: COUNT_CAP,
      deliveries,
      backlog: { due, scheduled, oldestDueAt },
      attempts: { since, ...attempts },
      endpoints: {
        active: byState.active ?? 0,
        paused: byState.paused ?? 0,
        disabled: byState.disabled ?? 0,
      },
      disabledEndpoints: disabled.map(({ id, applicationId, ...endpoint }) => ({
        id: String(id),
        application: applicationId,
        ...endpoint,
      })),
    };
  }
}
