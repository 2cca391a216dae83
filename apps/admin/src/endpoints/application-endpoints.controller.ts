import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf } from '#http/list-query.js';
import { ApplicationRegistry } from '#registration/application-registry.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { type EndpointPosition, EndpointRepository } from '#storage/endpoint.repository.js';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { EndpointAnswer } from './endpoint-answer.js';
import { EndpointReader, type RegisteredEndpointAnswer } from './endpoint-reader.js';
import { endpointsQuery, endpointToCreate } from './endpoints.schemas.js';

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
  async create(
    @Param('application', { schema: publicId }) application: string,
    @Body({ schema: endpointToCreate }) request: z.output<typeof endpointToCreate>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegisteredEndpointAnswer> {
    const registered = await this.registry.create(application, request, principal);
    reply.header('location', `/v1/endpoints/${registered.endpoint.id}`);
    return this.reader.registered(registered);
  }

  @Get()
  @Roles('manager', 'operator')
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
