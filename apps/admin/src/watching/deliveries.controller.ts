import { DomainError } from '#domain/errors.js';
import { coversApplication, type Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { validationFailed } from '#http/validation.js';
import { AttemptRepository } from '#storage/attempt.repository.js';
import { type DeliveryFilter, DeliveryRepository, type DeliveryRow } from '#storage/delivery.repository.js';
import { EventRepository } from '#storage/event.repository.js';
import { Controller, Get, Param, Query } from '@nestjs/common';
import type { z } from 'zod';
import {
  type AttemptAnswer,
  attemptAnswer,
  attemptAnswerSchema,
  type WholeAttemptAnswer,
  wholeAttemptAnswer,
  wholeAttemptSchema,
} from './attempt-answer.js';
import { type DeliveryAnswer, deliveryAnswer, deliveryAnswerSchema } from './delivery-answer.js';
import { visibleApplications } from './visible-applications.js';
import { attemptNumber, attemptsQuery, deadLettersQuery, deliveriesQuery } from './watching.schemas.js';

@Topic('Watching', 'Events, deliveries and attempts as they went.')
@Controller('v1')
@Roles('producer', 'operator')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly attempts: AttemptRepository,
    private readonly events: EventRepository,
  ) {}

  @Get('deliveries')
  @Operation({
    id: 'listDeliveries',
    summary: 'List deliveries, the newest first',
    answers: { 200: { description: 'A page.', schema: pageSchema(deliveryAnswerSchema) } },
  })
  async list(
    @Query({ schema: deliveriesQuery }) query: z.output<typeof deliveriesQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<DeliveryAnswer>> {
    const filter = await this.filterOf(query.filters, principal);
    const { rows, stoppedAt } = await this.deliveries.list(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, deliveryAnswer, stoppedAt);
  }

  @Get('dead-letters')
  @Operation({
    id: 'listDeadLetters',
    summary: 'List deliveries whose attempts are used up, the last ended first',
    answers: { 200: { description: 'A page.', schema: pageSchema(deliveryAnswerSchema) } },
  })
  async listDeadLetters(
    @Query({ schema: deadLettersQuery }) query: z.output<typeof deadLettersQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<DeliveryAnswer>> {
    const filter = await this.filterOf(query.filters, principal);
    const { rows, stoppedAt } = await this.deliveries.listDeadLetters(filter, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => ({ at: row.finishedAt!, id: row.id }), deliveryAnswer, stoppedAt);
  }

  @Get('deliveries/:id')
  @Operation({
    id: 'getDelivery',
    summary: 'Read a delivery',
    answers: { 200: { description: 'The delivery.', schema: deliveryAnswerSchema } },
  })
  async one(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<DeliveryAnswer> {
    return deliveryAnswer(await this.find(id, principal));
  }

  /** In the order in which they ended. */
  @Get('deliveries/:id/attempts')
  @Operation({
    id: 'listAttempts',
    summary: "List a delivery's attempts, in the order in which they ended",
    answers: { 200: { description: 'A page.', schema: pageSchema(attemptAnswerSchema) } },
  })
  async listAttempts(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Query({ schema: attemptsQuery }) query: z.output<typeof attemptsQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<AttemptAnswer>> {
    await this.find(id, principal);
    const rows = await this.attempts.list(id, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, attemptAnswer);
  }

  @Get('deliveries/:id/attempts/:number')
  @Operation({
    id: 'getAttempt',
    summary: 'Read an attempt: its request and its response as they were',
    description: 'Credentials are masked in both, also where the receiver repeated them.',
    answers: { 200: { description: 'The attempt.', schema: wholeAttemptSchema } },
  })
  async oneAttempt(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Param('number', { schema: attemptNumber }) number: number,
    @CurrentPrincipal() principal: Principal,
  ): Promise<WholeAttemptAnswer> {
    const delivery = await this.find(id, principal);
    const attempt = await this.attempts.find(id, number);
    if (!attempt) throw new DomainError('NOT_FOUND', `The delivery ${id} has no attempt ${number}.`);
    return wholeAttemptAnswer(attempt, delivery, await this.events.readBody(delivery.eventId));
  }

  private async find(id: TimeOrderedId, principal: Principal): Promise<DeliveryRow> {
    const delivery = await this.deliveries.find(id);
    if (delivery && coversApplication(principal, delivery.applicationId)) return delivery;
    throw new DomainError('NOT_FOUND', `There is no delivery ${id}.`);
  }

  private async filterOf(
    filters: z.output<typeof deliveriesQuery>['filters'],
    principal: Principal,
  ): Promise<DeliveryFilter> {
    const { state, application, endpoint, event, type, since, until } = filters;
    if (event && !application) {
      const message = 'An event id belongs to an application. Send application too.';
      throw validationFailed([{ parameter: 'event', code: 'REQUIRES_APPLICATION', message }]);
    }
    const applications = visibleApplications(principal, application);
    const events = event && (await this.events.findIds(applications, event));
    return { applications, states: state, endpoints: endpoint, events, types: type, since, until };
  }
}
