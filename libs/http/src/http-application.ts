import 'reflect-metadata';
import './request.js';
import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import type { Logger } from '#observability/logger.js';
import type { HttpMetrics } from '#observability/metrics/http-metrics.js';
import { NestLogger } from '#observability/nest-logger.js';
import type { Abstract, DynamicModule, Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Tracer } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { DEFAULT_BODY_LIMIT_BYTES } from './body-rules.js';
import { answerClientErrors } from './client-errors.js';
import { closeUnusedConnections } from './unused-connections.js';
import { readJsonBodies } from './json-body.js';
import { ProblemFilter } from './problem.filter.js';
import { enforceRequestRules, requestIds } from './request-rules.js';
import { RefusalListener } from './refusal-listener.js';
import { measureRequests } from './request-metrics.js';
import { traceRequests } from './request-trace.js';
import { RequestValidationPipe } from './request-validation.pipe.js';
import { declareRoutes } from './route-declarations.js';
import { RouteTable } from './route-table.js';

/** Within this a whole request must have arrived, however it trickles in. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/** How often Node looks for requests that are late; by itself each half minute. */
const LATE_REQUESTS_EVERY_MS = SECOND_MS;
/** Longer than load balancers keep an idle connection, so that they, not we, close it. */
const KEEP_ALIVE_TIMEOUT_MS = 75 * SECOND_MS;

/**
 * An application with every rule of the HTTP interface: keys and roles, JSON bodies, validation, problem
 * documents, request ids, time limits. It is initialised and does not listen yet.
 *
 * `app.close()` finishes the requests under way and closes all other connections. Nest calls `onModuleDestroy` and
 * `beforeApplicationShutdown` before it closes the server: what requests need must live until
 * `onApplicationShutdown`.
 *
 * @param options.metrics told of every request that was answered
 * @param options.tracer absent where nothing is traced
 * @param options.requestTimeoutMs within which a whole request must have arrived; shorter for tests
 * @throws when a route does not say who may call it, naming it
 */
export async function createHttpApplication(
  module: Type | DynamicModule,
  options: {
    logger: Logger;
    metrics?: HttpMetrics;
    tracer?: Tracer | undefined;
    requestTimeoutMs?: number;
  },
): Promise<NestFastifyApplication> {
  const requestId = requestIds();
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const routes = new RouteTable();
  const problems = new ProblemFilter(options.logger, routes);
  const adapter = new FastifyAdapter({
    bodyLimit: DEFAULT_BODY_LIMIT_BYTES,
    genReqId: requestId,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 2 * MINUTE_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      // Node takes the shorter of the two for the headers and the longer for the whole request.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(LATE_REQUESTS_EVERY_MS, requestTimeoutMs),
      // Node's own answer is bare: see the first of the request rules.
      requireHostHeader: false,
    },
    // Nest's middleware costs every request a pass through it, and nothing here is middleware.
    skipMiddie: true,
    // A connection that is open when we close is served to the end of its request.
    return503OnClosing: false,
    clientErrorHandler: answerClientErrors(requestId),
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      problems.answer(error, request, reply),
    routerOptions: { maxParamLength: 256 },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(options.logger),
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: false,
  });
  const server = app.getHttpAdapter().getInstance();
  const modules = app.get(ModulesContainer);
  const provided = <Service>(token: Type<Service> | Abstract<Service>): Service | null =>
    [...modules.values()].some(({ providers }) => providers.has(token))
      ? app.get(token, { strict: false })
      : null;
  declareRoutes(modules);
  if (options.metrics) measureRequests(server, options.metrics);
  if (options.tracer) traceRequests(server, options.tracer);
  closeUnusedConnections(server);
  readJsonBodies(server);
  enforceRequestRules(server, routes, provided(ApiKeyAuthenticator));
  problems.listener = provided(RefusalListener);
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(problems);
  // An expectation that nobody knows is no reason to refuse what comes with it (RFC 9110, 10.1.1).
  app.getHttpServer().on('checkExpectation', (...request) => app.getHttpServer().emit('request', ...request));
  await app.init();
  await server.ready();
  return app;
}
