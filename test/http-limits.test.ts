import { createHash } from 'node:crypto';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Roles } from '#http/access.js';
import { RawJson } from '#http/body-rules.js';
import { createHttpApplication } from '#http/http-application.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { commaList, idPosition, listQuery, timeRange } from '#http/list-query.js';
import type { Problem } from '#http/problem.js';
import { RefusalListener } from '#http/refusal-listener.js';
import { createLogger } from '#observability/logger.js';
import { ApiKeyRepository } from '#storage/api-key.repository.js';
import { Database } from '#storage/database.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post, Query, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ADMIN } from './support/platform.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

const ADMIN_KEY = 'bootstrap-key-of-the-limit-test';
const DEFAULT_LIMIT = 4;
const REQUEST_TIMEOUT_MS = 400;

const note = z.strictObject({ text: z.string().optional(), tags: z.array(z.string()).optional() });
const notesQuery = listQuery('notes', { tag: commaList(z.string()).optional(), ...timeRange }, idPosition);

/** Bodies that were taken. */
const kept: unknown[] = [];
const refused: string[] = [];

@Controller('notes')
@Roles('manager')
class NotesController {
  @Post()
  create(@Body({ schema: note }) body: z.output<typeof note>) {
    kept.push(body);
    return body;
  }

  @Get()
  list(@Query({ schema: notesQuery }) query: z.output<typeof notesQuery>) {
    return { limit: query.limit, tags: query.filters.tag ?? [] };
  }

  /** Begins its answer before the request has come to its end, and never ends it. */
  @Get('begun')
  begin(@Res() reply: FastifyReply) {
    reply.hijack();
    reply.raw.writeHead(200);
    reply.raw.write('begun');
  }

  @Post('raw')
  @RawJson()
  raw(@Req() request: FastifyRequest) {
    kept.push(request.rawJson);
    return {};
  }
}

class Refusals extends RefusalListener {
  refused({ code }: { code: string }): void {
    refused.push(code);
  }
}

let testDatabase: TestDatabase;
let database: Database;
let app: NestFastifyApplication;
let port: number;
const logLines: string[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, poolSize: 3, applicationName: 'limits-test' });

  @Module({ providers: [{ provide: Database, useValue: database }], exports: [Database] })
  class StorageModule {}

  @Module({
    imports: [
      HttpEdgeModule.register({
        imports: [StorageModule],
        adminKey: ADMIN_KEY,
        rateLimitPerSecond: DEFAULT_LIMIT,
      }),
    ],
    controllers: [NotesController],
    providers: [{ provide: RefusalListener, useClass: Refusals }],
  })
  class LimitsTestModule {}

  const logger = createLogger(
    { role: 'limits-test', level: 'info', format: 'json' },
    { write: (line) => logLines.push(line) },
  );
  app = await createHttpApplication(LimitsTestModule, { logger, requestTimeoutMs: REQUEST_TIMEOUT_MS });
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});

afterAll(async () => {
  await app?.close();
  await database?.close();
  await testDatabase?.drop();
});

async function createKey(name: string, rateLimitPerSecond: number | null): Promise<string> {
  const key = `limits_${name}_0123456789`;
  await app.get(ApiKeyRepository, { strict: false }).create(
    {
      name,
      role: 'manager',
      applications: null,
      rateLimitPerSecond,
      digest: createHash('sha256').update(key).digest(),
      expiresAt: null,
    },
    (_, created) => ({
      by: ADMIN,
      action: 'api_key.created',
      resourceId: String(created.id),
      applicationId: null,
      changes: {},
    }),
  );
  return key;
}

async function call(
  path: string,
  options: { key?: string; body?: string | Buffer; headers?: Record<string, string>; method?: string } = {},
) {
  const { key = ADMIN_KEY, body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = options;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body as string }),
  });
  const json = (await response.json()) as Problem;
  return { status: response.status, headers: response.headers, body: json };
}

