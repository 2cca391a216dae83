import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { text } from 'node:stream/consumers';
import { DomainError } from '#domain/errors.js';
import type { Principal, Role } from '#domain/principal.js';
import { CurrentPrincipal, Open, Roles } from '#http/access.js';
import { BodyLimit, RawJson } from '#http/body-rules.js';
import { databaseChecks } from '#http/health/database-checks.js';
import { HealthModule } from '#http/health/health.module.js';
import { ReadinessProbe } from '#http/health/readiness.js';
import { createHttpApplication } from '#http/http-application.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { decimalId, publicId } from '#http/ids.js';
import { commaList, idPosition, listQuery, pageOf, timeRange } from '#http/list-query.js';
import type { Problem } from '#http/problem.js';
import { createLogger } from '#observability/logger.js';
import { ApiKeyRepository } from '#storage/api-key.repository.js';
import { Database } from '#storage/database.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CuttableDatabase } from './support/cuttable-database.js';
import { ADMIN } from './support/platform.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

const ADMIN_KEY = 'bootstrap-key-of-the-edge-test';
const ITEMS = Array.from({ length: 5 }, (_, index) => ({ id: index + 1 }));

const thing = z.strictObject({
  name: z.string().min(1).max(10),
  count: z.int().min(0).max(9).default(0),
  mode: z.enum(['fast', 'slow']).optional(),
  owner: decimalId.optional(),
  credentials: z.strictObject({ token: z.string().min(4) }).optional(),
});
const thingsQuery = listQuery(
  'things',
  { mode: commaList(z.enum(['fast', 'slow'])).optional(), ...timeRange },
  idPosition,
);

@Controller('things')
@Roles('manager')
class ThingsController {
  @Post()
  create(@Body({ schema: thing }) body: z.output<typeof thing>) {
    return body;
  }

  @Get()
  @Roles('operator')
  list(@Query({ schema: thingsQuery }) query: z.output<typeof thingsQuery>) {
    const rows = ITEMS.filter(({ id }) => query.after === null || id > query.after).slice(0, query.limit + 1);
    return pageOf(
      query,
      rows,
      ({ id }) => id,
      ({ id }) => ({ id: String(id) }),
    );
  }

  @Get(':id')
  one(@Param('id', { schema: decimalId }) id: number) {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id', { schema: publicId }) id: string) {
    throw new DomainError('CONFLICT', `${id} is in use.`);
  }

  @Post(':id/rename')
  rename(
    @Param('id', { schema: decimalId }) id: number,
    @Body({ schema: thing }) { name }: z.output<typeof thing>,
  ) {
    return { id, name };
  }

  @Post(':id/start')
  start(@Param('id', { schema: decimalId }) id: number, @CurrentPrincipal() principal: Principal) {
    return { id, by: principal.name };
  }
}

@Controller('raw')
@Roles('producer')
class RawController {
  @Post()
  @RawJson()
  @BodyLimit(2 * 1024 * 1024)
  echo(@Req() request: FastifyRequest) {
    return { rawJson: request.rawJson };
  }
}

/** Lets a test hold requests back and let them go. */
const gate = { entered: 0, open: () => {}, opened: Promise.resolve() };

@Controller('slow')
@Open()
class SlowController {
  @Get()
  async wait() {
    gate.entered += 1;
    await gate.opened;
    return { served: true };
  }
}

@Controller('faults')
@Open()
class FaultsController {
  constructor(private readonly database: Database) {}

  @Get('bug')
  bug() {
    throw new Error('the secret reason');
  }

  @Get('nul')
  nul() {
    return this.database.query({ name: 'nul', text: 'SELECT $1::text' }, ['a\0']);
  }

  @Get('killed')
  killed() {
    return this.database.query({ name: 'killed', text: 'SELECT pg_terminate_backend(pg_backend_pid())' }, []);
  }

  @Get('locked')
  locked() {
    return this.database.query({ name: 'locked', text: `DO $$ BEGIN RAISE lock_not_available; END $$` }, []);
  }
}

