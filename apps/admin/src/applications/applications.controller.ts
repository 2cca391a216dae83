import type { Caller, Principal } from '#domain/principal.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { ApplicationRegistry, type RegisteredApplication } from '#registration/application-registry.js';
import { ApplicationRepository } from '#storage/application.repository.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type ErasureAnswer, erasureAnswer, erasureAnswerSchema } from '../erasure/erasure-answer.js';
import {
  type ApplicationAnswer,
  applicationAnswer,
  applicationAnswerSchema,
  type IssuedApplicationAnswer,
  issuedApplicationAnswerSchema,
} from './application-answer.js';
import {
  applicationDeletion,
  applicationPatch,
  applicationsQuery,
  applicationToCreate,
  applicationToPut,
  secretRotation,
} from './applications.schemas.js';

/** Who webhooks are sent for. */
@Topic('Applications', 'Who webhooks are sent for.')
@Controller('v1/applications')
@Roles('manager')
export class ApplicationsController {
  constructor(
    private readonly registry: ApplicationRegistry,
    private readonly applications: ApplicationRepository,
  ) {}

  @Post()
  @Operation({
    id: 'createApplication',
    summary: 'Create an application',
    answers: {
      201: { description: 'Created.', schema: issuedApplicationAnswerSchema, location: true },
    },
    refusals: ['APPLICATION_EXISTS', 'APPLICATION_DELETED', 'APPLICATION_NOT_ALLOWED'],
    bodyExamples: {
      minimal: { name: 'Acme Ltda', contract: 'tf-fiscal' },
      withSettings: {
        id: 'acme',
        name: 'Acme Ltda',
        contract: 'tf-fiscal',
        environment: 'staging',
        settings: { timeout: '5s', retryWaits: ['15s', '1m..2m', '10m'], breakerThreshold: 0 },
      },
      serviceCenter: {
        name: 'Central',
        contract: 'cortecloud',
        attributes: { companyId: 123, companyInternalCode: 'CENTRAL-01' },
      },
    },
  })
  async create(
    @Body({ schema: applicationToCreate }) { id, ...request }: z.output<typeof applicationToCreate>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedApplicationAnswer> {
    return created(await this.registry.create(id ?? null, request, caller), reply);
  }

  @Put(':id')
  @Operation({
    id: 'putApplication',
    summary: 'Create an application, or make it what the body says',
    description:
      'What the body leaves out returns to its default, but for attributes and the secret, which are kept.',
    answers: {
      200: { description: 'Changed.', schema: issuedApplicationAnswerSchema },
      201: { description: 'Created.', schema: issuedApplicationAnswerSchema, location: true },
    },
    refusals: ['APPLICATION_DELETED', 'APPLICATION_NOT_ALLOWED'],
    bodyExamples: { minimal: { name: 'Acme Ltda', contract: 'tf-fiscal' } },
  })
  async put(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: applicationToPut }) request: z.output<typeof applicationToPut>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssuedApplicationAnswer> {
    return created(await this.registry.put(id, request, caller), reply);
  }

  @Get()
  @Roles('manager', 'operator')
  @Operation({
    id: 'listApplications',
    summary: 'List applications, by id',
    answers: { 200: { description: 'A page.', schema: pageSchema(applicationAnswerSchema) } },
  })
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
  @Operation({
    id: 'getApplication',
    summary: 'Read an application',
    answers: { 200: { description: 'The application.', schema: applicationAnswerSchema } },
  })
  async one(
    @Param('id', { schema: publicId }) id: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ApplicationAnswer> {
    return applicationAnswer(await this.registry.get(id, principal));
  }

  @Patch(':id')
  @Operation({
    id: 'patchApplication',
    summary: 'Change an application',
    description:
      "A JSON Merge Patch: what is absent stays, null in `settings` returns to the contract's default.",
    answers: { 200: { description: 'Changed.', schema: applicationAnswerSchema } },
    bodyExamples: { oneSettingBack: { settings: { timeout: null } }, rename: { name: 'Acme S.A.' } },
  })
  async change(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: applicationPatch }) patch: z.output<typeof applicationPatch>,
    @CurrentCaller() caller: Caller,
  ): Promise<ApplicationAnswer> {
    return applicationAnswer(await this.registry.change(id, patch, caller));
  }

  @Delete(':id')
  @Operation({
    id: 'deleteApplication',
    summary: 'Delete an application',
    description:
      'Revokes its endpoints and cancels what waits. Its events and deliveries are read as before until retention, or ' +
      'with `erase=true` erased in the background. Its id is not given again.',
    answers: {
      202: { description: 'Deleted; its data is being erased.', schema: erasureAnswerSchema, location: true },
      204: { description: 'Deleted.' },
    },
  })
  async delete(
    @Param('id', { schema: publicId }) id: string,
    @Query({ schema: applicationDeletion }) { erase }: z.output<typeof applicationDeletion>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ErasureAnswer | undefined> {
    const erasure = await this.registry.delete(id, { erase }, caller);
    reply.code(erasure ? 202 : 204);
    if (!erasure) return undefined;
    reply.header('location', `/v1/applications/${id}/erasure`);
    return erasureAnswer(erasure);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @Operation({
    id: 'rotateApplicationSecret',
    summary: 'Set another secret of an application',
    description:
      'It signs from the next attempt on, or from `activateAt` on. A rotation that has not come is replaced.',
    answers: { 200: { description: 'Set.', schema: issuedApplicationAnswerSchema } },
    refusals: ['CONFLICT'],
    bodyExamples: { atOnce: {}, atASetTime: { activateAt: '2030-01-31T12:00:00Z' } },
  })
  async rotateSecret(
    @Param('id', { schema: publicId }) id: string,
    @Body({ schema: secretRotation }) request: z.output<typeof secretRotation>,
    @CurrentCaller() caller: Caller,
  ): Promise<IssuedApplicationAnswer> {
    const { application, secret } = await this.registry.rotateSecret(id, request, caller);
    return { ...applicationAnswer(application), issuedCredentials: { secret } };
  }
}

function created(
  { application, created, issuedSecret }: RegisteredApplication,
  reply: FastifyReply,
): IssuedApplicationAnswer {
  if (created) reply.header('location', `/v1/applications/${application.id}`);
  reply.code(created ? 201 : 200);
  return {
    ...applicationAnswer(application),
    ...(issuedSecret !== null && { issuedCredentials: { secret: issuedSecret } }),
  };
}
