import { RecentActivity } from '#delivery/watch/recent-activity.js';
import { SECOND_MS } from '#domain/durations.js';
import type { Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { idText } from '#http/ids.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { COUNT_CAP } from '#storage/sql/endpoint-stats.js';
import { ACCEPTED_CAP, StatsRepository } from '#storage/stats.repository.js';
import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { EndpointRanking } from './endpoint-ranking.js';
import { type EndpointRankingAnswer, endpointRankingSchema, statsQuery } from './endpoint-ranking.schemas.js';
import { visibleApplications } from './visible-applications.js';

/** Long enough to be a rate, and short enough to be counted at any rate that we can take. */
const ACCEPTED_SECONDS = 10;

const statsAnswerSchema = z
  .object({
    at: z.date(),
    countsUpTo: z.int().describe('Counts of deliveries stop here.'),
    deliveries: z.object({
      pending: z.int(),
      dead: z.int(),
      closed: z.int(),
      suppressed: z.int(),
      canceled: z.int(),
    }),
    backlog: z
      .object({ due: z.int(), scheduled: z.int(), oldestDueAt: z.date().nullable() })
      .describe('What waits: owed by now, and owed later.'),
    accepted: z
      .object({ since: z.date(), events: z.int() })
      .describe(`Of the last ${ACCEPTED_SECONDS} seconds; stops at ${ACCEPTED_CAP}.`),
    attempts: z
      .object({ since: z.date(), succeeded: z.int(), failed: z.int() })
      .describe('Of the last 24 hours and what began of the hour before them.'),
    minutes: z
      .array(z.object({ minute: z.date(), succeeded: z.int(), failed: z.int() }))
      .describe('Attempts of the last hour by minute, oldest first; the last one still runs.'),
    endpoints: z.object({ active: z.int(), paused: z.int(), disabled: z.int() }),
    disabledEndpoints: z
      .array(
        z.object({
          id: idText,
          application: z.string(),
          disabledAt: z.date().nullable(),
          disabledReason: z.string().nullable(),
        }),
      )
      .describe('The latest first, up to a hundred.'),
  })
  .meta({
    id: 'Stats',
    examples: [
      {
        at: '2025-01-31T12:00:00.000Z',
        countsUpTo: COUNT_CAP,
        deliveries: { pending: 17, dead: 2, closed: 0, suppressed: 3, canceled: 0 },
        backlog: { due: 1, scheduled: 16, oldestDueAt: '2025-01-31T11:59:59.900Z' },
        accepted: { since: '2025-01-31T11:59:50.000Z', events: 14 },
        attempts: { since: '2025-01-30T12:00:00.000Z', succeeded: 120_493, failed: 211 },
        minutes: [{ minute: '2025-01-31T12:00:00.000Z', succeeded: 81, failed: 2 }],
        endpoints: { active: 41, paused: 0, disabled: 1 },
        disabledEndpoints: [
          {
            id: '251604938752001',
            application: 'acme',
            disabledAt: '2025-01-31T11:20:00.000Z',
            disabledReason: '10 failures in a row',
          },
        ],
      },
    ],
  });

type StatsAnswer = z.infer<typeof statsAnswerSchema>;

@Topic('Watching', 'Events, deliveries and attempts as they went.')
@Controller('v1/stats')
@Roles('operator')
export class StatsController {
  constructor(
    private readonly stats: StatsRepository,
    private readonly activity: RecentActivity,
    private readonly ranking: EndpointRanking,
  ) {}

  @Get()
  @Operation({
    id: 'readStats',
    summary: 'Count what waits, what failed and what is disabled',
    description:
      'With `by=endpoint` the endpoints that stand out, by `order` and over `window`: the most failed attempts, the ' +
      'longest owed delivery, or the most attempts first.',
    answers: {
      200: {
        description: 'The figures of now; with `by=endpoint` those of endpoints.',
        schema: z.union([statsAnswerSchema, endpointRankingSchema]),
      },
    },
  })
  async read(
    @Query({ schema: statsQuery }) { application, ranking }: z.output<typeof statsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<StatsAnswer | EndpointRankingAnswer> {
    const applications = visibleApplications(principal, application);
    return ranking === null ? this.ofAll(applications) : this.ranking.read(applications, ranking);
  }

  private async ofAll(applications: readonly string[] | null): Promise<StatsAnswer> {
    const { now, due, scheduled, oldestDueAt, ...deliveries } = await this.stats.deliveries(applications);
    const endpoints = applications && (await this.stats.endpointIds(applications));
    const acceptedSince = new Date(now.getTime() - ACCEPTED_SECONDS * SECOND_MS);
    const [events, attempts, minutes, byState, disabled] = await Promise.all([
      this.stats.accepted(applications, acceptedSince),
      this.attemptsOf(endpoints, now),
      this.activity.byMinute(endpoints, now),
      this.stats.endpointsByState(applications),
      this.stats.disabledEndpoints(applications),
    ]);
    return {
      at: now,
      countsUpTo: COUNT_CAP,
      deliveries,
      backlog: { due, scheduled, oldestDueAt },
      accepted: { since: acceptedSince, events },
      attempts,
      minutes,
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

  /** @param endpointIds null for all */
  private async attemptsOf(
    endpointIds: readonly TimeOrderedId[] | null,
    now: Date,
  ): Promise<StatsAnswer['attempts']> {
    const { since, activity } = await this.activity.ofEndpoints('24h', now);
    const counted = endpointIds === null ? activity.values() : endpointIds.map((id) => activity.get(id));
    let succeeded = 0;
    let failed = 0;
    for (const one of counted) {
      succeeded += one?.succeeded ?? 0;
      failed += one?.failed ?? 0;
    }
    return { since, succeeded, failed };
  }
}
