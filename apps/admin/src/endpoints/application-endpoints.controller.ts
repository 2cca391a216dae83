import type { Caller, Principal } from '#domain/principal.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { ApplicationRegistry } from '#registration/application-registry.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { type EndpointPosition, EndpointRepository } from '#storage/endpoint.repository.js';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  type EndpointAnswer,
  endpointAnswerSchema,
  type RegisteredEndpointAnswer,
  registeredEndpointAnswerSchema,
} from './endpoint-answer.js';
import { EndpointReader } from './endpoint-reader.js';
import { endpointsQuery, endpointToCreate } from './endpoints.schemas.js';
import { REGISTRATION_REFUSALS, VERIFICATION_MEMBERS } from './registration-refusals.js';

@Topic('Endpoints', 'Where they are sent.')
@Controller('v1/applications/:application/endpoints')
@Roles('manager')
export class ApplicationEndpointsController {
  constructor(
    private readonly applications: ApplicationRegistry,
    private readonly registry: EndpointRegistry,
    private readonly endpoints: EndpointRepository,
    private readonly reader: EndpointReader,
  ) {}

  @Post()
  @Operation({
    id: 'createEndpoint',
    summary: 'Add an endpoint to an application',
    answers: { 201: { description: 'Added.', schema: registeredEndpointAnswerSchema, location: true } },
    refusals: REGISTRATION_REFUSALS,
    refusalMembers: VERIFICATION_MEMBERS,
    bodyExamples: {
      everyType: { url: 'https://example.com/webhooks', credentials: { token: 'receiver-token-0123456789' } },
      oneType: { url: 'https://example.com/status', eventTypes: ['service.status_changed'] },
    },
  })
  async create(
    @Param('application', { schema: publicId }) application: string,
    @Body({ schema: endpointToCreate }) request: z.output<typeof endpointToCreate>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegisteredEndpointAnswer> {
    const registered = await this.registry.create(application, request, caller);
    reply.header('location', `/v1/endpoints/${registered.endpoint.id}`);
    return this.reader.registered(registered);
  }

  @Get()
  @Roles('manager', 'operator')
  @Operation({
    id: 'listEndpoints',
    summary: "List an application's endpoints, its webhook first",
    answers: { 200: { description: 'A page.', schema: pageSchema(endpointAnswerSchema) } },
  })
  async list(
    @Param('application', { schema: publicId }) application: string,
    @Query({ schema: endpointsQuery }) query: z.output<typeof endpointsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<EndpointAnswer>> {
    await this.applications.get(application, principal);
    const { state } = query.filters;
    const rows = await this.endpoints.list(application, state, query.after, query.limit + 1);
    const answers = await this.reader.answers(application, rows);
    return pageOf(query, answers, positionOf, (answer) => answer);
  }
}

function positionOf(answer: EndpointAnswer): EndpointPosition {
  return [answer.webhook ? 1 : 0, Number(answer.id)];
}
