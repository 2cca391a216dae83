import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import type { PublishOutcome } from '#delivery/accept/publish-outcome.js';
import { publishedEventSchema } from '#delivery/accept/event-envelope.js';
import { DomainError } from '#domain/errors.js';
import { memberValue } from '#domain/json-source.js';
import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { BodyLimit, RawJson } from '#http/body-rules.js';
import { documentedAs } from '#http/openapi/json-schema.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { problemOf } from '#http/problem.js';
import { traceContextOf } from '#http/request-trace.js';
import { unknownName, validationFailed, WHOLE_BODY } from '#http/validation.js';
import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type BatchAnswer,
  batchAnswerSchema,
  type PublishAnswer,
  publishAnswerSchema,
  publishTrialAnswer,
  type PublishTrialAnswer,
  publishTrialSchema,
} from './publish-answer.js';
import { PublishRejections } from './publish-rejections.js';
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS, readBody, readEvent } from './published-event.js';

const batchSchema = z.strictObject({
  events: z.array(publishedEventSchema).min(1).max(MAX_BATCH_EVENTS),
});

const publishQuery = z.strictObject({
  dryRun: documentedAs(
    z.enum(['true', 'false']).transform((text) => text === 'true'),
    z.boolean(),
  )
    .default(false)
    .describe('Only says what would happen.'),
});

const EVENT_EXAMPLE = {
  application: 'acme',
  type: 'cte.event.registered',
  id: 'cte-35250112345678000195570010000000011000000010-110180-1',
  data: { event_code: '110180', n_seq: '1', protocolo: '135250000000001' },
};

@Topic('Publishing', 'Events in, and what was refused.')
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
  @Operation({
    id: 'publishEvent',
    summary: 'Publish an event',
    description:
      'Answered once the event and its deliveries are durable. The same `id` with the same type and data is a duplicate, ' +
      'with others a conflict. After a 503, or no answer, publish the same again: under its own id nothing is doubled.\n\n' +
      'With `dryRun=true` it is judged, built and addressed in the same way, and nothing of it is kept.',
    answers: {
      200: { description: 'What it would bring about (`dryRun`).', schema: publishTrialSchema },
      202: { description: 'Accepted.', schema: publishAnswerSchema },
    },
    refusals: ['UNKNOWN_APPLICATION', 'APPLICATION_NOT_ALLOWED', 'EVENT_ID_REUSED'],
    body: publishedEventSchema,
    bodyExamples: { registered: EVENT_EXAMPLE },
  })
  async publish(
    @Req() request: FastifyRequest,
    @Query({ schema: publishQuery }) query: z.output<typeof publishQuery>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PublishAnswer | PublishTrialAnswer> {
    const event = readEvent(readBody(request.rawJson), principal);
    if (query.dryRun) {
      reply.code(200);
      return publishTrialAnswer(await this.acceptor.tryOut(event));
    }
    return this.acceptor.publish({ ...event, traceContext: traceContextOf(request) }, request.id);
  }

  @Post('batch')
  @HttpCode(207)
  @RawJson()
  @BodyLimit(MAX_BATCH_BYTES)
  @Operation({
    id: 'publishBatch',
    summary: 'Publish up to a thousand events',
    description: 'A bad one does not spoil the others; pointers of its refusal are relative to the event.',
    answers: { 207: { description: 'Each was judged by itself.', schema: batchAnswerSchema } },
    body: batchSchema,
    bodyExamples: { one: { events: [EVENT_EXAMPLE] } },
  })
  async publishBatch(
    @Req() request: FastifyRequest,
    @CurrentPrincipal() principal: Principal,
  ): Promise<BatchAnswer> {
    const sources = eventsOf(request.rawJson);
    const traceContext = traceContextOf(request);
    const outcomes = new Array<PublishOutcome>(sources.length);
    const valid: { index: number; event: ReturnType<typeof readEvent> }[] = [];
    for (const [index, source] of sources.entries()) {
      try {
        valid.push({ index, event: { ...readEvent(source, principal), traceContext } });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes[index] = { ok: false, error };
      }
    }
    const published = await this.acceptor.publishAll(
      valid.map((entry) => entry.event),
      { via: 'http', requests: [request.id], refused: sources.length - valid.length },
    );
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
