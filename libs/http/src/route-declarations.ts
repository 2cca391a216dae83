import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import { type Access, ACCESS_METADATA } from './access.js';
import { BODY_LIMIT_METADATA, RAW_JSON_METADATA } from './body-rules.js';

type Handler = (...args: unknown[]) => unknown;

/**
 * Reads what every route declares and puts it where the server finds it at each request without looking
 * anything up: `request.routeOptions.config`. Runs once, before the routes are registered.
 *
 * @throws naming every route that carries neither `@Roles(...)` nor `@Open()`
 */
export function declareRoutes(modules: ModulesContainer): void {
  const undeclared: string[] = [];
  for (const { controllers } of modules.values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype === 'function') undeclared.push(...declareRoutesOf(metatype as Type));
    }
  }
  if (undeclared.length > 0) {
    throw new Error(`Who may call these routes? Give each @Roles(...) or @Open(): ${undeclared.join(', ')}.`);
  }
}

function declareRoutesOf(controller: Type): string[] {
  const undeclared: string[] = [];
  for (const name of new MetadataScanner().getAllMethodNames(controller.prototype as object)) {
    const handler = (controller.prototype as Record<string, Handler>)[name];
    if (!handler || Reflect.getMetadata(METHOD_METADATA, handler) === undefined) continue;
    const access = declared<Access>(ACCESS_METADATA, handler, controller);
    if (access === undefined) {
      undeclared.push(describeRoute(controller, name, handler));
      continue;
    }
    const bodyLimitBytes = declared<number>(BODY_LIMIT_METADATA, handler, controller);
    const config: FastifyContextConfig = {
      access,
      takesBody: takes(RouteParamtypes.BODY, controller, name),
      rawJson: declared<boolean>(RAW_JSON_METADATA, handler, controller) ?? false,
      takesQuery: takes(RouteParamtypes.QUERY, controller, name),
      ...(bodyLimitBytes !== undefined && { bodyLimitBytes }),
    };
    RouteConfig(config)(handler);
  }
  return undeclared;
}

function declared<Value>(key: string, handler: Handler, controller: Type): Value | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as Value | undefined;
}

/** Whether a parameter of the handler is bound to the body (or the query): keys look like `3:0`, type:index. */
function takes(type: RouteParamtypes, controller: Type, methodName: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName) ?? {}) as object;
  return Object.keys(parameters).some((key) => key.startsWith(`${type}:`));
}

function describeRoute(controller: Type, name: string, handler: Handler): string {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  const path = [Reflect.getMetadata(PATH_METADATA, controller), Reflect.getMetadata(PATH_METADATA, handler)]
    .map((part) => String(part).replace(/^\/|\/$/g, ''))
    .filter((part) => part !== '')
    .join('/');
  return `${method} /${path} (${controller.name}.${name})`;
}
