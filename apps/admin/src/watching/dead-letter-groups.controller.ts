import type { Principal } from '#domain/principal.js';
import { idTime } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId, idText, publicId } from '#http/ids.js';
import { commaList } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { Database } from '#storage/database.js';
import { type DeadLetterGroup, readDeadLetterGroups } from '#storage/sql/dead-letter-groups.js';
import { COUNT_CAP } from '#storage/sql/endpoint-stats.js';
import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { RetentionDays } from './retention-days.js';
import { visibleApplications } from './visible-applications.js';

const groupsQuery = z.strictObject({
  application: commaList(publicId).optional(),
  endpoint: decimalId.optional(),
});

const groupsSchema = z
  .object({
    at: z.date(),
    counted: z.int().describe('Dead letters looked at, those that ended last.'),
    countsUpTo: z.int().describe('Where `counted` stops: there are more then.'),
    retentionDays: z.int().describe('For so long a body is kept from the acceptance of its event.'),
    items: z
      .array(
        z.object({
          application: z.string(),
          endpoint: idText,
          url: z.string().describe("The endpoint's of now."),
          httpStatus: z.int().nullable().describe('Of the last attempt; null where no response came.'),
          errorCode: z.string().nullable().describe('Why none came.'),
          count: z.int(),
          oldestFinishedAt: z.date(),
          newestFinishedAt: z.date(),
          oldestAcceptedAt: z.date().describe('Of the one whose body leaves first.'),
        }),
      )
      .describe('The largest first, up to two hundred.'),
  })
  .meta({
    id: 'DeadLetterGroups',
    examples: [
      {
        at: '2025-01-31T12:00:00.000Z',
        counted: 1204,
        countsUpTo: COUNT_CAP,
        retentionDays: 30,
        items: [
          {
            application: 'acme',
            endpoint: '251604938752001',
            url: 'https://example.com/webhooks',
            httpStatus: 401,
            errorCode: null,
            count: 1204,
            oldestFinishedAt: '2025-01-31T02:10:03.120Z',
            newestFinishedAt: '2025-01-31T03:04:41.007Z',
            oldestAcceptedAt: '2025-01-30T17:34:02.118Z',
          },
        ],
      },
    ],
  });

type DeadLetterGroupsAnswer = z.infer<typeof groupsSchema>;

@Topic('Watching', 'Events, deliveries and attempts as they went.')
@Controller('v1/dead-letters/groups')
@Roles('operator')
export class DeadLetterGroupsController {
  constructor(
    private readonly database: Database,
    private readonly retentionDays: RetentionDays,
  ) {}

  @Get()
  @Operation({
    id: 'groupDeadLetters',
    summary: 'Count dead letters by endpoint and error',
    answers: { 200: { description: 'The groups of now.', schema: groupsSchema } },
  })
  async groups(
    @Query({ schema: groupsQuery }) { application, endpoint }: z.output<typeof groupsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<DeadLetterGroupsAnswer> {
    const applications = visibleApplications(principal, application);
    const filter = { applications, endpoint: endpoint ?? null };
    const { now, counted, groups } = await readDeadLetterGroups(this.database, filter);
    return {
      at: now,
      counted,
      countsUpTo: COUNT_CAP,
      retentionDays: this.retentionDays.value,
      items: groups.map(groupAnswer),
    };
  }
}

function groupAnswer(group: DeadLetterGroup): DeadLetterGroupsAnswer['items'][number] {
  return {
    application: group.applicationId,
    endpoint: String(group.endpointId),
    url: group.url,
    httpStatus: group.httpStatus,
    errorCode: group.errorCode,
    count: group.count,
    oldestFinishedAt: group.oldestFinish,
    newestFinishedAt: group.newestFinish,
    oldestAcceptedAt: idTime(group.oldestId),
  };
}
