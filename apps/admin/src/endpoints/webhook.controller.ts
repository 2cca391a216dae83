import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { EndpointSwitches } from '#registration/endpoint-switches.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { EndpointAnswer } from './endpoint-answer.js';
import { EndpointReader, type RegisteredEndpointAnswer } from './endpoint-reader.js';
import { webhookToPut } from './endpoints.schemas.js';

/** The one registered callback of an application, where its contract has one (TF-01). */
@Controller('v1/applications/:application/webhook')
@Roles('manager')
export class WebhookController {
  constructor(
    private readonly registry: EndpointRegistry,
    private readonly switches: EndpointSwitches,
    private readonly reader: EndpointReader,
  ) {}

  @Put()
  async register(
    @Param('application', { schema: publicId }) application: string,
    @Body({ schema: webhookToPut }) request: z.output<typeof webhookToPut>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegisteredEndpointAnswer> {
    const registered = await this.registry.registerWebhook(application, request, principal);
    if (registered.created) reply.header('location', `/v1/endpoints/${registered.endpoint.id}`);
    reply.code(registered.created ? 201 : 200);
    return this.reader.registered(registered);
  }

  @Get()
  @Roles('manager', 'operator')
  async one(
    @Param('application', { schema: publicId }) application: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.registry.getWebhook(application, principal));
  }

  @Delete()
  @HttpCode(204)
  async revoke(
    @Param('application', { schema: publicId }) application: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    const { id } = await this.registry.getWebhook(application, principal);
    await this.switches.revoke(id, principal);
  }
}
