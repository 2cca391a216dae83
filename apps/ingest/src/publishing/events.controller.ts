import { EventAcceptor, type PublishAnswer, type PublishOutcome } from '#delivery/accept/event-acceptor.js';
import { DomainError } from '#domain/errors.js';
import { memberValue } from '#domain/json-source.js';
import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { BodyLimit, RawJson } from '#http/body-rules.js';
import { type Problem, problemOf } from '#http/problem.js';
import { unknownName, validationFailed, WHOLE_BODY } from '#http/validation.js';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PublishRejections } from './publish-rejections.js';
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS, readBody, readEvent } from './published-event.js';

interface BatchAnswer {
  accepted: number;
  duplicates: number;
  rejected: number;
  results: ((PublishAnswer & { status: 202 }) | Problem)[];
}

@Controller('v1/events')
@Roles('producer')
export class EventsController {
  constructor(
    private readonly acceptor: EventAcceptor,
    private readonly rejections: PublishRejections,
  ) {}

  @Post()
  @HttpCode(202)
  @RawJson()
  publish(@Req() request: FastifyRequest, @CurrentPrincipal() principal: Principal): Promise<PublishAnswer> {
    return this.acceptor.publish(readEvent(readBody(request.rawJson), principal));
  }

  @Post('batch')
  @HttpCode(207)
  @RawJson()
  @BodyLimit(MAX_BATCH_BYTES)
  async publishBatch(
    @Req() request: FastifyRequest,
    @CurrentPrincipal() principal: Principal,
  ): Promise<BatchAnswer> {
    const sources = eventsOf(request.rawJson);
    const outcomes = new Array<PublishOutcome>(sources.length);
    const valid: { index: number; event: ReturnType<typeof readEvent> }[] = [];
    for (const [index, source] of sources.entries()) {
      try {
        valid.push({ index, event: readEvent(source, principal) });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes[index] = { ok: false, error };
      }
    }
    const published = await this.acceptor.publishAll(valid.map((entry) => entry.event));
    valid.forEach(({ index }, position) => (outcomes[index] = published[position]!));
    outcomes.forEach((outcome, index) => {
      if (!outcome.ok) this.rejections.refusedInBatch(outcome.error, sources[index]!, index, request);
    });
    return answerOf(outcomes, request.id);
  }
}

function eventsOf(rawJson: string | undefined) {
  const body = readBody(rawJson);
  const events = body.kind === 'object' ? memberValue(body, 'events') : undefined;
  const unknown =
    body.kind === 'object'
      ? body.members.filter(({ key }) => key !== 'events').map(({ key }) => unknownName(key, WHOLE_BODY))
      : [];
  if (events?.kind !== 'array' || unknown.length > 0) {
    throw validationFailed([
      ...(events?.kind === 'array'
        ? []
        : [
            {
              pointer: '/events',
              code: 'REQUIRED',
              message: 'Send {"events": [ … ]}, each as for POST /v1/events.',
            },
          ]),
      ...unknown,
    ]);
  }
  const { length } = events.items;
  if (length === 0 || length > MAX_BATCH_EVENTS) {
    throw validationFailed([
      {
        pointer: '/events',
        code: length === 0 ? 'TOO_SHORT' : 'TOO_LONG',
        message: `A batch has 1 to ${MAX_BATCH_EVENTS} events; this one has ${length}.`,
      },
    ]);
  }
  return events.items;
}

function answerOf(outcomes: readonly PublishOutcome[], requestId: string): BatchAnswer {
  const answer: BatchAnswer = { accepted: 0, duplicates: 0, rejected: 0, results: [] };
  for (const outcome of outcomes) {
    if (!outcome.ok) answer.rejected++;
    else if (outcome.answer.duplicate) answer.duplicates++;
    else answer.accepted++;
    answer.results.push(
      outcome.ok ? { ...outcome.answer, status: 202 } : problemOf(outcome.error, requestId),
    );
  }
  return answer;
}
