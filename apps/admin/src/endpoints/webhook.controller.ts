import type { Caller, Principal } from '#domain/principal.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { EndpointRegistry } from '#registration/endpoint-registry.js';
import { EndpointSwitches } from '#registration/endpoint-switches.js';
import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  type EndpointAnswer,
  endpointAnswerSchema,
  type RegisteredEndpointAnswer,
  registeredEndpointAnswerSchema,
} from './endpoint-answer.js';
import { EndpointReader } from './endpoint-reader.js';
import { REGISTRATION_REFUSALS, VERIFICATION_MEMBERS } from './registration-refusals.js';
import { webhookToPut } from './endpoints.schemas.js';

/** The one registered callback of an application, where its contract has one (TF-01). */
@Topic('Endpoints', 'Where they are sent.')
@Controller('v1/applications/:application/webhook')
@Roles('manager')
export class WebhookController {
  constructor(
    private readonly registry: EndpointRegistry,
    private readonly switches: EndpointSwitches,
    private readonly reader: EndpointReader,
  ) {}

  @Put()
  @Operation({
    id: 'putWebhook',
    summary: "Register the application's one webhook",
    description: 'Overwrites the one there is, restores it and forgets its failures.',
    answers: {
      200: { description: 'Overwritten.', schema: registeredEndpointAnswerSchema },
      201: { description: 'Registered.', schema: registeredEndpointAnswerSchema, location: true },
    },
    refusals: ['NO_WEBHOOK', ...REGISTRATION_REFUSALS],
    refusalMembers: VERIFICATION_MEMBERS,
    bodyExamples: {
      minimal: { url: 'https://example.com/webhooks', credentials: { token: 'receiver-token-0123456789' } },
    },
  })
  async register(
    @Param('application', { schema: publicId }) application: string,
    @Body({ schema: webhookToPut }) request: z.output<typeof webhookToPut>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegisteredEndpointAnswer> {
    const registered = await this.registry.registerWebhook(application, request, caller);
    if (registered.created) reply.header('location', `/v1/endpoints/${registered.endpoint.id}`);
    reply.code(registered.created ? 201 : 200);
    return this.reader.registered(registered);
  }

  @Get()
  @Roles('manager', 'operator')
  @Operation({
    id: 'getWebhook',
    summary: "Read the application's webhook",
    answers: { 200: { description: 'The webhook.', schema: endpointAnswerSchema } },
  })
  async one(
    @Param('application', { schema: publicId }) application: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<EndpointAnswer> {
    return this.reader.answer(await this.registry.getWebhook(application, principal));
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'deleteWebhook',
    summary: "Revoke the application's webhook",
    description: 'What waits for it is canceled.',
    answers: { 204: { description: 'Revoked.' } },
  })
  async revoke(
    @Param('application', { schema: publicId }) application: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    const { id } = await this.registry.getWebhook(application, caller);
    await this.switches.revoke(id, caller);
  }
}