let testDatabase: TestDatabase;
let route: CuttableDatabase;
let database: Database;
let app: NestFastifyApplication;
let baseUrl: string;
let transportIsAway = false;
const logLines: string[] = [];
const keys = {} as Record<Role, string>;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  route = await CuttableDatabase.inFrontOf(testDatabase.url);
  database = await Database.connect({
    url: route.url,
    poolSize: 3,
    applicationName: 'http-edge-test',
  });

  @Module({ providers: [{ provide: Database, useValue: database }], exports: [Database] })
  class StorageModule {}

  @Module({
    imports: [
      StorageModule,
      HttpEdgeModule.register({
        imports: [StorageModule],
        adminKey: ADMIN_KEY,
        rateLimitPerSecond: null,
      }),
      HealthModule.withProbe(
        new ReadinessProbe('edge-test', [
          ...databaseChecks(database),
          {
            name: 'transport',
            run: () => (transportIsAway ? Promise.reject(new Error('away')) : Promise.resolve()),
          },
        ]),
      ),
    ],
    controllers: [ThingsController, RawController, FaultsController],
  })
  class EdgeTestModule {}

  const logger = createLogger(
    { role: 'edge-test', level: 'info', format: 'json' },
    { write: (line) => logLines.push(line) },
  );
  app = await createHttpApplication(EdgeTestModule, { logger });
  await app.listen(0, '127.0.0.1');
  baseUrl = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  for (const role of ['producer', 'manager', 'operator', 'admin'] as const)
    keys[role] = await createKey({ role });
});

afterAll(async () => {
  await app?.close();
  await database?.close();
  await route?.remove();
  await testDatabase?.drop();
});

async function createKey(of: { role: Role; expiresAt?: Date }): Promise<string> {
  const key = `test_${randomBytes(12).toString('hex')}`;
  const digest = createHash('sha256').update(key).digest();
  await app.get(ApiKeyRepository, { strict: false }).create(
    {
      name: `a ${of.role}`,
      role: of.role,
      applications: null,
      rateLimitPerSecond: null,
      digest,
      expiresAt: of.expiresAt ?? null,
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

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  problem: Problem;
}

async function call(
  method: string,
  path: string,
  options: { key?: string; json?: unknown; body?: string | Buffer; type?: string } = {},
): Promise<Answer> {
  const { key = ADMIN_KEY, json } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': options.type ?? 'application/json' }),
    },
    ...(body !== undefined && { body: body as string }),
  });
  const content = await response.text();
  const parsed: unknown = content === '' ? undefined : JSON.parse(content);
  return { status: response.status, headers: response.headers, body: parsed, problem: parsed as Problem };
}

