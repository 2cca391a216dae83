import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { AuditRepository } from '#storage/audit.repository.js';
import { Controller, Get, Query } from '@nestjs/common';
import type { z } from 'zod';
import { visibleApplications } from '../watching/visible-applications.js';
import { type AuditAnswer, auditAnswer, auditAnswerSchema } from './audit-answer.js';
import { auditQuery } from './audit.schemas.js';

/** Who did what, and when. Keys with a limit see what concerns one of their applications. */
@Topic('Audit', 'Who did what.')
@Controller('v1/audit')
@Roles('operator')
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @Operation({
    id: 'listAudit',
    summary: 'List who did what, the newest first',
    answers: { 200: { description: 'A page.', schema: pageSchema(auditAnswerSchema) } },
  })
  async list(
    @Query({ schema: auditQuery }) query: z.output<typeof auditQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<AuditAnswer>> {
    const { application, actor, action, resource, since, until } = query.filters;
    const applications = visibleApplications(principal, application);
    const filter = { applications, actors: actor, actions: action, resources: resource, since, until };
    const rows = await this.audit.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, auditAnswer);
  }
}
