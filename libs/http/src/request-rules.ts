import { randomBytes } from 'node:crypto';
import { DomainError, type FieldProblem } from '#domain/errors.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { allows } from './access.js';
import type { ApiKeyAuthenticator } from './api-key-authenticator.js';
import type { RouteTable } from './route-table.js';
import { unknownName, validationFailed, WHOLE_BODY, WHOLE_QUERY } from './validation.js';

/**
 * The rules that hold for every route, in the order of a request's life: it gets an id, then its key is checked
 * before any of its body is read, and once the body is read none of it may be left to nobody.
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
    const { access } = request.routeOptions.config;
    if (request.is404 || access === 'open') return;
    if (access === undefined || authenticator === null)
      throw new Error('A route without access was registered.');
    const principal = await authenticator.authenticate(request.headers.authorization);
    request.principal = principal;
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

/** Ids that no other process gives: a random prefix for this one, and a count. */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count += 1).toString(36)}`;
}

/** What the caller sent and the handler does not read. */
function unreadParts(request: FastifyRequest): FieldProblem[] {
  if (request.is404) return [];
  const { takesBody, takesQuery, rawJson } = request.routeOptions.config;
  const problems: FieldProblem[] = [];
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
