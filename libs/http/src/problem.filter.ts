import { SECOND_MS } from '#domain/durations.js';
import { DomainError } from '#domain/errors.js';
import type { Logger } from '#observability/logger.js';
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { domainErrorOf, pathOf } from './domain-error-of.js';
import { JSON_TYPES } from './json-body.js';
import { PROBLEM_CONTENT_TYPE, problemOf } from './problem.js';
import type { RefusalListener } from './refusal-listener.js';
import type { RouteTable } from './route-table.js';

/** The one place where what was thrown becomes an answer. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** Known once the application is. */
  listener: RefusalListener | null = null;
  private outageLoggedAtMs = 0;

  constructor(
    private readonly logger: Logger,
    private readonly routes: RouteTable,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also for what the server refuses before any route is sought, and so before Nest. */
  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = this.wrongMethod(thrown, request, reply) ?? domainErrorOf(thrown, request);
    this.log(error, request);
    if (!isBrokenOff(request)) this.listener?.refused(error, request);
    if (reply.sent) return;
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    if (error.status === 415) reply.headers({ accept: JSON_TYPES.join(', '), 'accept-encoding': 'identity' });
    if (error.details.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(error.details.retryAfterSeconds));
    }
    const problem = JSON.stringify(problemOf(error, request.id));
    // As bytes: to a text the server would add a charset, which this type does not have.
    reply
      .code(error.status)
      .headers({ 'content-type': PROBLEM_CONTENT_TYPE, 'x-request-id': request.id })
      .send(Buffer.from(problem));
  }

  /** A path that exists, under another method: 405 and what it allows. */
  private wrongMethod(thrown: unknown, request: FastifyRequest, reply: FastifyReply): DomainError | null {
    if (!(thrown instanceof NotFoundException)) return null;
    const allowed = this.routes.methodsAt(pathOf(request));
    if (allowed.length === 0 || allowed.includes(request.method)) return null;
    reply.header('allow', allowed.join(', '));
    return new DomainError(
      'METHOD_NOT_ALLOWED',
      `${request.method} is not allowed at ${pathOf(request)}. It takes ${allowed.join(', ')}.`,
    );
  }

  private log(error: DomainError, request: FastifyRequest): void {
    if (error.status < 500) return;
    const members = {
      err: error.details.cause ?? error,
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
    };
    if (error.code === 'UNAVAILABLE') {
      // Every request of an outage fails alike: one line a second says it.
      if (Date.now() - this.outageLoggedAtMs < SECOND_MS) return;
      this.outageLoggedAtMs = Date.now();
      this.logger.warn(members, 'Requests are answered 503');
    } else {
      this.logger.error(members, 'Request failed');
    }
  }
}

/** Whether the client went away, or was cut off, in the middle of its request: nothing was refused then. */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return !raw.complete && raw.socket.destroyed;
}
