import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

export type Handler = (...args: unknown[]) => unknown;

/** A route as its controller declares it. */
export interface Route {
  readonly controller: Type;
  /** Of the controller's method. */
  readonly name: string;
  readonly handler: Handler;
  readonly method: string;
  /** With its parameters as they are registered: `/v1/endpoints/:id`. */
  readonly path: string;
}

/** The controllers of everything that an application is composed of. */
export function controllersIn(modules: ModulesContainer): Type[] {
  return [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) =>
      typeof metatype === 'function' ? [metatype as Type] : [],
    ),
  );
}

/** The same of a module that is not composed yet. */
export function controllersOf(module: DynamicModule | Type): Type[] {
  const dynamic = 'module' in module ? module : undefined;
  const type = dynamic?.module ?? (module as Type);
  const declared = (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, type) ?? []) as Type[];
  const imports = (dynamic?.imports ?? []) as (DynamicModule | Type)[];
  return [...declared, ...(dynamic?.controllers ?? []), ...imports.flatMap(controllersOf)];
}

export function routesOf(controller: Type): Route[] {
  const routes: Route[] = [];
  for (const name of new MetadataScanner().getAllMethodNames(controller.prototype as object)) {
    const handler = (controller.prototype as Record<string, Handler>)[name];
    const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    if (!handler || method === undefined) continue;
    routes.push({
      controller,
      name,
      handler,
      method: RequestMethod[method],
      path: pathOf(controller, handler),
    });
  }
  return routes;
}

/** What a decorator on the method says or, where that is silent, one on its controller. */
export function declared<Value>(key: string, { handler, controller }: Route): Value | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as Value | undefined;
}

function pathOf(controller: Type, handler: Handler): string {
  const parts = [Reflect.getMetadata(PATH_METADATA, controller), Reflect.getMetadata(PATH_METADATA, handler)];
  return `/${parts
    .flatMap((part) => String(part).split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
