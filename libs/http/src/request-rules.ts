import { randomBytes } from 'node:crypto';
import { DomainError, type FieldProblem } from '#domain/errors.js';
import type { Principal } from '#domain/principal.js';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allows } from './access.js';
import type { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { NEXT_WITHIN_SECONDS, RateLimiter } from './rate-limiter.js';
import type { RouteTable } from './route-table.js';
import { isStorable, unstorable } from './storable-text.js';
import { unknownName, validationFailed, WHOLE_BODY, WHOLE_QUERY } from './validation.js';

/**
 * The rules that hold for every route, in the order of a request's life: it gets an id, then its key is checked
 * and counted before any of its body is read, and once the body is read none of it may be left to nobody.
 *
 * They are hooks of the server and not guards of Nest: a guard runs when the body is already in memory.
 *
 * @param authenticator null where every route is open
 */
export function enforceRequestRules(
  server: FastifyInstance,
  routes: RouteTable,
  authenticator: ApiKeyAuthenticator | null,
): void {
  server.decorateRequest('principal', undefined);
  const limiter = new RateLimiter();

  server.addHook('onRoute', (route) => {
    const name = `${String(route.method)} ${route.url}`;
    const { access, bodyLimitBytes } = route.config ?? {};
    if (access === undefined) throw new Error(`${name} does not say who may call it.`);
    if (access !== 'open' && authenticator === null) {
      throw new Error(`${name} needs a key, and the application has no HttpEdgeModule to check it.`);
    }
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
    routes.add(route.method, route.url);
  });

  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') {
      throw new DomainError('MALFORMED_REQUEST', 'The request has no Host header, which HTTP/1.1 requires.');
    }
    // Before anything of the body is read, and whatever the method makes of a body.
    if (request.is404) throw new NotFoundException();
    const { access } = request.routeOptions.config;
    if (access === 'open') return;
    if (access === undefined || authenticator === null)
      throw new Error('A route without access was registered.');
    const { principal, rateLimitPerSecond } = await authenticator.authenticate(request.headers.authorization);
    request.principal = principal;
    if (rateLimitPerSecond !== null) countRequest(limiter, principal, rateLimitPerSecond, reply);
    if (!allows(access, principal.role)) {
      throw new DomainError(
        'FORBIDDEN',
        `The key "${principal.name}" has the role ${principal.role}; this needs ${[...new Set([...access, 'admin'])].join(' or ')}.`,
      );
    }
  });

  server.addHook('preHandler', async (request) => {
    const unread = unreadParts(request);
    if (unread.length > 0) throw validationFailed(unread);
  });
}

/**
 * Takes the request from what the key has left, and says so in the fields of draft-ietf-httpapi-ratelimit-headers-10.
 *
 * @throws DomainError TOO_MANY_REQUESTS
 */
function countRequest(
  limiter: RateLimiter,
  { id, name }: Principal,
  perSecond: number,
  reply: FastifyReply,
): void {
  const { granted, remaining } = limiter.take(id, perSecond);
  reply.header('ratelimit-policy', `"default";q=${perSecond};w=1`);
  reply.header('ratelimit', `"default";r=${remaining};t=${NEXT_WITHIN_SECONDS}`);
  if (granted) return;
  throw new DomainError(
    'TOO_MANY_REQUESTS',
    `The key "${name}" may make ${perSecond} requests a second. Wait a moment, and send events in batches.`,
    { retryAfterSeconds: NEXT_WITHIN_SECONDS },
  );
}

/** Ids that no other process gives: a random prefix for this one, and a count. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count += 1).toString(36)}`;
}

/** What the caller sent and the handler does not read, or nobody can. */
function unreadParts(request: FastifyRequest): FieldProblem[] {
  // A path with an empty parameter finds a route first, and Nest gives it up when its body is read.
  if (request.is404) return [];
  const { takesBody, takesQuery, rawJson } = request.routeOptions.config;
  const problems: FieldProblem[] = unreadableParameters(request);
  if (!takesQuery) {
    for (const name of Object.keys(request.query as object)) problems.push(unknownName(name, WHOLE_QUERY));
  }
  if (!takesBody && !rawJson && request.body !== undefined) {
    if (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)) {
      problems.push({
        pointer: '',
        code: 'WRONG_TYPE',
        message: 'Nothing is read from the body here. Send none.',
      });
    } else {
      for (const name of Object.keys(request.body)) problems.push(unknownName(name, WHOLE_BODY));
    }
  }
  return problems;
}

/** Parameters that hold a text that cannot be kept, or bytes that are none: the parser leaves those undecoded. */
function unreadableParameters({ query, raw: { url = '' } }: FastifyRequest): FieldProblem[] {
  if (!url.includes('%')) return [];
  const problems = Object.entries(query as Record<string, string | string[]>)
    .filter(([name, values]) => ![name, values].flat().every(isStorable))
    .map(([name]) => unstorable({ parameter: name }));
  const search = url.slice(url.indexOf('?') + 1);
  if (problems.length > 0 || isDecodable(search)) return problems;
  throw new DomainError('MALFORMED_REQUEST', 'The query of the URL has a broken percent-encoding.');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
