import { EventBodyEraser } from '#delivery/erasure/event-body-eraser.js';
import type { Caller, Principal } from '#domain/principal.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { ApplicationRegistry } from '#registration/application-registry.js';
import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { type ErasureAnswer, erasureAnswer, erasureAnswerSchema } from './erasure-answer.js';

/** What people have a right to have forgotten. Whoever owns the application decides on it. */
@Topic('Erasure', 'What people have a right to have forgotten.')
@Controller('v1/applications/:application')
@Roles('manager')
export class ErasureController {
  constructor(
    private readonly eraser: EventBodyEraser,
    private readonly applications: ApplicationRegistry,
  ) {}

  @Delete('events/:event/body')
  @HttpCode(204)
  @Operation({
    id: 'eraseEventBody',
    summary: "Erase an event's body",
    description:
      'What waits to be sent of it is canceled. That the event was, and how its deliveries went, stays.',
    answers: { 204: { description: 'Erased.' } },
  })
  async eraseBody(
    @Param('application', { schema: publicId }) application: string,
    @Param('event', { schema: publicId }) event: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.eraser.erase(application, event, caller);
  }

  /** How far the erasure of a deleted application is. */
  @Get('erasure')
  @Roles('manager', 'operator')
  @Operation({
    id: 'getErasure',
    summary: 'Read how far the erasure of a deleted application is',
    answers: { 200: { description: 'The erasure.', schema: erasureAnswerSchema } },
  })
  async one(
    @Param('application', { schema: publicId }) application: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ErasureAnswer> {
    return erasureAnswer(await this.applications.getErasure(application, principal));
  }
}