function open(): Socket {
  // What it still sends is sent, also once the other side has ended.
  const socket = connectSocket({ port, host: '127.0.0.1', allowHalfOpen: true });
  // It is cut off on purpose.
  socket.on('error', () => undefined);
  return socket;
}

/** What is answered to raw bytes: the status line, and the document. */
async function raw(bytes: string): Promise<{ head: string; problem: Problem }> {
  const socket = open();
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  socket.destroy();
  return { head, problem: JSON.parse(body) as Problem };
}

describe('rate limits', () => {
  it('grant a second’s worth at once, say what is left, and answer 429 beyond', async () => {
    const key = await createKey('default', null);
    const answers = await Promise.all(
      Array.from({ length: DEFAULT_LIMIT + 1 }, () => call('/notes', { key })),
    );
    const remaining = answers.map(({ headers }) => headers.get('ratelimit')).sort();
    expect(remaining).toEqual([
      '"default";r=0;t=1',
      '"default";r=0;t=1',
      '"default";r=1;t=1',
      '"default";r=2;t=1',
      '"default";r=3;t=1',
    ]);
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"default";q=4;w=1');
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(1);
    expect(limited[0]!.headers.get('retry-after')).toBe('1');
    expect(limited[0]!.body).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      detail: expect.stringContaining('4'),
    });
    await until(async () => (await call('/notes', { key })).status === 200, {
      describe: 'a second has passed',
    });
  });

  it('are the key’s own where it has one, and count what is refused for other reasons', async () => {
    const key = await createKey('own', 2);
    expect((await call('/notes?unknown=1', { key })).status).toBe(422);
    expect((await call('/notes', { key })).headers.get('ratelimit-policy')).toBe('"default";q=2;w=1');
    expect((await call('/notes', { key })).status).toBe(429);
  });

  it('are checked before any of the body is read', async () => {
    const key = await createKey('before-body', 1);
    await call('/notes', { key });
    const before = kept.length;
    expect((await call('/notes', { key, body: '{"text":"late"}' })).status).toBe(429);
    expect(kept).toHaveLength(before);
  });

  it('never hold for the bootstrap key, whose answers have no such fields', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('/notes')));
    for (const { status, headers } of answers) {
      expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, null]);
    }
  });
});

