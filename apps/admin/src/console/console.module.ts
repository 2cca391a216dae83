import '#http/request.js';
import fastifyStatic from '@fastify/static';
import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { DAY_MS } from '#domain/durations.js';
import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CONSOLE_POLICY } from './console-policy.js';

/** Where the build puts it. */
export const BUILT_CONSOLE = join(dirname(findPackageJSON('..', import.meta.url)!), 'dist/apps/console');
const ROOT = Symbol('the root of the console');
const YEAR_MS = 365 * DAY_MS;

/** Nobody needs a key for the page: it holds nothing, and every call that it makes carries the key of its user. */
const OPEN = { access: 'open', takesQuery: true } as const;

/**
 * Serves the operator's console as it was built. Its routes are registered past Nest, for they are no calls of the
 * API: what lies under assets/ has its content's hash in its name and never changes, every other path is the one
 * page, which finds its screen in the address.
 */
@Module({})
export class ConsoleModule implements OnModuleInit {
  /** @param root of the files that the build makes */
  static from(root: string): DynamicModule {
    return { module: ConsoleModule, providers: [{ provide: ROOT, useValue: root }] };
  }

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(ROOT) private readonly root: string,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Not awaited: that would begin the server's start before Nest has given it our error handler.
    void server.register(fastifyStatic, { root: this.root, serve: false });
    server.get('/console', { config: OPEN }, (_, reply) => this.page(reply));
    server.get('/console/*', { config: OPEN }, (_, reply) => this.page(reply));
    server.get<{ Params: { file: string } }>('/console/assets/:file', { config: OPEN }, (request, reply) =>
      reply
        .header('x-content-type-options', 'nosniff')
        .sendFile(`assets/${request.params.file}`, { maxAge: YEAR_MS, immutable: true }),
    );
  }

  private page(reply: FastifyReply): FastifyReply {
    if (!existsSync(join(this.root, 'index.html'))) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The console is not built here. Run: npm run build\n');
    }
    return reply
      .header('content-security-policy', CONSOLE_POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .sendFile('index.html', { cacheControl: false });
  }
}
