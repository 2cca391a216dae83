import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';

let api: AdminApi;

beforeAll(async () => {
  api = await AdminApi.start();
});
afterAll(() => api.stop());

describe('creating an application', () => {
  it('generates its secret of 32 random bytes in hex, shows it once and keeps it encrypted (TF-06)', async () => {
    const answer = await api.call('POST', '/v1/applications', {
      id: 'acme',
      name: 'Acme',
      contract: 'tf-fiscal',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/applications/acme');
    const { issuedCredentials, ...shown } = answer.body;
    expect(issuedCredentials.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(shown).toEqual({
      id: 'acme',
      name: 'Acme',
      contract: 'tf-fiscal',
      environment: 'production',
      attributes: {},
      settings: {},
      secret: { set: true, nextActivatesAt: null },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect((await api.call('GET', '/v1/applications/acme')).body).toEqual(shown);
    const [row] = await api.platform.sql<{ secret: Buffer }>(
      `SELECT secret FROM applications WHERE id = 'acme'`,
    );
    expect(row!.secret.includes(issuedCredentials.secret)).toBe(false);
  });

  it('takes a supplied secret of 16 to 256 visible characters, and no other (TF-06)', async () => {
    const create = (secret: unknown) =>
      api.call('POST', '/v1/applications', { name: 'S', contract: 'tf-fiscal', secret });
    const supplied = await create('0123456789abcdef');
    expect(supplied.body.issuedCredentials).toEqual({ secret: '0123456789abcdef' });
    expect(supplied.body.id).toMatch(/^app_[0-9a-f]{20}$/);
    expect((await create('x'.repeat(256))).status).toBe(201);
    for (const secret of [
      '0123456789abcde',
      'x'.repeat(257),
      '0123456789 abcdef',
      '0123456789abcdeé',
      7,
      null,
    ]) {
      const refused = await create(secret);
      expect(refused.status).toBe(422);
      expect(refused.body.errors[0].pointer).toBe('/secret');
      if (typeof secret === 'string') expect(refused.text).not.toContain(secret);
    }
  });

  it('treats the environment as a label and nothing more (TF-07)', async () => {
    const create = (id: string, environment: string) =>
      api.call('POST', '/v1/applications', { id, name: id, contract: 'tf-fiscal', environment });
    const test = await create('label-test', 'homologação');
    const production = await create('label-production', 'production');
    expect([test.status, production.status]).toEqual([201, 201]);
    const {
      id: _a,
      name: _b,
      environment,
      createdAt: _c,
      updatedAt: _d,
      issuedCredentials: _e,
      ...rest
    } = test.body;
    expect(environment).toBe('homologação');
    expect(production.body).toMatchObject(rest);
    const listed = await api.call('GET', `/v1/applications?environment=${encodeURIComponent('homologação')}`);
    expect(listed.body.items.map((item: { id: string }) => item.id)).toEqual(['label-test']);
  });

  it('refuses an id that is taken, and leaves its owner as it was', async () => {
    await api.addApplication('taken');
    const before = await api.registrations();
    const answer = await api.call('POST', '/v1/applications', {
      id: 'taken',
      name: 'T2',
      contract: 'tf-fiscal',
    });
    expect([answer.status, answer.body.code]).toEqual([409, 'APPLICATION_EXISTS']);
    expect(await api.registrations()).toEqual(before);
  });

  it.each([
    [{ contract: 'tf-fiscal' }, '/name', 'REQUIRED'],
    [{ name: 'x' }, '/contract', 'REQUIRED'],
    [{ name: 'x', contract: 'nobody' }, '/contract', 'NOT_ALLOWED'],
    [{ name: 'x', contract: 'tf-fiscal', colour: 'red' }, '/colour', 'UNKNOWN_FIELD'],
    [{ name: 7, contract: 'tf-fiscal' }, '/name', 'WRONG_TYPE'],
    [{ name: 'x', contract: 'tf-fiscal', id: '-x' }, '/id', expect.any(String)],
    [
      { name: 'x', contract: 'tf-fiscal', attributes: { companyId: 1 } },
      '/attributes/companyId',
      'UNKNOWN_FIELD',
    ],
    [
      { name: 'x', contract: 'tf-fiscal', settings: { retryWaits: ['soon'] } },
      '/settings/retryWaits/0',
      expect.any(String),
    ],
    [
      { name: 'x', contract: 'tf-fiscal', settings: { timeout: '16s' } },
      '/settings/timeout',
      'OUT_OF_BOUNDS',
    ],
    [{ name: 'x', contract: 'tf-fiscal', settings: { retries: 3 } }, '/settings/retries', 'UNKNOWN_FIELD'],
    [
      { name: 'x', contract: 'tf-fiscal', settings: { retryWaits: ['29d'] } },
      '/settings/retryWaits',
      'OUTLASTS_RETENTION',
    ],
  ])('refuses %j and changes nothing', async (body, pointer, code) => {
    const before = await api.registrations();
    const answer = await api.call('POST', '/v1/applications', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer, code }] });
    expect(await api.registrations()).toEqual(before);
  });
});

describe('changing an application', () => {
  it('merges a patch into the settings, and returns to the contract’s default with null', async () => {
    await api.addApplication('patched', { timeout: '3s', breakerThreshold: 5 });
    const patch = (body: unknown) => api.call('PATCH', '/v1/applications/patched', body);
    expect(
      (await patch({ settings: { timeout: null, retryWaits: ['1s', '2s..3s'] } })).body.settings,
    ).toEqual({
      breakerThreshold: 5,
      retryWaits: ['1s', '2s..3s'],
    });
    expect((await patch({ name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      settings: { breakerThreshold: 5 },
    });
    expect((await patch({ settings: null })).body.settings).toEqual({});
  });

  it.each([
    [{ contract: 'tf-fiscal' }, '/contract'],
    [{ id: 'other' }, '/id'],
    [{ name: null }, '/name'],
    [{ secret: '0123456789abcdef' }, '/secret'],
    [{ settings: { nothing: null } }, '/settings/nothing'],
    [{ settings: { timeout: '1ms' } }, '/settings/timeout'],
    [{ settings: { breakerThreshold: -1 } }, '/settings/breakerThreshold'],
  ])('refuses the patch %j and changes nothing', async (patch, pointer) => {
    await api.call('PUT', '/v1/applications/steady', { name: 'Steady', contract: 'tf-fiscal' });
    const before = await api.registrations();
    const answer = await api.call('PATCH', '/v1/applications/steady', patch);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await api.registrations()).toEqual(before);
  });

  it('creates with PUT, and with the same again changes nothing but what it says', async () => {
    const put = (body: object) =>
      api.call('PUT', '/v1/applications/declared', { name: 'D', contract: 'tf-fiscal', ...body });
    const first = await put({ secret: 'declared-secret-01', settings: { timeout: '3s' } });
    expect([first.status, first.body.issuedCredentials]).toEqual([201, { secret: 'declared-secret-01' }]);
    const again = await put({ secret: 'declared-secret-01', settings: { timeout: '3s' } });
    expect([again.status, again.body.issuedCredentials, again.body.settings]).toEqual([
      200,
      undefined,
      { timeout: '3s' },
    ]);
    expect((await put({ environment: 'test' })).body).toMatchObject({ environment: 'test', settings: {} });
    const otherSecret = await put({ secret: 'another-secret-0001' });
    expect(otherSecret.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/secret', code: 'IMMUTABLE' }],
    });
  });
});

describe('rotating the secret of an application (TF-06)', () => {
  it('replaces it at once', async () => {
    const old = await api.addApplication('rotated');
    const answer = await api.call('POST', '/v1/applications/rotated/rotate-secret');
    expect(answer.status).toBe(200);
    expect(answer.body.issuedCredentials.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(answer.body.issuedCredentials.secret).not.toBe(old);
    const supplied = await api.call('POST', '/v1/applications/rotated/rotate-secret', {
      secret: 'supplied-secret-1',
    });
    expect(supplied.body.issuedCredentials).toEqual({ secret: 'supplied-secret-1' });
  });

  it('replaces it at a set time, and refuses a time that has passed', async () => {
    await api.addApplication('later');
    const rotate = (activateAt: string) =>
      api.call('POST', '/v1/applications/later/rotate-secret', { secret: 'secret-of-tomorrow', activateAt });
    const activateAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await rotate(activateAt)).body.secret).toEqual({ set: true, nextActivatesAt: activateAt });
    const past = await rotate('2020-01-01T00:00:00Z');
    expect(past.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/activateAt', code: 'IN_THE_PAST' }],
    });
  });
});

