import type { Principal, Role } from '#domain/principal.js';
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
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('@CurrentPrincipal() stands on a route that is open.');
  return principal;
});
