import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf } from '#http/list-query.js';
import { ApplicationRegistry, type RegisteredApplication } from '#registration/application-registry.js';
import { ApplicationRepository } from '#storage/application.repository.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type ApplicationAnswer, applicationAnswer } from './application-answer.js';
import {
  applicationPatch,
  applicationsQuery,
  applicationToCreate,
  applicationToPut,
  secretRotation,
} from './applications.schemas.js';

type WithIssuedSecret = ApplicationAnswer & { issuedCredentials?: { secret: string } };

/** Who webhooks are sent for. */
@Controller('v1/applications')
@Roles('manager')
export class ApplicationsController {
  constructor(
    private readonly registry: ApplicationRegistry,
    private readonly applications: ApplicationRepository,
  ) {}

  @Post()
  async create(
    @Body({ schema: applicationToCreate }) { id, ...request }: z.output<typeof applicationToCreate>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithIssuedSecret> {
    return created(await this.registry.create(id ?? null, request, principal), reply);
  }

  @Put(':id')
  async put(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: applicationToPut }) request: z.output<typeof applicationToPut>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithIssuedSecret> {
    return created(await this.registry.put(id, request, principal), reply);
  }

  @Get()
  @Roles('manager', 'operator')
  async list(
    @Query({ schema: applicationsQuery }) query: z.output<typeof applicationsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<ApplicationAnswer>> {
    const { contract, environment } = query.filters;
    const filter = {
      ids: principal.applications,
      contracts: contract ?? null,
      environments: environment ?? null,
    };
    const rows = await this.applications.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, applicationAnswer);
  }

  @Get(':id')
  @Roles('manager', 'operator')
  async one(
    @Param('id', { schema: publicId }) id: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ApplicationAnswer> {
    return applicationAnswer(await this.registry.get(id, principal));
  }

  @Patch(':id')
  async change(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: applicationPatch }) patch: z.output<typeof applicationPatch>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ApplicationAnswer> {
    return applicationAnswer(await this.registry.change(id, patch, principal));
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(
    @Param('id', { schema: publicId }) id: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    await this.registry.delete(id, principal);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  async rotateSecret(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: secretRotation }) request: z.output<typeof secretRotation>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<WithIssuedSecret> {
    const { application, secret } = await this.registry.rotateSecret(id, request, principal);
    return { ...applicationAnswer(application), issuedCredentials: { secret } };
  }
}

function created(
  { application, created, issuedSecret }: RegisteredApplication,
  reply: FastifyReply,
): WithIssuedSecret {
  if (created) reply.header('location', `/v1/applications/${application.id}`);
  reply.code(created ? 201 : 200);
  return {
    ...applicationAnswer(application),
    ...(issuedSecret !== null && { issuedCredentials: { secret: issuedSecret } }),
  };
}
