import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditAction } from '#domain/audit.js';
import { routesOf } from '#http/routes.js';
import { AdminApi } from '../support/admin-api.js';
import { API_CONTROLLERS } from '../support/api-controllers.js';

/** A call that changes something, and the entries that it leaves. */
interface Act {
  readonly path: string;
  readonly body?: unknown;
  readonly actions: readonly AuditAction[];
  /** The resource of the first entry, where its id is known beforehand. */
  readonly resourceId?: string;
}

const URL = 'http://127.0.0.1:9/hook';
const SINCE = '2026-01-01T00:00:00Z';

let api: AdminApi;
let count = 0;

beforeAll(async () => {
  api = await AdminApi.start();
  await api.platform.sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'injected'; END $$`);
});
afterAll(() => api.stop());

async function application(): Promise<string> {
  const id = `app-${++count}`;
  await api.addApplication(id, { firstAttemptDelay: '1h' });
  return id;
}

async function webhook(state?: 'disable' | 'pause'): Promise<{ application: string; id: string }> {
  const owner = await application();
  const id = await api.addWebhook(owner, URL);
  if (state) await api.call('POST', `/v1/endpoints/${id}/${state}`);
  return { application: owner, id };
}

/** One that waits for its first attempt. */
async function delivery(): Promise<{ application: string; endpoint: string; id: string }> {
  const { application: owner, id: endpoint } = await webhook();
  await api.platform.publish(owner, 'event');
  const { body } = await api.call('GET', `/v1/deliveries?endpoint=${endpoint}`);
  return { application: owner, endpoint, id: body.items[0].id as string };
}

/** One whose endpoint generates credentials. */
async function destination(): Promise<string> {
  const owner = `center-${++count}`;
  await api.platform.addServiceCenter(owner);
  const { body } = await api.call('POST', `/v1/applications/${owner}/endpoints`, {
    url: 'https://127.0.0.1:9/hook',
    eventTypes: ['service.status_changed'],
  });
  return body.id as string;
}

async function replay(): Promise<string> {
  const { id } = await webhook();
  const body = { since: SINCE, states: ['dead'] };
  return (await api.call('POST', `/v1/endpoints/${id}/replay`, body)).body.id as string;
}

/** How each route that changes something is called. A new one needs a line here, and with it an entry. */
const ACTS: Readonly<Record<string, readonly (() => Act | Promise<Act>)[]>> = {
  'POST /v1/api-keys': [
    () => ({ path: '/v1/api-keys', body: { name: 'k', role: 'operator' }, actions: ['api_key.created'] }),
  ],
  'DELETE /v1/api-keys/:id': [
    async () => {
      const { body } = await api.call('POST', '/v1/api-keys', { name: 'k', role: 'operator' });
      return { path: `/v1/api-keys/${body.id}`, actions: ['api_key.deleted'], resourceId: body.id as string };
    },
  ],
  'POST /v1/applications': [
    () => ({
      path: '/v1/applications',
      body: { id: 'made', name: 'made', contract: 'tf-fiscal' },
      actions: ['application.created'],
      resourceId: 'made',
    }),
  ],
  'PUT /v1/applications/:id': [
    () => ({
      path: '/v1/applications/put',
      body: { name: 'put', contract: 'tf-fiscal' },
      actions: ['application.created'],
      resourceId: 'put',
    }),
    async () => {
      const id = await application();
      return {
        path: `/v1/applications/${id}`,
        body: { name: 'other', contract: 'tf-fiscal' },
        actions: ['application.updated'],
        resourceId: id,
      };
    },
  ],
  'PATCH /v1/applications/:id': [
    async () => {
      const id = await application();
      return {
        path: `/v1/applications/${id}`,
        body: { name: 'other' },
        actions: ['application.updated'],
        resourceId: id,
      };
    },
  ],
  'DELETE /v1/applications/:id': [
    async () => {
      const { application: id } = await webhook();
      return { path: `/v1/applications/${id}`, actions: ['application.deleted'], resourceId: id };
    },
    async () => {
      const { application: id } = await webhook();
      const actions = ['application.deleted', 'application.erasure_requested'] as const;
      return { path: `/v1/applications/${id}?erase=true`, actions, resourceId: id };
    },
  ],
  'POST /v1/applications/:id/rotate-secret': [
    async () => {
      const id = await application();
      return {
        path: `/v1/applications/${id}/rotate-secret`,
        actions: ['application.secret_rotated'],
        resourceId: id,
      };
    },
  ],
  'PUT /v1/applications/:application/webhook': [
    async () => ({
      path: `/v1/applications/${await application()}/webhook`,
      body: { url: URL, credentials: { token: 'token-1' } },
      actions: ['endpoint.created'],
    }),
    async () => {
      const { application: owner, id } = await webhook();
      return {
        path: `/v1/applications/${owner}/webhook`,
        body: { url: URL, credentials: { token: 'token-1' } },
        actions: ['endpoint.reregistered'],
        resourceId: id,
      };
    },
  ],
  'DELETE /v1/applications/:application/webhook': [
    async () => {
      const { application: owner, id } = await webhook();
      return { path: `/v1/applications/${owner}/webhook`, actions: ['endpoint.revoked'], resourceId: id };
    },
  ],
  'POST /v1/applications/:application/endpoints': [
    async () => ({
      path: `/v1/applications/${await application()}/endpoints`,
      body: { url: URL, credentials: { token: 'token-1' } },
      actions: ['endpoint.created'],
    }),
  ],
  'PATCH /v1/endpoints/:id': [
    async () => {
      const { id } = await webhook();
      return {
        path: `/v1/endpoints/${id}`,
        body: { description: 'other' },
        actions: ['endpoint.updated'],
        resourceId: id,
      };
    },
  ],
  'DELETE /v1/endpoints/:id': [
    async () => {
      const { id } = await webhook();
      return { path: `/v1/endpoints/${id}`, actions: ['endpoint.revoked'], resourceId: id };
    },
  ],
  'POST /v1/endpoints/:id/enable': [() => switched('enable', 'endpoint.enabled', 'disable')],
  'POST /v1/endpoints/:id/disable': [() => switched('disable', 'endpoint.disabled')],
  'POST /v1/endpoints/:id/pause': [() => switched('pause', 'endpoint.paused')],
  'POST /v1/endpoints/:id/resume': [() => switched('resume', 'endpoint.resumed', 'pause')],
  'POST /v1/endpoints/:id/cancel-pending': [
    async () => {
      const { endpoint } = await delivery();
      return {
        path: `/v1/endpoints/${endpoint}/cancel-pending`,
        actions: ['endpoint.pending_canceled'],
        resourceId: endpoint,
      };
    },
  ],
  'POST /v1/endpoints/:id/rotate-secret': [
    async () => {
      const id = await destination();
      return {
        path: `/v1/endpoints/${id}/rotate-secret`,
        actions: ['endpoint.credentials_rotated'],
        resourceId: id,
      };
    },
  ],
  'POST /v1/endpoints/:id/replay': [
    async () => ({
      path: `/v1/endpoints/${(await webhook()).id}/replay`,
      body: { since: SINCE, states: ['dead'] },
      actions: ['replay.started'],
    }),
  ],
  'POST /v1/dead-letters/redeliver': [
    async () => ({
      path: '/v1/dead-letters/redeliver',
      body: { application: await application() },
      actions: ['replay.started'],
    }),
  ],
  'POST /v1/replays/:id/cancel': [
    async () => {
      const id = await replay();
      return { path: `/v1/replays/${id}/cancel`, actions: ['replay.canceled'], resourceId: id };
    },
  ],
  'POST /v1/deliveries/:id/redeliver': [
    async () => {
      const { id } = await delivery();
      return { path: `/v1/deliveries/${id}/redeliver`, actions: ['delivery.redelivered'], resourceId: id };
    },
  ],
  'POST /v1/deliveries/:id/cancel': [
    async () => {
      const { id } = await delivery();
      return { path: `/v1/deliveries/${id}/cancel`, actions: ['delivery.canceled'], resourceId: id };
    },
  ],
  'DELETE /v1/applications/:application/events/:event/body': [
    async () => {
      const { application: owner } = await delivery();
      return {
        path: `/v1/applications/${owner}/events/event/body`,
        actions: ['event.body_erased'],
        resourceId: 'event',
      };
    },
  ],
};

/** Routes that are no reads and leave no entry, and why. */
const UNAUDITED: Readonly<Record<string, string>> = {
  'POST /v1/events': 'what is published is data, and is kept as that',
  'POST /v1/events/batch': 'what is published is data, and is kept as that',
  'POST /v1/endpoints/:id/verify': 'changes nothing',
};

async function switched(path: string, action: AuditAction, before?: 'disable' | 'pause'): Promise<Act> {
  const { id } = await webhook(before);
  return { path: `/v1/endpoints/${id}/${path}`, actions: [action], resourceId: id };
}

async function tables(): Promise<string[]> {
  const rows = await api.platform.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Everything that is stored. */
async function contents(): Promise<unknown> {
  const selects = (await tables()).map(
    (name) => `SELECT '${name}' AS name, array_agg(t::text ORDER BY t::text) AS rows FROM ${name} t`,
  );
  return api.platform.sql(selects.join(' UNION ALL '));
}

/** The transactions that left something in a table beside the audit. */
async function writers(): Promise<Set<string>> {
  const selects = (await tables())
    .filter((name) => name !== 'audit_entries')
    .map((name) => `SELECT xmin::text AS xmin FROM ${name}`);
  return new Set((await api.platform.sql<{ xmin: string }>(selects.join(' UNION '))).map(({ xmin }) => xmin));
}

async function entries() {
  return api.platform.sql<{
    id: number;
    action: string;
    actor_id: string;
    resource_id: string;
    request_id: string;
    xmin: string;
  }>('SELECT id, action, actor_id, resource_id, request_id, xmin::text FROM audit_entries ORDER BY id');
}

describe('every route that is no read', () => {
  it('is known here, with the entry that it leaves', () => {
    const declared = API_CONTROLLERS.standalone
      .flatMap(routesOf)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
    expect([...Object.keys(ACTS), ...Object.keys(UNAUDITED)].sort()).toEqual(declared.sort());
  });

  for (const [route, acts] of Object.entries(ACTS)) {
    for (const [index, prepare] of acts.entries()) {
      it(`changes nothing without its entry, and leaves one of the same transaction: ${route} (${index + 1})`, async () => {
        const method = route.slice(0, route.indexOf(' '));
        const { path, body, actions, resourceId } = await prepare();
        const stored = await contents();
        await api.platform.sql(
          'CREATE TRIGGER fault BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse()',
        );
        const refused = await api.call(method, path, body);
        await api.platform.sql('DROP TRIGGER fault ON audit_entries');
        expect(refused.status).toBe(500);
        expect(await contents()).toEqual(stored);

        const before = (await entries()).length;
        const answer = await api.call(method, path, body);
        expect(Math.floor(answer.status / 100)).toBe(2);
        const added = (await entries()).slice(before);
        expect(added.map(({ action }) => action)).toEqual(actions);
        const others = await writers();
        for (const { actor_id, request_id, xmin } of added) {
          expect(actor_id).toBe('bootstrap');
          expect(request_id).toBe(answer.headers.get('x-request-id'));
          expect(others).toContain(xmin);
        }
        if (resourceId !== undefined) expect(added[0]!.resource_id).toBe(resourceId);
      });
    }
  }
});
