import { createHash } from 'node:crypto';
import { DomainError } from '#domain/errors.js';
import { coversApplication, type Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { publicId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { DeliveryRepository } from '#storage/delivery.repository.js';
import { EventRepository, type EventRow } from '#storage/event.repository.js';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { deliveryAnswer } from './delivery-answer.js';
import {
  type EventAnswer,
  eventAnswer,
  eventAnswerSchema,
  type WholeEventAnswer,
  wholeEventAnswerSchema,
} from './event-answer.js';
import { visibleApplications } from './visible-applications.js';
import { eventsQuery } from './watching.schemas.js';

/** Deliveries shown with their event at most; the rest is listed by `GET /v1/deliveries?event=`. */
const MAX_SHOWN_DELIVERIES = 1_000;

@Topic('Watching', 'Events, deliveries and attempts as they went.')
@Controller('v1')
@Roles('producer', 'operator')
export class PublishedEventsController {
  constructor(
    private readonly events: EventRepository,
    private readonly deliveries: DeliveryRepository,
  ) {}

  @Get('events')
  @Operation({
    id: 'listEvents',
    summary: 'List events, the newest first',
    answers: { 200: { description: 'A page.', schema: pageSchema(eventAnswerSchema) } },
  })
  async list(
    @Query({ schema: eventsQuery }) query: z.output<typeof eventsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<EventAnswer>> {
    const { application, type, id, since, until } = query.filters;
    const applications = visibleApplications(principal, application);
    const filter = { applications, types: type, publicIds: id, since, until };
    const { rows, stoppedAt } = await this.events.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, eventAnswer, stoppedAt);
  }

  @Get('applications/:application/events/:event')
  @Operation({
    id: 'getEvent',
    summary: 'Read an event with its deliveries and its body',
    answers: { 200: { description: 'The event.', schema: wholeEventAnswerSchema } },
  })
  async one(
    @Param('application', { schema: publicId }) application: string,
    @Param('event', { schema: publicId }) event: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<WholeEventAnswer> {
    const row = await this.find(application, event, principal);
    const body = await this.events.readBody(row.id);
    const filter = { applications: [application], events: [row.id] };
    const { rows: deliveries } = await this.deliveries.list(filter, null, MAX_SHOWN_DELIVERIES);
    return {
      ...eventAnswer(row),
      deliveries: deliveries.map(deliveryAnswer),
      body: body && body.toString('utf8'),
      bodySha256: body && createHash('sha256').update(body).digest('hex'),
    };
  }

  /** The exact bytes that every attempt sends. */
  @Get('applications/:application/events/:event/body')
  @Operation({
    id: 'getEventBody',
    summary: "Read an event's body: the exact bytes that every attempt sends",
    answers: { 200: { description: 'The body.', schema: z.unknown() } },
    refusals: ['GONE'],
  })
  async body(
    @Param('application', { schema: publicId }) application: string,
    @Param('event', { schema: publicId }) event: string,
    @CurrentPrincipal() principal: Principal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const row = await this.find(application, event, principal);
    const body = await this.events.readBody(row.id);
    if (!body) {
      throw new DomainError('GONE', `The body of the event "${event}" of "${application}" was erased.`);
    }
    await reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  private async find(application: string, event: string, principal: Principal): Promise<EventRow> {
    const row = coversApplication(principal, application) ? await this.events.find(application, event) : null;
    if (row) return row;
    throw new DomainError('NOT_FOUND', `The application "${application}" has no event "${event}".`);
  }
}