describe('a client that is slow', () => {
  it.each([
    ['drips its headers', 'GET /notes HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'drips its body',
      `POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
    ],
  ])('and %s is answered 408 and cut off', async (_, beginning) => {
    const socket = open();
    socket.write(beginning);
    const drip = setInterval(() => socket.write(' '), 50);
    const started = performance.now();
    try {
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(head.toLowerCase()).toContain('content-type: application/problem+json');
      expect(JSON.parse(body)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
      expect(performance.now() - started).toBeLessThan(5 * REQUEST_TIMEOUT_MS);
    } finally {
      clearInterval(drip);
      socket.destroy();
    }
  });

  it('is not served after all when the rest arrives too late', async () => {
    const before = kept.length;
    const socket = open();
    const body = '{"text":"too late"}';
    socket.write(
      `POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
    );
    expect(await text(socket)).toContain('REQUEST_TIMEOUT');
    socket.end(body.slice(-1));
    await until(() => socket.destroyed, { describe: 'the connection is gone' });
    expect((await call('/notes')).status).toBe(200);
    expect(kept).toHaveLength(before);
  });

  it('is cut off without a second answer where one has begun', async () => {
    const socket = open();
    socket.write(
      `GET /notes/begun HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Length: 100\r\n\r\n`,
    );
    const answer = await text(socket).catch((error: NodeJS.ErrnoException) => error.code);
    socket.destroy();
    expect(answer).not.toContain('408');
  });

  it('leaves no fault in the log and is no refusal that anybody should look into', () => {
    expect(logLines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
    expect(refused).not.toContain('INTERNAL');
    expect(refused).not.toContain('MALFORMED_REQUEST');
  });
});

describe('what Node refuses by itself', () => {
  it.each([
    [
      'headers of more than 16 KiB',
      `GET /notes HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['a request without Host', 'GET /notes HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a length beside chunks',
      'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'extensions of a chunk without end',
      `POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Type: application/json\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('%s is answered with a problem', async (_, bytes, status, code) => {
    const { head, problem } = await raw(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(problem).toMatchObject({ status, code, instance: expect.stringMatching(/^[0-9a-f]{12}-/) });
  });

  it('serves a request with an expectation that nobody knows', async () => {
    const { head } = await raw(
      `GET /notes HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nConnection: close\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('encodings', () => {
  it.each([
    ['a charset that is not UTF-8', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['a quoted charset', { 'content-type': 'application/json;charset="utf-16"' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
    ['several codings', { 'content-encoding': 'identity, br' }],
  ])('refuse %s with 415, saying what is read', async (_, headers) => {
    const body = 'gzip' in headers ? gzipSync('{}') : '{}';
    const answer = await call('/notes', { body, headers });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(answer.headers.get('accept')).toBe('application/json, application/merge-patch+json');
    expect(answer.headers.get('accept-encoding')).toBe('identity');
  });

  it.each([
    { 'content-type': 'application/json; charset=UTF-8' },
    { 'content-type': 'application/json; charset="utf8"' },
    { 'content-encoding': 'identity' },
  ])('take %j', async (headers) => {
    expect((await call('/notes', { body: '{}', headers })).status).toBe(201);
  });
});

describe('texts that cannot be kept', () => {
  it.each([
    ['U+0000 in a value', '{"text":"a\\u0000"}', '/text'],
    ['a lone surrogate in a list', '{"tags":["ok","\\ud83d"]}', '/tags/1'],
    ['U+0000 in a name', '{"a\\u0000":1}', '/a\0'],
    ['a lone surrogate in a name', '{"\\udc00":{"text":"\\u0000"}}', '/\ufffd'],
  ])('are refused by their place: %s', async (_, body, pointer) => {
    const answer = await call('/notes', { body });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ pointer, code: 'INVALID_CHARACTER', message: expect.stringContaining('U+0000') }],
    ]);
  });

  it('are passed on by a route that keeps the exact text, with every digit', async () => {
    const body = '{"a":"\\ud800\\u0000","n":1.10000000000000000001e400,"__proto__":12345678901234567890}';
    expect((await call('/notes/raw', { body })).status).toBe(201);
    expect(kept.at(-1)).toBe(body);
  });

  it('are refused in a filter, by the name of the parameter', async () => {
    const answer = await call('/notes?tag=a,b%00');
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ parameter: 'tag', code: 'INVALID_CHARACTER' })],
    ]);
  });

  it.each(['tag=%FF', 'tag=%', 'tag=%ED%A0%80', '%C0=1'])('%s is a broken encoding: 400', async (query) => {
    const answer = await call(`/notes?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it('does not take a character that stands for itself for one', async () => {
    expect((await call('/notes?tag=%F0%9F%98%80,100%25')).body).toMatchObject({ tags: ['😀', '100%'] });
  });
});

describe('numbers', () => {
  const numbered = z.strictObject({ count: z.int() });

  it('beyond 2^53 are no whole numbers that anybody could keep', () => {
    expect(numbered.safeParse(JSON.parse('{"count":9007199254740993}')).success).toBe(false);
    expect(numbered.safeParse(JSON.parse('{"count":1e400}')).success).toBe(false);
  });
});

describe('a time range that ends before it begins', () => {
  it('is refused by its end', async () => {
    const answer = await call('/notes?since=2025-02-01T00:00:00Z&until=2025-01-01T00:00:00Z');
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ parameter: 'until', code: 'UNTIL_BEFORE_SINCE' })],
    ]);
  });

  it('may be empty', async () => {
    const both = '2025-02-01T00:00:00Z';
    expect((await call(`/notes?since=${both}&until=${both}`)).status).toBe(200);
  });
});
