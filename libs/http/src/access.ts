import type { Caller, Principal, Role } from '#domain/principal.js';
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who may call a route: anybody, or a key with one of the roles. */
export type Access = 'open' | readonly Role[];

export const ACCESS_METADATA = 'entrega:access';

/**
 * The roles whose keys may call the route, beside `admin`, which may call all. Every route carries this or
 * {@link Open}, itself or on its controller: nothing is open by default.
 */
export const Roles = (...roles: [Role, ...Role[]]) => SetMetadata(ACCESS_METADATA, roles);

/** The route needs no key. */
export const Open = () => SetMetadata(ACCESS_METADATA, 'open');

/** Whether the role is among those that the route names; `admin` always is. */
export function allows(access: readonly Role[], role: Role): boolean {
  return role === 'admin' || access.includes(role);
}

/** The {@link Principal} behind the request; only on routes with {@link Roles}. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  return principalOf(context.switchToHttp().getRequest());
});

/** The {@link Caller} for what the audit tells of; only on routes with {@link Roles}. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return { ...principalOf(request), requestId: request.id };
});

function principalOf({ principal }: FastifyRequest): Principal {
  if (!principal) throw new Error('Who calls is asked for on a route that is open.');
  return principal;
}
