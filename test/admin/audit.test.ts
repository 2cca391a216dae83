import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';

let api: AdminApi;

beforeAll(async () => {
  api = await AdminApi.start();
});
afterAll(() => api.stop());

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly application: string | null;
  readonly changes: Record<string, unknown>;
}

const URL = 'http://127.0.0.1:9/hook';

const audit = async (query = '', key?: string) =>
  (await api.call('GET', `/v1/audit?limit=200${query}`, undefined, key)).body.items as Entry[];
const actions = (entries: readonly Entry[]) => entries.map(({ action }) => action);

describe('the audit', () => {
  it('says who did what to which resource when, by which request, and what it changed', async () => {
    await api.addApplication('told');
    const key = await api.call('POST', '/v1/api-keys', { name: 'maria', role: 'operator' });
    const id = await api.addWebhook('told', URL);
    const before = Date.now();
    const disabled = await api.call(
      'POST',
      `/v1/endpoints/${id}/disable`,
      { reason: 'noon' },
      key.body.key as string,
    );
    const [entry] = await audit('&application=told');
    expect(entry).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/Z$/),
      actor: { key: key.body.id, name: 'maria' },
      action: 'endpoint.disabled',
      resource: { kind: 'endpoint', id },
      application: 'told',
      requestId: disabled.headers.get('x-request-id'),
      changes: { state: { from: 'active', to: 'disabled' }, disabledReason: { to: 'noon' } },
    });
    expect(Math.abs(Date.parse(entry!.at) - before)).toBeLessThan(5_000);
    const [created] = await audit(`&resource=api_key:${key.body.id}`);
    expect(created).toMatchObject({
      actor: { key: 'bootstrap', name: 'ADMIN_KEY' },
      action: 'api_key.created',
      application: null,
      changes: { name: { to: 'maria' }, role: { to: 'operator' } },
    });
  });

  it('holds no secret, token or own key, and of a URL nothing that may be one', async () => {
    const secret = await api.addApplication('quiet');
    await api.call('POST', '/v1/applications/quiet/rotate-secret', { secret: 'rotated-secret-0123456789' });
    const id = await api.addWebhook('quiet', `${URL}?key=key-in-the-url`, 'token-to-keep');
    await api.call('PATCH', `/v1/endpoints/${id}`, {
      url: `${URL}?key=other-key-in-the-url`,
      credentials: { token: 'other-token-to-keep' },
    });
    const { key } = (await api.call('POST', '/v1/api-keys', { name: 'k', role: 'producer' })).body;
    const { text } = await api.call('GET', '/v1/audit?limit=200');
    for (const value of [secret, 'rotated-secret', 'token-to-keep', 'key-in-the-url', key as string]) {
      expect(text).not.toContain(value);
    }
    const [patched, created, rotated, first] = await audit('&application=quiet');
    expect(patched!.changes).toEqual({
      url: { from: `${URL}?key=***`, to: `${URL}?key=***` },
      'credentials.token': { to: 'set' },
    });
    expect(created!.changes).toMatchObject({
      url: { to: `${URL}?key=***` },
      'credentials.token': { to: 'set' },
    });
    expect(rotated!.changes).toEqual({ secret: { to: 'rotated' } });
    expect(first!.changes).toMatchObject({ secret: { to: 'set' }, 'settings.timeout': { to: '500ms' } });
  });

  it('has no entry for what was refused, and none for what changed nothing', async () => {
    await api.addApplication('still');
    const id = await api.addWebhook('still', URL);
    await api.call('POST', `/v1/endpoints/${id}/pause`);
    const known = (await audit()).length;
    const { updatedAt } = (await api.call('GET', `/v1/endpoints/${id}`)).body;
    expect((await api.call('POST', `/v1/endpoints/${id}/pause`)).status).toBe(200);
    expect((await api.call('POST', `/v1/endpoints/${id}/disable`)).status).toBe(409);
    expect((await api.call('POST', `/v1/endpoints/${id}/cancel-pending`)).status).toBe(200);
    expect((await api.call('PATCH', `/v1/endpoints/${id}`, { url: URL, description: null })).status).toBe(
      200,
    );
    expect((await api.call('PATCH', '/v1/applications/still', { name: 'still' })).status).toBe(200);
    expect((await api.call('PATCH', '/v1/applications/still', { name: '' })).status).toBe(422);
    expect((await api.call('POST', '/v1/applications', { id: 'still' })).status).toBe(422);
    const dryRun = { application: 'still', dryRun: true };
    expect((await api.call('POST', '/v1/dead-letters/redeliver', dryRun)).status).toBe(200);
    expect(await audit()).toHaveLength(known);
    expect((await api.call('GET', `/v1/endpoints/${id}`)).body.updatedAt).toBe(updatedAt);
  });

  it('tells of a replay what was asked for, at its start and where it was stopped', async () => {
    await api.addApplication('again');
    const id = await api.addWebhook('again', URL);
    const since = '2026-01-01T00:00:00.000Z';
    const replay = await api.call('POST', `/v1/endpoints/${id}/replay`, { since, states: ['dead'] });
    await api.call('POST', `/v1/replays/${replay.body.id}/cancel`);
    const [canceled, started] = await audit(`&resource=replay:${replay.body.id}`);
    expect(started).toMatchObject({
      action: 'replay.started',
      application: 'again',
      changes: { 'filter.endpoint': { to: id }, 'filter.since': { to: since }, matched: { to: 0 } },
    });
    expect(canceled).toMatchObject({
      action: 'replay.canceled',
      changes: { state: { from: 'running', to: 'canceled' } },
    });
  });

  it('tells of many canceled deliveries in an entry for each page, which add up', async () => {
    await api.addApplication('many');
    const id = await api.addWebhook('many', URL);
    await api.platform.sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
       SELECT 1, 'many', $1, 'x', 'pending', now_ms(), now_ms() + interval '1 h' FROM generate_series(1, 4500)`,
      [id],
    );
    expect((await api.call('POST', `/v1/endpoints/${id}/cancel-pending`)).body).toEqual({
      canceledCount: 4_500,
    });
    const entries = await audit(`&action=endpoint.pending_canceled&resource=endpoint:${id}`);
    expect(entries.map(({ changes }) => changes['canceled'])).toEqual([
      { to: 500 },
      { to: 2_000 },
      { to: 2_000 },
    ]);
  });
});

describe('the list of the audit', () => {
  it('is the newest first, under each filter, and paged without skipping or repeating', async () => {
    await api.addApplication('listed');
    const id = await api.addWebhook('listed', URL);
    await api.call('PATCH', '/v1/applications/listed', { name: 'other' });
    await api.call('DELETE', `/v1/endpoints/${id}`);
    const all = await audit('&application=listed');
    expect(actions(all)).toEqual([
      'endpoint.revoked',
      'application.updated',
      'endpoint.created',
      'application.created',
    ]);
    expect(actions(await audit('&application=listed&action=endpoint.revoked,endpoint.created'))).toEqual([
      'endpoint.revoked',
      'endpoint.created',
    ]);
    expect(actions(await audit('&application=listed&resource=application'))).toEqual([
      'application.updated',
      'application.created',
    ]);
    expect(actions(await audit(`&resource=endpoint:${id},application:listed`))).toEqual(actions(all));
    expect(await audit(`&resource=delivery:${id}`)).toEqual([]);
    expect(await audit('&application=listed&actor=bootstrap')).toHaveLength(4);
    expect(await audit('&application=listed&actor=123')).toEqual([]);
    const { at } = all[1]!;
    expect(actions(await audit(`&application=listed&until=${at}`))).toEqual([
      'endpoint.created',
      'application.created',
    ]);
    expect(actions(await audit(`&application=listed&since=${at}`))).toEqual([
      'endpoint.revoked',
      'application.updated',
    ]);
    const paged: Entry[] = [];
    for (let cursor = ''; ;) {
      const { body } = await api.call('GET', `/v1/audit?application=listed,quiet&limit=3${cursor}`);
      paged.push(...(body.items as Entry[]));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(paged).toEqual(await audit('&application=listed,quiet'));
  });

  it.each(['action=endpoint.exploded', 'resource=planet:1', 'application=-', 'since=noon', 'colour=red'])(
    'refuses a filter that cannot be: %s',
    async (filter) => {
      expect((await api.call('GET', `/v1/audit?${filter}`)).body).toMatchObject({
        status: 422,
        errors: [{ parameter: filter.split('=')[0] }],
      });
    },
  );

  it('is for operators, and with a limit shows what concerns one of the key’s applications', async () => {
    await Promise.all([api.addApplication('mine'), api.addApplication('yours')]);
    for (const role of ['producer', 'manager'] as const) {
      expect((await api.call('GET', '/v1/audit', undefined, await api.key(role))).status).toBe(403);
    }
    const limited = await api.key('operator', ['mine']);
    expect((await audit('', limited)).map(({ application }) => application)).toEqual(['mine']);
    expect(await audit('&application=yours', limited)).toEqual([]);
    expect(await audit('&resource=api_key', limited)).toEqual([]);
    expect(await audit('&application=yours', await api.key('operator'))).toHaveLength(1);
  });
});
