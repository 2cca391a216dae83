import type { AddressInfo } from 'node:net';
import { ApiKeysModule } from '#apps/admin/src/api-keys/api-keys.module.js';
import { createHttpApplication } from '#http/http-application.js';
import { HttpEdgeModule } from '#http/http-edge.module.js';
import { createLogger } from '#observability/logger.js';
import { Database } from '#storage/database.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

const ADMIN_KEY = 'bootstrap-key-of-the-key-test';

interface KeyAnswer {
  id: string;
  name: string;
  role: string;
  applications: string[] | null;
  rateLimitPerSecond: number | null;
  createdAt: string | null;
  expiresAt: string | null;
  key: string;
}

let testDatabase: TestDatabase;
let database: Database;
let app: NestFastifyApplication;
/** A second process on the same database. */
let otherApp: NestFastifyApplication;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, poolSize: 3, applicationName: 'api-keys-test' });
  app = await startProcess();
  otherApp = await startProcess();
});

afterAll(async () => {
  await app?.close();
  await otherApp?.close();
  await database?.close();
  await testDatabase?.drop();
});

async function startProcess(): Promise<NestFastifyApplication> {
  @Module({ providers: [{ provide: Database, useValue: database }], exports: [Database] })
  class StorageModule {}
  const edge = HttpEdgeModule.register({
    imports: [StorageModule],
    adminKey: ADMIN_KEY,
    rateLimitPerSecond: null,
  });
  const logger = createLogger({ role: 'api-keys-test', level: 'silent', format: 'json' });
  const started = await createHttpApplication(ApiKeysModule.register(edge), { logger });
  await started.listen(0, '127.0.0.1');
  return started;
}

async function call<Body = KeyAnswer>(
  method: string,
  path: string,
  options: { key?: string; json?: unknown; on?: NestFastifyApplication } = {},
): Promise<{ status: number; body: Body }> {
  const { port } = (options.on ?? app).getHttpServer().address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/api-keys${path}`, {
    method,
    headers: {
      authorization: `Bearer ${options.key ?? ADMIN_KEY}`,
      ...(options.json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
}

describe('API keys', () => {
  it('shows a new key once, keeps only its digest, and lets it in at once', async () => {
    const { status, body } = await call('POST', '', { json: { name: 'shop', role: 'producer' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'shop',
      role: 'producer',
      applications: null,
      rateLimitPerSecond: null,
      createdAt: expect.any(String),
      expiresAt: null,
      key: expect.stringMatching(/^entrega_[A-Za-z0-9_-]{43}$/),
    });
    const { key, ...shown } = body;
    expect((await call('GET', '/current', { key })).body).toEqual(shown);
    const { body: list } = await call<{ items: unknown[] }>('GET', '');
    expect(list.items).toContainEqual(shown);
    const { rows } = await database.pool.query<{ row: string }>('SELECT api_keys::text AS row FROM api_keys');
    expect(rows.map(({ row }) => row).join()).not.toContain(key);
  });

  it('tells every role of its own key, the bootstrap key too, and shows the rest to admins only', async () => {
    expect((await call('GET', '/current')).body).toMatchObject({
      id: 'bootstrap',
      role: 'admin',
      createdAt: null,
    });
    for (const role of ['producer', 'manager', 'operator']) {
      const { key } = (await call('POST', '', { json: { name: role, role } })).body;
      expect((await call('GET', '/current', { key })).body).toMatchObject({ role });
      expect((await call('GET', '', { key })).status).toBe(403);
      expect((await call('POST', '', { key, json: { name: 'x', role: 'admin' } })).status).toBe(403);
    }
  });

  it('deletes a key so that it is refused at once here, and elsewhere when the memory of it ends', async () => {
    const { key, id } = (await call('POST', '', { json: { name: 'gone', role: 'operator' } })).body;
    expect((await call('GET', '/current', { key })).status).toBe(200);
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', '/current', { key })).status).toBe(401);
    expect((await call('GET', '/current', { key, on: otherApp })).status).toBe(401);
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect(
      (await call<{ items: { id: string }[] }>('GET', '')).body.items.map((item) => item.id),
    ).not.toContain(id);
  });

  it('pages newest first', async () => {
    for (const name of ['p1', 'p2', 'p3']) await call('POST', '', { json: { name, role: 'producer' } });
    type List = { items: { name: string }[]; nextCursor: string };
    const { body: first } = await call<List>('GET', '?limit=2');
    const { body: second } = await call<List>('GET', `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ name }) => name).slice(0, 3)).toEqual(['p3', 'p2', 'p1']);
  });

  it.each([
    [{}, '/name'],
    [{ name: '', role: 'producer' }, '/name'],
    [{ name: 'nul \u0000', role: 'producer' }, '/name'],
    [{ name: 'x', role: 'root' }, '/role'],
    [{ name: 'x', role: 'producer', applications: [] }, '/applications'],
    [{ name: 'x', role: 'producer', applications: ['no spaces'] }, '/applications/0'],
    [{ name: 'x', role: 'producer', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'x', role: 'producer', expiresAt: 'soon' }, '/expiresAt'],
    [{ name: 'x', role: 'producer', key: 'mine' }, '/key'],
  ])('refuses %j', async (json, pointer) => {
    const { status, body } = await call<{ errors: { pointer: string }[] }>('POST', '', { json });
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it('keeps a key that is limited to applications within its limits', async () => {
    const create = (applications: string[] | null, key?: string) =>
      call<KeyAnswer & { code: string }>('POST', '', {
        json: { name: 'limited', role: 'admin', applications },
        ...(key !== undefined && { key }),
      });
    const { body: own } = await create(['a', 'b']);
    const { body: other } = await create(['c']);
    const { body: unlimited } = await create(null);
    expect((await create(['a'], own.key)).status).toBe(201);
    for (const beyond of [null, ['a', 'c']]) {
      const { status, body } = await create(beyond, own.key);
      expect([status, body.code]).toEqual([403, 'APPLICATION_NOT_ALLOWED']);
    }
    const { body: seen } = await call<{ items: KeyAnswer[] }>('GET', '', { key: own.key });
    expect(seen.items.map(({ applications }) => applications)).toEqual([['a'], ['a', 'b']]);
    for (const { id } of [other, unlimited]) {
      expect((await call('DELETE', `/${id}`, { key: own.key })).status).toBe(404);
    }
    expect((await call('GET', '/current', { key: other.key })).status).toBe(200);
  });
});
