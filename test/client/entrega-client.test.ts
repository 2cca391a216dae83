import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonText } from '#client/api-call.js';
import { ApiProblem, ApiUnreachable } from '#client/api-problem.js';
import { EntregaClient } from '#client/entrega-client.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';

let server: Server | undefined;

/** Something that is not the API, or the API on a bad day. */
async function serverThat(answers: RequestListener): Promise<string> {
  server = createServer(answers);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = undefined;
});

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

describe('with the real API, the client', () => {
  let api: AdminApi;
  let client: EntregaClient;

  beforeAll(async () => {
    api = await AdminApi.start();
    client = new EntregaClient({ url: `${api.url}/`, key: ADMIN_KEY });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await api.addApplication(id);
  });
  afterAll(() => api.stop());

  it('answers what the API answers', async () => {
    const created = await client.post('/v1/applications', {
      body: { id: 'acme', name: 'Acme', contract: 'tf-fiscal', environment: undefined },
    });
    expect(created).toMatchObject({ id: 'acme', issuedCredentials: { secret: expect.any(String) } });
    expect(await client.get('/v1/applications/{id}', { path: { id: 'acme' } })).toMatchObject({
      name: 'Acme',
    });
    expect(await client.delete('/v1/applications/{id}', { path: { id: 'acme' } })).toBeUndefined();
  });

  it('walks a list page by page to its end, and hands its items over one by one', async () => {
    const sizes: number[] = [];
    for await (const page of client.pages('/v1/applications', { query: { limit: 2 } }))
      sizes.push(page.length);
    expect(sizes).toEqual([2, 2, 1]);
    const ids: string[] = [];
    for await (const { id } of client.items('/v1/applications', { query: { limit: 2 } })) ids.push(id);
    expect(ids.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('sends lists with commas, and JSON as it is written', async () => {
    const { items } = await client.get('/v1/deliveries', {
      query: { state: ['dead', 'closed'], since: undefined },
    });
    expect(items).toEqual([]);
    const event = (n: string) =>
      new JsonText(
        `{"application":"a","type":"cte.event.registered","id":"e","data":{"event_code":"1","n_seq":"1","protocolo":"1","n":${n}}}`,
      );
    await client.post('/v1/events', { body: event('1.10') });
    const again = event('1.1');
    expect(await failure(client.post('/v1/events', { body: again }))).toMatchObject({
      code: 'EVENT_ID_REUSED',
    });
  });

  it('throws a problem with status, code, places and request id', async () => {
    const problem = await failure(
      client.post('/v1/applications', { body: { name: '', contract: 'tf-fiscal' } }),
    );
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/name' }],
      retryAfterSeconds: null,
      requestId: expect.stringMatching(/\S/),
    });
  });

  it('never asks for another path than it was told', async () => {
    for (const id of ['..', '.', '']) {
      expect(await failure(client.get('/v1/deliveries/{id}', { path: { id } }))).toMatchObject({
        message: expect.stringContaining('cannot be the id'),
      });
    }
    expect(await failure(client.get('/v1/deliveries/{id}', { path: { id: '1/attempts' } }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('on a bad day, the client', () => {
  it('waits as long as Retry-After says and calls again, where that cannot double anything', async () => {
    const calls: string[] = [];
    const url = await serverThat((request, response) => {
      calls.push(request.method!);
      if (calls.length < 3) response.writeHead(calls.length === 1 ? 503 : 429, { 'retry-after': '0' }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
    });
    const client = new EntregaClient({ url, key: null });
    expect(await client.get('/v1/deliveries/{id}', { path: { id: '1' } })).toEqual({ id: '1' });
    expect(calls).toEqual(['GET', 'GET', 'GET']);
  });

  it('does not repeat a POST unless it is told that it may', async () => {
    let calls = 0;
    const url = await serverThat((_, response) => {
      calls += 1;
      response
        .writeHead(503, { 'retry-after': '0', 'content-type': 'application/problem+json' })
        .end('{"code":"UNAVAILABLE"}');
    });
    const client = new EntregaClient({ url, key: null, maxRetries: 2 });
    const body = new JsonText('{}');
    expect(await failure(client.post('/v1/events', { body }))).toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 0,
    });
    expect(calls).toBe(1);
    expect(await failure(client.post('/v1/events', { body, repeatable: true }))).toMatchObject({
      status: 503,
    });
    expect(calls).toBe(4);
  });

  it('does not wait longer than it is willing to', async () => {
    let calls = 0;
    const url = await serverThat((_, response) => {
      calls += 1;
      response.writeHead(429, { 'retry-after': '3600' }).end();
    });
    const client = new EntregaClient({ url, key: null });
    expect(await failure(client.get('/v1/stats'))).toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(calls).toBe(1);
  });

  it('gives up on an answer that does not come, or does not end', async () => {
    const url = await serverThat((request, response) => {
      if (request.url === '/v1/stats')
        response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    });
    const client = new EntregaClient({ url, key: null, timeoutMs: 100 });
    for (const path of ['/v1/stats', '/v1/contracts'] as const) {
      const error = await failure(client.get(path));
      expect(error).toBeInstanceOf(ApiUnreachable);
      expect(error).toMatchObject({ url, reason: 'no answer within 100 ms' });
    }
  });

  it('ends a call that its caller gives up, with what the caller said', async () => {
    const url = await serverThat(() => undefined);
    const controller = new AbortController();
    const call = failure(
      new EntregaClient({ url, key: null }).get('/v1/stats', { signal: controller.signal }),
    );
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
  });

  it('does not carry its key to where it is redirected', async () => {
    let calls = 0;
    const url = await serverThat((_, response) => {
      calls += 1;
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
    });
    expect(await failure(new EntregaClient({ url, key: 'k' }).get('/v1/stats'))).toMatchObject({
      code: 'HTTP_302',
      detail: 'Moved to https://elsewhere.example/',
    });
    expect(calls).toBe(1);
  });

  it.each([
    ['a page', 200, 'text/html', '<html>', 'what answers there is not the API of entrega (text/html)'],
    [
      'half a JSON',
      200,
      'application/json',
      '{"a":',
      'what answers there is not the API of entrega (no JSON)',
    ],
  ])('knows %s from an answer of the API', async (_, status, type, body, reason) => {
    const url = await serverThat((_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    });
    expect(await failure(new EntregaClient({ url, key: null }).get('/v1/stats'))).toMatchObject({ reason });
  });

  it('says of a proxy that it is none of ours, whatever it wrote', async () => {
    const url = await serverThat((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>'),
    );
    expect(await failure(new EntregaClient({ url, key: null }).get('/v1/stats'))).toMatchObject({
      status: 502,
      code: 'HTTP_502',
      requestId: null,
    });
  });

  it('says that nobody listens', async () => {
    const url = await serverThat(() => undefined);
    await new Promise((resolve) => server!.close(resolve));
    server = undefined;
    expect(await failure(new EntregaClient({ url, key: null }).get('/v1/stats'))).toMatchObject({
      reason: 'nothing listens there (ECONNREFUSED)',
    });
  });
});
