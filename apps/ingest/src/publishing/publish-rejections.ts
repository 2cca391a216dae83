import { coversApplication, type Principal } from '#domain/principal.js';
import { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { type EventNames, namesIn, NO_NAMES } from '#delivery/accept/event-envelope.js';
import { type DomainError, ERROR_CATALOGUE } from '#domain/errors.js';
import type { JsonNode } from '#domain/json-source.js';
import { RefusalListener } from '#http/refusal-listener.js';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const SINGLE = '/v1/events';
const BATCH = '/v1/events/batch';

/**
 * Lists what publishers with a key were refused over HTTP. What may succeed later unchanged was refused for a
 * reason of ours, or of the moment, and is no rejection.
 */
@Injectable()
export class PublishRejections extends RefusalListener {
  constructor(private readonly acceptor: EventAcceptor) {
    super();
  }

  /** A whole request, also where it was refused before anybody read its body. */
  refused(error: DomainError, request: FastifyRequest): void {
    if (request.principal === undefined || request.method !== 'POST') return;
    const { url } = request.routeOptions;
    if (url !== SINGLE && url !== BATCH) return;
    // Nothing was to be published.
    if ((request.query as { dryRun?: unknown }).dryRun === 'true') return;
    const names = url === SINGLE && request.rawJson !== undefined ? namesIn(request.rawJson) : NO_NAMES;
    this.note(error, names, request.id, request.principal);
  }

  /** One event of a batch, the others of which may be accepted. */
  refusedInBatch(error: DomainError, source: JsonNode, index: number, request: FastifyRequest): void {
    this.note(error, namesIn(source.source), `${request.id}/events/${index}`, request.principal);
  }

  private note(error: DomainError, names: EventNames, origin: string, principal?: Principal): void {
    if (ERROR_CATALOGUE[error.code].retriable) return;
    // What a stranger says of an application is not for those who look after it.
    const covered =
      names.application !== null && principal && coversApplication(principal, names.application);
    const application = covered ? names.application : null;
    this.acceptor.rejections.note({
      names: { ...names, application },
      via: 'http',
      code: error.code,
      detail: error.message,
      origin,
    });
  }
}
