import type { Principal } from '#domain/principal.js';
import { idTime } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { type Page, pageOf } from '#http/list-query.js';
import { RejectionRepository, type RejectionRow } from '#storage/rejection.repository.js';
import type { RejectionWay } from '#storage/sql/rejections.js';
import { Controller, Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import { visibleApplications } from './visible-applications.js';
import { rejectionsQuery } from './watching.schemas.js';

/** A publish that was refused. What it named is null where that could not be read. */
export interface RejectionAnswer {
  id: string;
  at: Date;
  via: RejectionWay;
  application: string | null;
  type: string | null;
  /** The id that the producer gave it. */
  event: string | null;
  code: string;
  detail: string;
  /** The `X-Request-Id`, in a batch with `/events/` and the index; of a record `topic/partition/offset`. */
  origin: string;
}

@Controller('v1/rejections')
@Roles('operator')
export class RejectionsController {
  constructor(private readonly rejections: RejectionRepository) {}

  @Get()
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
