import {
  coversReplay,
  DeliveryRepairs,
  replayNotFound,
  type ReplayRequest,
} from '#delivery/repair/delivery-repairs.js';
import { DomainError } from '#domain/errors.js';
import type { Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { decimalId } from '#http/ids.js';
import { type Page, pageOf } from '#http/list-query.js';
import { Database } from '#storage/database.js';
import { DeliveryRepository } from '#storage/delivery.repository.js';
import { findReplay, listReplays } from '#storage/sql/replays.js';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type DeliveryAnswer, deliveryAnswer } from '../watching/delivery-answer.js';
import { redeliverDeadLettersBody, replayEndpointBody, replaysQuery } from './repair.schemas.js';
import { type PreviewAnswer, previewAnswer, type ReplayAnswer, replayAnswer } from './replay-answer.js';

/** What operators do about deliveries that did not arrive. */
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
  async redeliver(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<DeliveryAnswer> {
    await this.repairs.redeliver(id, principal);
    return this.answer(id);
  }

  @Post('deliveries/:id/cancel')
  @HttpCode(200)
  async cancelDelivery(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<DeliveryAnswer> {
    await this.repairs.cancel(id, principal);
    return this.answer(id);
  }

  @Post('dead-letters/redeliver')
  redeliverDeadLetters(
    @Body({ schema: redeliverDeadLettersBody }) body: z.output<typeof redeliverDeadLettersBody>,
    @CurrentPrincipal() principal: Principal,
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
    return this.run(request, dryRun, principal, reply);
  }

  @Post('endpoints/:id/replay')
  replayEndpoint(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @Body({ schema: replayEndpointBody }) body: z.output<typeof replayEndpointBody>,
    @CurrentPrincipal() principal: Principal,
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
    return this.run(request, body.dryRun, principal, reply);
  }

  @Get('replays')
  async list(
    @Query({ schema: replaysQuery }) query: z.output<typeof replaysQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<Page<ReplayAnswer>> {
    const rows = await listReplays(this.database, principal.applications, query.after, query.limit + 1);
    return pageOf(query, rows, (row) => row.id, replayAnswer);
  }

  @Get('replays/:id')
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
  async cancel(
    @Param('id', { schema: decimalId }) id: TimeOrderedId,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ReplayAnswer> {
    return replayAnswer(await this.repairs.cancelReplay(id, principal));
  }

  private async answer(id: TimeOrderedId): Promise<DeliveryAnswer> {
    const delivery = await this.deliveries.find(id);
    if (!delivery) throw new DomainError('NOT_FOUND', `There is no delivery ${id}.`);
    return deliveryAnswer(delivery);
  }

  private async run(
    request: ReplayRequest,
    dryRun: boolean,
    principal: Principal,
    reply: FastifyReply,
  ): Promise<ReplayAnswer | PreviewAnswer> {
    if (dryRun) {
      reply.code(200);
      return previewAnswer(await this.repairs.preview(request, principal));
    }
    const replay = await this.repairs.replay(request, principal);
    reply.code(202).header('location', `/v1/replays/${replay.id}`);
    return replayAnswer(replay);
  }
}
