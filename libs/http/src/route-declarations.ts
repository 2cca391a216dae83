import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { ModulesContainer } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import { type Access, ACCESS_METADATA } from './access.js';
import { BODY_LIMIT_METADATA, RAW_JSON_METADATA } from './body-rules.js';
import { controllersIn, declared, type Route, routesOf } from './routes.js';

/**
 * Reads what every route declares and puts it where the server finds it at each request without looking
 * anything up: `request.routeOptions.config`. Runs once, before the routes are registered.
 *
 * @throws naming every route that carries neither `@Roles(...)` nor `@Open()`
 */
export function declareRoutes(modules: ModulesContainer): void {
  const undeclared: string[] = [];
  for (const route of controllersIn(modules).flatMap(routesOf)) {
    const access = declared<Access>(ACCESS_METADATA, route);
    if (access === undefined) {
      undeclared.push(`${route.method} ${route.path} (${route.controller.name}.${route.name})`);
      continue;
    }
    const bodyLimitBytes = declared<number>(BODY_LIMIT_METADATA, route);
    const config: FastifyContextConfig = {
      access,
      takesBody: takes(RouteParamtypes.BODY, route),
      rawJson: declared<boolean>(RAW_JSON_METADATA, route) ?? false,
      takesQuery: takes(RouteParamtypes.QUERY, route),
      ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    };
    RouteConfig(config)(route.handler);
  }
  if (undeclared.length > 0) {
    throw new Error(`Who may call these routes? Give each @Roles(...) or @Open(): ${undeclared.join(', ')}.`);
  }
}

/** Whether a parameter of the handler is bound to the body (or the query): keys look like `3:0`, type:index. */
function takes(type: RouteParamtypes, { controller, name }: Route): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as object;
  return Object.keys(parameters).some((key) => key.startsWith(`${type}:`));
}
