import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { AdminModule } from '#apps/admin/src/admin.module.js';
import { IngestModule } from '#apps/ingest/src/ingest.module.js';
import { ERROR_CATALOGUE } from '#domain/errors.js';
import { type Access, ACCESS_METADATA } from '#http/access.js';
import { HealthModule } from '#http/health/health.module.js';

const REFERENCE = new URL('../docs/reference/api.md', import.meta.url);

/** Registered without what it works with: only what it declares is looked at. */
const MODULES: DynamicModule[] = [
  IngestModule.register(undefined as never),
  AdminModule.register({ edge: { module: class {} } } as never),
  HealthModule.withProbe(undefined as never),
];

function controllersOf(module: DynamicModule | Type): Type[] {
  const dynamic = 'module' in module ? module : undefined;
  const type = dynamic?.module ?? (module as Type);
  const declared = (Reflect.getMetadata('controllers', type) ?? []) as Type[];
  const imports = (dynamic?.imports ?? []) as (DynamicModule | Type)[];
  return [...declared, ...(dynamic?.controllers ?? []), ...imports.flatMap(controllersOf)];
}

function routesOf(controller: Type): string[] {
  const prefix = (Reflect.getMetadata('path', controller) as string | undefined) ?? '';
  const handlers = Object.getOwnPropertyNames(controller.prototype).map(
    (name) => (controller.prototype as Record<string, object>)[name]!,
  );
  return handlers.flatMap((handler) => {
    if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return [];
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!;
    const path = [prefix, Reflect.getMetadata('path', handler) as string]
      .flatMap((part) => part.split('/'))
      .filter((part) => part !== '')
      .join('/');
    const access = (Reflect.getMetadata(ACCESS_METADATA, handler) ??
      Reflect.getMetadata(ACCESS_METADATA, controller)) as Access;
    return [`| \`${method} /${path}\` | ${access === 'open' ? 'anybody' : access.join(', ')} |`];
  });
}

function generated(): Record<string, string[]> {
  const routes = MODULES.flatMap(controllersOf).flatMap(routesOf);
  const byPath = (row: string) => row.replace(/^\| `[A-Z]+ /, '');
  routes.sort((a, b) => byPath(a).localeCompare(byPath(b), 'en') || a.localeCompare(b, 'en'));
  return {
    routes: ['| route | roles beside `admin` |', '|---|---|', ...routes],
    codes: [
      '| code | status | the same call may succeed later | |',
      '|---|---|---|---|',
      ...Object.entries(ERROR_CATALOGUE).map(
        ([code, { status, retriable, title }]) =>
          `| \`${code}\` | ${status} | ${retriable ? 'yes' : ''} | ${title} |`,
      ),
    ],
  };
}

it('docs/reference/api.md names every route with its roles and every code (UPDATE_GENERATED=1 writes it)', async () => {
  const present = await readFile(REFERENCE, 'utf8');
  let expected = present;
  for (const [name, lines] of Object.entries(generated())) {
    const block = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
    expect(present).toMatch(block);
    expected = expected.replace(
      block,
      (_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`,
    );
  }
  if (process.env['UPDATE_GENERATED'] === '1') await writeFile(REFERENCE, expected);
  expect(await readFile(REFERENCE, 'utf8')).toBe(expected);
});