describe('keys', () => {
  it('limit who sees and changes an application', async () => {
    await api.addApplication('mine');
    await api.addApplication('theirs');
    const limited = await api.key('manager', ['mine', 'not-yet']);
    expect((await api.call('GET', '/v1/applications/mine', undefined, limited)).status).toBe(200);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }]] as const) {
      expect((await api.call(method, '/v1/applications/theirs', body, limited)).status).toBe(404);
    }
    expect((await api.call('GET', '/v1/applications', undefined, limited)).body.items).toHaveLength(1);
    const create = (id?: string) =>
      api.call('POST', '/v1/applications', { id, name: 'x', contract: 'tf-fiscal' }, limited);
    expect((await create('not-yet')).status).toBe(201);
    for (const id of ['elsewhere', undefined]) {
      expect((await create(id)).body).toMatchObject({ status: 403, code: 'APPLICATION_NOT_ALLOWED' });
    }
  });

  it('let only managers change, and operators read', async () => {
    await api.addApplication('roles');
    const [producer, operator] = await Promise.all([api.key('producer'), api.key('operator')]);
    const read = (key: string) => api.call('GET', '/v1/applications/roles', undefined, key);
    const change = (key: string) => api.call('PATCH', '/v1/applications/roles', { name: 'x' }, key);
    expect([(await read(producer)).status, (await read(operator)).status]).toEqual([403, 200]);
    expect([(await change(producer)).status, (await change(operator)).status]).toEqual([403, 403]);
  });

  it('page through applications by id without skipping or repeating', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '?limit=3' : `?limit=3&cursor=${cursor}`;
      const { body } = await api.call('GET', `/v1/applications${query}`);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.nextCursor as string | null;
    }
    const rows = await api.platform.sql<{ id: string }>('SELECT id FROM applications ORDER BY id');
    expect(seen).toEqual(rows.map((row) => row.id));
  });
});

describe('contracts', () => {
  it('are described with their event types and defaults', async () => {
    const { body } = await api.call('GET', '/v1/contracts/tf-fiscal');
    expect(body.eventTypes).toHaveLength(13);
    expect(body.defaults).toMatchObject({
      retryWaits: ['1m', '5m', '30m', '2h', '6h'],
      timeout: '10s',
      breakerThreshold: 10,
    });
    expect(
      (await api.call('GET', '/v1/contracts')).body.items.map((item: { name: string }) => item.name),
    ).toContain('tf-fiscal');
    expect((await api.call('GET', '/v1/contracts/nobody')).status).toBe(404);
  });
});
