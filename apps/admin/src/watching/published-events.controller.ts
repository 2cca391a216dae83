import { createHash } from 'node:crypto';
import { DomainError } from '#domain/errors.js';
import { coversApplication, type Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf } from '#http/list-query.js';
import { DeliveryRepository } from '#storage/delivery.repository.js';
import { EventRepository, type EventRow } from '#storage/event.repository.js';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type DeliveryAnswer, deliveryAnswer } from './delivery-answer.js';
import { type EventAnswer, eventAnswer } from './event-answer.js';
import { visibleApplications } from './visible-applications.js';
import { eventsQuery } from './watching.schemas.js';

/** Deliveries shown with their event at most; the rest is listed by `GET /v1/deliveries?event=`. */
const MAX_SHOWN_DELIVERIES = 1_000;

type WholeEvent = EventAnswer & { deliveries: readonly DeliveryAnswer[]; body: string; bodySha256: string };

@Controller('v1')
@Roles('producer', 'operator')
export class PublishedEventsController {
  constructor(
    private readonly events: EventRepository,
    private readonly deliveries: DeliveryRepository,
  ) {}

  @Get('events')
  async list(
    @Query({ schema: eventsQuery }) query: z.output<typeof eventsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<EventAnswer>> {
    const { application, type, id, since, until } = query.filters;
    const applications = visibleApplications(principal, application);
    const filter = { applications, types: type, publicIds: id, since, until };
    const rows = await this.events.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, eventAnswer);
  }

  @Get('applications/:application/events/:event')
  async one(
    @Param('application', { schema: publicId }) application: string,
    @Param('event', { schema: publicId }) event: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<WholeEvent> {
    const { row, body } = await this.find(application, event, principal);
    const filter = { applications: [application], events: [row.id] };
    const deliveries = await this.deliveries.list(filter, null, MAX_SHOWN_DELIVERIES);
    return {
      ...eventAnswer(row),
      deliveries: deliveries.map(deliveryAnswer),
      body: body.toString('utf8'),
      bodySha256: createHash('sha256').update(body).digest('hex'),
    };
  }

  /** The exact bytes that every attempt sends. */
  @Get('applications/:application/events/:event/body')
  async body(
    @Param('application', { schema: publicId }) application: string,
    @Param('event', { schema: publicId }) event: string,
    @CurrentPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { body } = await this.find(application, event, principal);
    await reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  private async find(
    application: string,
    event: string,
    principal: Principal,
  ): Promise<{ row: EventRow; body: Buffer }> {
    const row = coversApplication(principal, application) ? await this.events.find(application, event) : null;
    const body = row && (await this.events.readBody(row.id));
    if (row && body) return { row, body };
    throw new DomainError('NOT_FOUND', `The application "${application}" has no event "${event}".`);
  }
}
