import {
  coversReplay,
  DeliveryRepairs,
  replayNotFound,
  type ReplayRequest,
} from '#delivery/repair/delivery-repairs.js';
import { DomainError } from '#domain/errors.js';
import type { Caller, Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentCaller, CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId } from '#http/ids.js';
import { type Page, pageOf, pageSchema } from '#http/list-query.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { Database } from '#storage/database.js';
import { DeliveryRepository } from '#storage/delivery.repository.js';
import { findReplay, listReplays } from '#storage/sql/replays.js';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type DeliveryAnswer, deliveryAnswer, deliveryAnswerSchema } from '../watching/delivery-answer.js';
import { redeliverDeadLettersBody, replayEndpointBody, replaysQuery } from './repair.schemas.js';
import {
  type PreviewAnswer,
  previewAnswer,
  previewAnswerSchema,
  type ReplayAnswer,
  replayAnswer,
  replayAnswerSchema,
} from './replay-answer.js';

/** What operators do about deliveries that did not arrive. */
@Topic('Repairing', 'What is done about deliveries that did not arrive.')
@Controller('v1')
@Roles('operator')
export class RepairController {
  constructor(
    private readonly repairs: DeliveryRepairs,
    private readonly deliveries: DeliveryRepository,
    private readonly database: Database,
  ) {}

  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  @Operation({
    id: 'redeliver',
    summary: 'Owe a delivery now',
    description:
      'A pending one in its cycle, any other in a new one. A disabled endpoint is sent to all the same.',
    answers: { 202: { description: 'Owed now.', schema: deliveryAnswerSchema } },
    refusals: ['ATTEMPT_IN_FLIGHT', 'ENDPOINT_REVOKED', 'BODY_NOT_KEPT', 'BODY_ERASED'],
  })
  async redeliver(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryAnswer> {
    await this.repairs.redeliver(id, caller);
    return this.answer(id);
  }

  @Post('deliveries/:id/cancel')
  @HttpCode(200)
  @Operation({
    id: 'cancelDelivery',
    summary: 'Cancel a delivery that waits',
    description: 'One that was delivered before is `delivered` again, any other `canceled`.',
    answers: { 200: { description: 'Canceled.', schema: deliveryAnswerSchema } },
    refusals: ['DELIVERY_NOT_PENDING', 'ATTEMPT_IN_FLIGHT'],
  })
  async cancelDelivery(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryAnswer> {
    await this.repairs.cancel(id, caller);
    return this.answer(id);
  }

  @Post('dead-letters/redeliver')
  @Operation({
    id: 'redeliverDeadLetters',
    summary: 'Redeliver many dead letters',
    description:
      'The set is fixed at acceptance and queued in the background, the oldest first, each delivery once. With ' +
      '`"dryRun": true` it is only counted. At least one filter is needed.',
    answers: {
      200: { description: 'What it would take (`dryRun`).', schema: previewAnswerSchema },
      202: { description: 'Begun.', schema: replayAnswerSchema, location: true },
    },
    refusals: ['NOT_FOUND'],
    bodyExamples: {
      count: { application: 'acme', dryRun: true },
      slowly: { endpoint: '251604938752001', since: '2025-01-31T02:10:00Z', ratePerSecond: 50 },
    },
  })
  redeliverDeadLetters(
    @Body({ schema: redeliverDeadLettersBody }) body: z.output<typeof redeliverDeadLettersBody>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayAnswer | PreviewAnswer> {
    const { application, endpoint, type, since, until, ids, dryRun, ratePerSecond } = body;
    const request: ReplayRequest = {
      kind: 'dead-letters',
      filter: {
        applications: application === undefined ? null : [application],
        endpoint: endpoint ?? null,
        type: type ?? null,
        since: since?.toISOString() ?? null,
        until: until?.toISOString() ?? null,
        ids: ids ?? null,
        states: ['dead', 'closed'],
      },
      ratePerSecond: ratePerSecond ?? null,
    };
    return this.run(request, dryRun, caller, reply);
  }

  @Post('endpoints/:id/replay')
  @Operation({
    id: 'replayEndpoint',
    summary: 'Send again what one endpoint had in a time',
    description:
      'By the time at which events were accepted. As for dead letters: in the background, each delivery once, `dryRun`.',
    answers: {
      200: { description: 'What it would take (`dryRun`).', schema: previewAnswerSchema },
      202: { description: 'Begun.', schema: replayAnswerSchema, location: true },
    },
    refusals: ['ENDPOINT_REVOKED', 'ENDPOINT_DISABLED'],
    bodyExamples: {
      missed: {
        since: '2025-01-31T02:00:00Z',
        until: '2025-01-31T03:00:00Z',
        states: ['suppressed', 'dead'],
      },
    },
  })
  replayEndpoint(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: replayEndpointBody }) body: z.output<typeof replayEndpointBody>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReplayAnswer | PreviewAnswer> {
    const request: ReplayRequest = {
      kind: 'endpoint',
      filter: {
        applications: null,
        endpoint: id,
        type: null,
        since: body.since.toISOString(),
        until: body.until?.toISOString() ?? null,
        ids: null,
        states: [...new Set(body.states)],
      },
      ratePerSecond: body.ratePerSecond ?? null,
    };
    return this.run(request, body.dryRun, caller, reply);
  }

  @Get('replays')
  @Operation({
    id: 'listReplays',
    summary: 'List replays, the newest first',
    answers: { 200: { description: 'A page.', schema: pageSchema(replayAnswerSchema) } },
  })
  async list(
    @Query({ schema: replaysQuery }) query: z.output<typeof replaysQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<ReplayAnswer>> {
    const rows = await listReplays(this.database, principal.applications, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, replayAnswer);
  }

  @Get('replays/:id')
  @Operation({
    id: 'getReplay',
    summary: 'Read how far a replay is',
    answers: { 200: { description: 'The replay.', schema: replayAnswerSchema } },
  })
  async one(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ReplayAnswer> {
    const replay = await findReplay(this.database, id);
    if (!replay || !coversReplay(principal, replay)) throw replayNotFound(id);
    return replayAnswer(replay);
  }

  @Post('replays/:id/cancel')
  @HttpCode(200)
  @Operation({
    id: 'cancelReplay',
    summary: 'Stop a replay',
    description: 'What it queued already is sent.',
    answers: { 200: { description: 'Stopped.', schema: replayAnswerSchema } },
    refusals: ['CONFLICT'],
  })
  async cancel(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentCaller() caller: Caller,
  ): Promise<ReplayAnswer> {
    return replayAnswer(await this.repairs.cancelReplay(id, caller));
  }

  private async answer(id: TimeOrderedId): Promise<DeliveryAnswer> {
    const delivery = await this.deliveries.find(id);
    if (!delivery) throw new DomainError('NOT_FOUND', `There is no delivery ${id}.`);
    return deliveryAnswer(delivery);
  }

  private async run(
    request: ReplayRequest,
    dryRun: boolean,
    caller: Caller,
    reply: FastifyReply,
  ): Promise<ReplayAnswer | PreviewAnswer> {
    if (dryRun) {
      reply.code(200);
      return previewAnswer(await this.repairs.preview(request, caller));
    }
    const replay = await this.repairs.replay(request, caller);
    reply.code(202).header('location', `/v1/replays/${replay.id}`);
    return replayAnswer(replay);
  }
}
