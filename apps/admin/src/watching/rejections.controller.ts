import type { Principal } from '#domain/principal.js';
import { idTime } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { idText } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { RejectionRepository, type RejectionRow } from '#storage/rejection.repository.js';
import { REJECTION_WAYS } from '#storage/sql/rejections.js';
import { Controller, Get, Query } from '@nestjs/common';
import { z } from 'zod';
import { visibleApplications } from './visible-applications.js';
import { rejectionsQuery } from './watching.schemas.js';

/** A publish that was refused. What it named is null where that could not be read. */
const rejectionAnswerSchema = z
  .object({
    id: idText,
    at: z.date(),
    via: z.enum(REJECTION_WAYS),
    application: z.string().nullable(),
    type: z.string().nullable(),
    event: z.string().nullable().describe('The id that the producer gave it.'),
    code: z.string(),
    detail: z.string(),
    origin: z
      .string()
      .describe(
        'The `X-Request-Id`, in a batch with `/events/` and the index; of a record `topic/partition/offset`.',
      ),
  })
  .meta({
    id: 'Rejection',
    examples: [
      {
        id: '251604938752101',
        at: '2025-01-31T12:00:00.402Z',
        via: 'http',
        application: 'acme',
        type: 'cte.event.registred',
        event: null,
        code: 'VALIDATION_FAILED',
        detail: 'There is no event type "cte.event.registred".',
        origin: '9f2c1d77a0b3-4x/events/17',
      },
    ],
  });

type RejectionAnswer = z.infer<typeof rejectionAnswerSchema>;

@Topic('Publishing', 'Events in, and what was refused.')
@Controller('v1/rejections')
@Roles('operator')
export class RejectionsController {
  constructor(private readonly rejections: RejectionRepository) {}

  @Get()
  @Operation({
    id: 'listRejections',
    summary: 'List the publishes that were refused lately',
    description:
      'The newest first, over HTTP and from Kafka. It is there to find faults by, not for the record: the last 100,000 of ' +
      '7 days, and a sample in a flood. Answers that ask to try again later are not rejections.',
    answers: { 200: { description: 'A page.', schema: pageSchema(rejectionAnswerSchema) } },
  })
  async list(
    @Query({ schema: rejectionsQuery }) query: z.output<typeof rejectionsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<RejectionAnswer>> {
    const { application, type, event, code, via, since, until } = query.filters;
    const applications = visibleApplications(principal, application);
    const filter = { applications, types: type, publicIds: event, codes: code, ways: via, since, until };
    const rows = await this.rejections.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, rejectionAnswer);
  }
}

function rejectionAnswer(row: RejectionRow): RejectionAnswer {
  return {
    id: String(row.id),
    at: idTime(row.id),
    via: row.via,
    application: row.applicationId,
    type: row.type,
    event: row.publicId,
    code: row.code,
    detail: row.detail,
    origin: row.origin,
  };
}