describe('problems', () => {
  it('names type, title, status, detail, code and the request id, as application/problem+json', async () => {
    const { status, headers, problem } = await call('DELETE', '/things/abc');
    expect(status).toBe(409);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(problem).toEqual({
      type: 'urn:entrega:problem:conflict',
      title: 'Conflict with the present state',
      status: 409,
      detail: 'abc is in use.',
      instance: headers.get('x-request-id'),
      code: 'CONFLICT',
    });
    expect(problem.instance).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  it('answers 404 for a path that nothing is at, with or without a key or a broken body', async () => {
    expect((await call('GET', '/nowhere', { key: '' })).problem.code).toBe('NOT_FOUND');
    expect((await call('POST', '/nowhere', { body: '{' })).problem.code).toBe('NOT_FOUND');
    expect((await call('GET', '/things/')).status).toBe(404);
    expect((await call('POST', '/things//rename', { json: { name: 'a' } })).problem.code).toBe('NOT_FOUND');
  });

  it('answers 405 with what the path takes', async () => {
    const { status, headers, problem } = await call('PUT', '/things', { json: {} });
    expect([status, problem.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await call('PATCH', '/things/12')).headers.get('allow')).toBe('DELETE, GET, HEAD');
  });

  it.each(['QUERY', 'PROPFIND', 'OPTIONS', 'POST'])(
    'answers 405 to %s whatever is sent with it',
    async (method) => {
      for (const body of [undefined, '{', 'text']) {
        const options = body === undefined ? {} : { body, type: 'text/plain' };
        const { status, headers } = await call(method, '/things/12', options);
        expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD']);
      }
      expect((await call(method, '/nowhere', { body: 'text', type: ';' })).problem.code).toBe('NOT_FOUND');
    },
  );

  it('answers 500 to a fault of ours, tells nothing of it and logs it under the request id', async () => {
    const { status, problem } = await call('GET', '/faults/bug');
    expect([status, problem.code]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(problem)).not.toContain('secret reason');
    const line = logLines.find((candidate) => candidate.includes(problem.instance));
    expect(line).toContain('the secret reason');
  });

  it('answers 503 with Retry-After when the database cuts the connection or does not give a lock', async () => {
    for (const path of ['/faults/killed', '/faults/locked']) {
      const { status, headers, problem } = await call('GET', path);
      expect([path, status, problem.code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'UNAVAILABLE',
        '2',
      ]);
    }
  });

  it('answers 422 to a text that the database cannot hold', async () => {
    expect((await call('GET', '/faults/nul')).problem.code).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['a broken percent-encoding', '/things/%', 400, 'MALFORMED_REQUEST'],
    ['an endless id', `/things/${'1'.repeat(300)}`, 404, 'NOT_FOUND'],
  ])('answers %s in the path, which no route sees', async (_, path, status, code) => {
    const answer = await rawRequest(path);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ status, code });
  });

  it('answers a problem even to what is no HTTP request', async () => {
    const socket = connectSocket((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.write('NOT HTTP\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"MALFORMED_REQUEST"');
  });
});

describe('bodies', () => {
  it.each([
    ['no JSON', '{"name":', 'NOT_JSON'],
    ['text after the value', '{"name":"a"} x', 'NOT_JSON'],
    ['a byte order mark', '\ufeff{"name":"a"}', 'NOT_JSON'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'NOT_JSON'],
    ['nothing', '', 'NOT_JSON'],
  ])('refuses %s with 400', async (_, body, code) => {
    const { status, problem } = await call('POST', '/things', { body });
    expect([status, problem.code]).toEqual([400, code]);
  });

  it('says where a body stops being JSON', async () => {
    const { problem } = await call('POST', '/things', { body: '{"name": "a", count: 1}' });
    expect(problem.detail).toContain('offset 14');
  });

  it('refuses a key that stands twice, where JSON.parse would drop one', async () => {
    const { status, problem } = await call('POST', '/things', { body: '{"name":"a","name":"b"}' });
    expect(status).toBe(422);
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/name', code: 'DUPLICATE_KEY' })]);
  });

  it('refuses __proto__ like any unknown field', async () => {
    const { problem } = await call('POST', '/things', { body: '{"name":"a","__proto__":{"x":1}}' });
    expect(problem.errors).toEqual([
      expect.objectContaining({ pointer: '/__proto__', code: 'UNKNOWN_FIELD' }),
    ]);
  });

  it('takes merge-patch+json and a charset, and refuses other types with 415', async () => {
    const json = { name: 'a' };
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json']) {
      expect((await call('POST', '/things', { json, type })).status).toBe(201);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const { status, problem } = await call('POST', '/things', { json, type });
      expect([type, status, problem.code]).toEqual([type, 415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(problem.detail).toContain(type);
    }
  });

  it('refuses more than 1 MiB with 413, and more than the limit of the route where it has its own', async () => {
    const mebibyte = 1024 * 1024;
    const padded = (length: number) => `{"name":"${' '.repeat(length - 11)}"}`;
    expect((await call('POST', '/things', { body: padded(mebibyte) })).status).toBe(422);
    const tooLarge = await call('POST', '/things', { body: padded(mebibyte + 1) });
    expect([tooLarge.status, tooLarge.problem.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(tooLarge.problem.detail).toContain('1048576');
    expect((await call('POST', '/raw', { body: padded(2 * mebibyte) })).status).toBe(201);
    expect((await call('POST', '/raw', { body: padded(2 * mebibyte + 1) })).status).toBe(413);
  });

  it('gives the exact text of the body to a route that reads it itself', async () => {
    const body = '{ "a": 1.0, "a": "\\u00e9" }';
    expect((await call('POST', '/raw', { body })).body).toEqual({ rawJson: body });
  });

  it('takes an empty body or {} where nothing is read, and refuses fields there', async () => {
    expect((await call('POST', '/things/7/start', { body: '' })).body).toEqual({ id: 7, by: 'ADMIN_KEY' });
    expect((await call('POST', '/things/7/start', { json: {} })).status).toBe(201);
    const { status, problem } = await call('POST', '/things/7/start', { json: { reason: 'x' } });
    expect(status).toBe(422);
    expect(problem.errors).toEqual([expect.objectContaining({ pointer: '/reason', code: 'UNKNOWN_FIELD' })]);
    expect((await call('POST', '/things/7/start', { json: [1] })).problem.code).toBe('VALIDATION_FAILED');
  });
});

describe('validation', () => {
  it('tells every fault of a body at once, with pointer, code, value and cure', async () => {
    const { status, problem } = await call('POST', '/things', {
      json: { name: '', count: 12, mode: 'medium', owner: 'x', credentials: { token: 'abc' }, extra: 1 },
    });
    expect([status, problem.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(problem.errors).toEqual([
      { pointer: '/name', code: 'TOO_SHORT', message: '"" is out of bounds. Send at least 1 character.' },
      { pointer: '/count', code: 'TOO_LARGE', message: '12 is out of bounds. Send a number of at most 9.' },
      {
        pointer: '/mode',
        code: 'NOT_ALLOWED',
        message: '"medium" is not allowed here. Send one of "fast", "slow".',
      },
      {
        pointer: '/owner',
        code: 'INVALID_ID',
        message: '"x" cannot be an id. Send the decimal digits that an answer gave.',
      },
      {
        pointer: '/credentials/token',
        code: 'TOO_SHORT',
        message: 'The value is out of bounds. Send at least 4 characters.',
      },
      {
        pointer: '/extra',
        code: 'UNKNOWN_FIELD',
        message: 'There is no field "extra" here. Correct the name or leave it out.',
      },
    ]);
  });

  it('tells a missing field from one of the wrong type', async () => {
    const { problem } = await call('POST', '/things', { json: { count: '1' } });
    expect(problem.errors).toEqual([
      { pointer: '/name', code: 'REQUIRED', message: 'This is required. Send a string.' },
      { pointer: '/count', code: 'WRONG_TYPE', message: '"1" is a string. Send a number.' },
    ]);
    expect((await call('POST', '/things', { json: [] })).problem.errors).toEqual([
      { pointer: '', code: 'WRONG_TYPE', message: 'The list is not taken here. Send an object.' },
    ]);
  });

  it('refuses unknown, repeated and wrong query parameters by name', async () => {
    const { status, problem } = await call(
      'GET',
      '/things?mod=fast&mode=fast,never&limit=1&limit=2&since=yesterday',
    );
    expect(status).toBe(422);
    expect(problem.errors?.map(({ parameter, code }) => [parameter, code])).toEqual([
      ['mode', 'NOT_ALLOWED'],
      ['since', 'INVALID_FORMAT'],
      ['limit', 'WRONG_TYPE'],
      ['mod', 'UNKNOWN_PARAMETER'],
    ]);
    expect((await call('GET', '/things/1?verbose=1')).problem.errors).toEqual([
      expect.objectContaining({ parameter: 'verbose', code: 'UNKNOWN_PARAMETER' }),
    ]);
  });

  it('answers 404 for an id in the path that cannot exist', async () => {
    for (const id of ['abc', '0', '-1', '1.5', '99999999999999999999', '%00']) {
      expect([id, (await call('GET', `/things/${id}`)).status]).toEqual([id, 404]);
    }
  });
});

describe('lists', () => {
  it('pages through all items once, and ends with a null cursor', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/things?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page = (await call('GET', path)).body as { items: unknown[]; nextCursor: string | null };
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(['1', '2', '3', '4', '5'].map((id) => ({ id })));
  });

  it('refuses a cursor under other filters, of another make or changed', async () => {
    const { nextCursor } = (await call('GET', '/things?limit=2&mode=fast')).body as { nextCursor: string };
    expect((await call('GET', `/things?cursor=${nextCursor}&mode=fast`)).status).toBe(200);
    const forged = Buffer.from(
      JSON.stringify([JSON.parse(Buffer.from(nextCursor, 'base64url').toString())[0], 'x']),
    );
    for (const query of [
      `cursor=${nextCursor}`,
      `cursor=${nextCursor}&mode=slow`,
      `mode=fast&cursor=${forged.toString('base64url')}`,
      'mode=fast&cursor=!!!',
      'mode=fast&cursor=',
    ]) {
      const { status, problem } = await call('GET', `/things?${query}`);
      expect([query, status, problem.errors?.[0]]).toEqual([
        query,
        422,
        expect.objectContaining({ parameter: 'cursor', code: 'INVALID_CURSOR' }),
      ]);
    }
  });

  it.each(['0', '201', '-1', '1.5', 'all', ''])('refuses limit=%s', async (limit) => {
    const { status, problem } = await call('GET', `/things?limit=${limit}`);
    expect([status, problem.errors?.[0]?.parameter]).toEqual([422, 'limit']);
  });
});

describe('keys', () => {
  it('answers 401 with WWW-Authenticate before it reads any of the body', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic abc' },
      { authorization: 'Bearer ' },
      { authorization: 'Bearer no-such-key' },
    ]) {
      const response = await fetch(`${baseUrl}/things`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/plain' },
        body: 'not json',
      });
      expect([headers, response.status]).toEqual([headers, 401]);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(((await response.json()) as Problem).code).toBe('UNAUTHENTICATED');
    }
  });

  it('lets in the roles that a route names, and admin everywhere', async () => {
    const statuses = async (method: string, path: string, body?: string) => {
      const found: Partial<Record<Role, number>> = {};
      for (const role of ['producer', 'manager', 'operator', 'admin'] as const) {
        found[role] = (
          await call(method, path, { key: keys[role], ...(body !== undefined && { body }) })
        ).status;
      }
      return found;
    };
    expect(await statuses('POST', '/things', '{"name":"a"}')).toEqual({
      producer: 403,
      manager: 201,
      operator: 403,
      admin: 201,
    });
    // The method's roles take the place of the controller's.
    expect(await statuses('GET', '/things')).toEqual({
      producer: 403,
      manager: 403,
      operator: 200,
      admin: 200,
    });
    const { problem } = await call('GET', '/things', { key: keys.producer });
    expect(problem).toMatchObject({
      code: 'FORBIDDEN',
      detail: expect.stringContaining('operator or admin'),
    });
  });

  it('refuses a key that has expired', async () => {
    const key = await createKey({ role: 'manager', expiresAt: new Date(Date.now() - 1000) });
    expect((await call('POST', '/things', { key, json: { name: 'a' } })).status).toBe(401);
  });

  it('asks no key of open routes', async () => {
    expect((await call('GET', '/healthz', { key: '' })).status).toBe(200);
  });
});

describe('a database that is away', () => {
  it('answers 503 to a key that must be looked up, and serves the bootstrap key', async () => {
    const key = await createKey({ role: 'manager' });
    await route.cut();
    try {
      const { status, problem, headers } = await call('POST', '/things', { key, json: { name: 'a' } });
      expect([status, problem.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '2']);
      expect((await call('POST', '/things', { json: { name: 'a' } })).status).toBe(201);
      expect((await call('GET', '/readyz')).status).toBe(503);
      expect((await call('GET', '/healthz')).status).toBe(200);
    } finally {
      await route.mend();
    }
    expect((await call('POST', '/things', { key, json: { name: 'a' } })).status).toBe(201);
  });
});

describe('start', () => {
  const logger = createLogger({ role: 'edge-test', level: 'silent', format: 'json' });

  it('stops at a route that does not say who may call it, and names it', async () => {
    @Controller('secrets')
    class UndeclaredController {
      @Get(':id')
      read() {
        return {};
      }
    }
    @Module({ controllers: [UndeclaredController] })
    class UndeclaredModule {}
    await expect(createHttpApplication(UndeclaredModule, { logger })).rejects.toThrow(
      'GET /secrets/:id (UndeclaredController.read)',
    );
  });

  it('stops at a route that needs a key where nothing can check one', async () => {
    @Module({ controllers: [RawController] })
    class NoEdgeModule {}
    await expect(createHttpApplication(NoEdgeModule, { logger })).rejects.toThrow('POST /raw needs a key');
  });
});

describe('close', () => {
  it('finishes the request under way, and then takes no more', async () => {
    @Module({ controllers: [SlowController] })
    class SlowModule {}
    const logger = createLogger({ role: 'edge-test', level: 'silent', format: 'json' });
    const slowApp = await createHttpApplication(SlowModule, { logger });
    await slowApp.listen(0, '127.0.0.1');
    const url = `http://127.0.0.1:${(slowApp.getHttpServer().address() as AddressInfo).port}/slow`;
    gate.opened = new Promise((resolve) => (gate.open = resolve));
    const underWay = fetch(url);
    await until(() => gate.entered === 1, { describe: 'the request is being served' });
    const closed = slowApp.close();
    gate.open();
    expect(await (await underWay).json()).toEqual({ served: true });
    await closed;
    await expect(fetch(url)).rejects.toThrow();
  });

  it('waits for no connection that was opened and never used', async () => {
    @Module({ controllers: [SlowController] })
    class SlowModule {}
    const logger = createLogger({ role: 'edge-test', level: 'silent', format: 'json' });
    const unusedApp = await createHttpApplication(SlowModule, { logger });
    await unusedApp.listen(0, '127.0.0.1');
    const server = unusedApp.getHttpServer();
    const accepted = once(server, 'connection');
    const socket = connectSocket((server.address() as AddressInfo).port, '127.0.0.1');
    const closed = once(socket, 'close');
    await accepted;
    await unusedApp.close();
    await closed;
  });
});

describe('health', () => {
  it('is ready with all checks, and degraded but 200 without the transport', async () => {
    expect((await call('GET', '/readyz', { key: '' })).body).toEqual({
      status: 'ready',
      role: 'edge-test',
      checks: { database: 'ok', schema: 'ok', transport: 'ok' },
    });
    transportIsAway = true;
    const degraded = await call('GET', '/readyz', { key: '' });
    transportIsAway = false;
    expect([degraded.status, degraded.body]).toEqual([
      200,
      {
        status: 'degraded',
        role: 'edge-test',
        checks: { database: 'ok', schema: 'ok', transport: 'failed' },
      },
    ]);
  });

  it('moves to a port of its own as a second application with the same checks', async () => {
    const opsApp = await createHttpApplication(
      HealthModule.withProbe(app.get(ReadinessProbe, { strict: false })),
      { logger: createLogger({ role: 'edge-test', level: 'silent', format: 'json' }) },
    );
    await opsApp.listen(0, '127.0.0.1');
    const { port } = opsApp.getHttpServer().address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    const elsewhere = await fetch(`http://127.0.0.1:${port}/things`);
    await opsApp.close();
    expect(await response.json()).toMatchObject({ status: 'ready', role: 'edge-test' });
    expect(elsewhere.status).toBe(404);
  });

  it('is unready with 503 while a migration is missing', async () => {
    await database.pool.query(`UPDATE migrations SET name = name || '_away'`);
    const { status, body } = await call('GET', '/readyz', { key: '' });
    await database.pool.query(`UPDATE migrations SET name = replace(name, '_away', '')`);
    expect([status, body]).toEqual([
      503,
      { status: 'unready', role: 'edge-test', checks: { database: 'ok', schema: 'failed', transport: 'ok' } },
    ]);
  });
});

function rawRequest(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const request = httpRequest(
      { host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${ADMIN_KEY}` } },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
}
