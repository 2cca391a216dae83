import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';
import { faultsOfTfFiscalDelivery } from '../verifiers/tf-fiscal-verifier.js';

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
  await api.platform.startWorker();
});
afterEach(() => {
  receiver.answer = () => ({ status: 200 });
  receiver.received.length = 0;
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const put = (application: string, body: object) =>
  api.call('PUT', `/v1/applications/${application}/webhook`, body);
const get = (application: string) => api.call('GET', `/v1/applications/${application}/webhook`);
const faults = (received: Received, appSecret: string, token: string) =>
  faultsOfTfFiscalDelivery(
    { rawHeaders: received.headers.flat(), body: received.body },
    { appSecret, token, now: received.at },
  );

describe('registering the webhook (TF-01)', () => {
  it('creates it, for every event type, and tells nothing of its token', async () => {
    await api.addApplication('new');
    const answer = await put('new', { url: receiver.url, credentials: { token: 'very-secret' } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/v1/endpoints/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      application: 'new',
      webhook: true,
      url: receiver.url,
      eventTypes: null,
      description: null,
      state: 'active',
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
      credentials: { token: { set: true } },
      nextCredentialsAt: null,
      stats: { pending: 0, oldestDueAt: null, lastSuccessAt: null, lastFailureAt: null },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      warnings: [],
    });
    const shown = await get('new');
    expect(shown.body).toMatchObject({ id: answer.body.id, state: 'active' });
    expect(answer.text + shown.text).not.toContain('very-secret');
    expect(receiver.received).toHaveLength(0);
  });

  it('overwrites URL and token, which take effect from the next delivery on', async () => {
    const secret = await api.addApplication('overwritten');
    const id = await api.addWebhook('overwritten', `${receiver.url}/old`, 'old-token');
    const again = await put('overwritten', {
      url: `${receiver.url}/new`,
      credentials: { token: 'new-token' },
    });
    expect([again.status, again.body.id]).toEqual([200, id]);
    await api.platform.publish('overwritten');
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]!.path).toBe('/hook/new');
    expect(faults(receiver.received[0]!, secret, 'new-token')).toEqual([]);
  });

  it('restores a disabled webhook and sets its failure counter to 0 (TF-43)', async () => {
    receiver.answer = () => ({ status: 500 });
    await api.addApplication('restored', { breakerThreshold: 2, retryWaits: ['10ms'] });
    const id = await api.addWebhook('restored', receiver.url);
    await api.platform.publish('restored');
    const disabled = await until(async () => {
      const { body } = await get('restored');
      return body.state === 'disabled' && body;
    });
    expect(disabled).toMatchObject({
      id,
      consecutiveFailures: 2,
      disabledReason: expect.stringContaining('2'),
    });
    expect(disabled.stats.lastFailureAt).not.toBeNull();
    const again = await put('restored', { url: receiver.url, credentials: { token: 'token-1' } });
    expect(again.body).toMatchObject({
      id,
      state: 'active',
      disabledReason: null,
      disabledAt: null,
      consecutiveFailures: 0,
    });
    await until(() => api.platform.announced.some(({ payload }) => payload['type'] === 'endpoint.restored'));
  });

  it('does not count a failure of an attempt that began under the earlier registration', async () => {
    receiver.answer = () => 'hang';
    await api.addApplication('in-flight', { breakerThreshold: 1, timeout: '500ms' });
    await api.addWebhook('in-flight', receiver.url);
    const { id: event } = await api.platform.publish('in-flight');
    await until(() => receiver.received.length === 1);
    await put('in-flight', { url: receiver.url, credentials: { token: 'token-2' } });
    await until(async () => {
      const { body } = await api.call('GET', `/v1/deliveries?application=in-flight&event=${event}`);
      return body.items[0].attemptCount === 1;
    });
    expect((await get('in-flight')).body).toMatchObject({ state: 'active', consecutiveFailures: 0 });
  });

  it('is not restored by a change of its URL, which forgets no failure either', async () => {
    await api.addApplication('moved');
    const id = await api.addWebhook('moved', receiver.url);
    await api.call('POST', `/v1/endpoints/${id}/disable`);
    const moved = await api.call('PATCH', `/v1/endpoints/${id}`, { url: `${receiver.url}/elsewhere` });
    expect(moved.body).toMatchObject({ url: `${receiver.url}/elsewhere`, state: 'disabled' });
  });

  it('takes no filter: the webhook receives every type', async () => {
    await api.addApplication('unfiltered');
    const id = await api.addWebhook('unfiltered', receiver.url);
    const eventTypes = ['cte.authorized'];
    const registered = await put('unfiltered', {
      url: receiver.url,
      credentials: { token: 't' },
      eventTypes,
    });
    expect(registered.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/eventTypes', code: 'UNKNOWN_FIELD' }],
    });
    const patched = await api.call('PATCH', `/v1/endpoints/${id}`, { eventTypes });
    expect(patched.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/eventTypes', code: 'NOT_ALLOWED' }],
    });
  });

  it('makes one webhook of many first registrations at once', async () => {
    await api.addApplication('raced');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        put('raced', { url: `${receiver.url}/${index}`, credentials: { token: 't' } }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  });

  it('is gone after DELETE, and another registration makes another', async () => {
    await api.addApplication('gone');
    const id = await api.addWebhook('gone', receiver.url);
    const remove = () => api.call('DELETE', '/v1/applications/gone/webhook');
    expect((await remove()).status).toBe(204);
    expect([(await remove()).status, (await get('gone')).status]).toEqual([404, 404]);
    expect((await api.call('GET', `/v1/endpoints/${id}`)).body.state).toBe('revoked');
    expect(await api.addWebhook('gone', receiver.url)).not.toBe(id);
  });
});

describe('the token (TF-04)', () => {
  it.each([
    ['an empty one', ''],
    ['a line break', 'a\r\nX-Evil: 1'],
    ['a tab', 'a\tb'],
    ['a letter beyond ASCII', 'çedilha'],
    ['a space at its end', 'token '],
    ['513 characters', 'x'.repeat(513)],
    ['a number', 7],
    ['null', null],
  ])('is refused with %s, and nothing is saved', async (_, token) => {
    await api.call('PUT', '/v1/applications/tokens', { name: 'Tokens', contract: 'tf-fiscal' });
    const before = await api.registrations();
    const answer = await put('tokens', { url: receiver.url, credentials: { token } });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe('/credentials/token');
    if (typeof token === 'string' && token.length > 8) expect(answer.text).not.toContain(token);
    expect(await api.registrations()).toEqual(before);
  });

  it('is required, and is the only credential', async () => {
    await api.addApplication('token-only');
    const answers = await Promise.all([
      put('token-only', { url: receiver.url }),
      put('token-only', { url: receiver.url, credentials: { token: 't', ownKey: 'k' } }),
    ]);
    expect(answers.map(({ body }) => body.errors[0].pointer)).toEqual([
      '/credentials/token',
      '/credentials/ownKey',
    ]);
  });

  it.each([['!'], ['a b ~'], ['x'.repeat(512)]])('is echoed verbatim: %s', async (token) => {
    const secret = await api.addApplication(`echo-${token.length}`);
    const answer = await put(`echo-${token.length}`, {
      url: receiver.url,
      credentials: { token },
      verify: true,
    });
    expect(answer.status).toBe(201);
    expect(faults(receiver.received[0]!, secret, token)).toEqual([]);
  });
});

describe('saving with verify (TF-05)', () => {
  it('sends one signed webhook.verify with the new token and saves after a 2xx', async () => {
    const secret = await api.addApplication('verified');
    receiver.answer = () => ({ status: 204 });
    const answer = await put('verified', {
      url: receiver.url,
      credentials: { token: 'fresh' },
      verify: true,
    });
    expect(answer.status).toBe(201);
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    expect(faults(received!, secret, 'fresh')).toEqual([]);
    expect(JSON.parse(received!.body.toString())).toMatchObject({ event_type: 'webhook.verify', data: {} });
    expect((await api.call('GET', '/v1/events?application=verified')).body.items).toEqual([]);
    expect((await api.call('GET', '/v1/deliveries?application=verified')).body.items).toEqual([]);
  });

  it.each([
    [
      'a refusal',
      { status: 500, body: 'no such hook' },
      { outcome: 'http_5xx', httpStatus: 500, error: null, responseSummary: 'no such hook' },
    ],
    [
      'a redirect',
      { status: 302, headers: { location: '/' } },
      { outcome: 'http_3xx', httpStatus: 302, error: null },
    ],
    [
      'silence',
      'hang' as const,
      { outcome: 'timeout', httpStatus: null, error: { code: expect.any(String) } },
    ],
  ])('refuses after %s with what was seen, saves nothing and tries once', async (what, answer, attempt) => {
    const application = `refused-${what.split(' ').at(-1)}`;
    await api.addApplication(application, { timeout: '200ms' });
    await api.addWebhook(application, receiver.url, 'before');
    const before = await api.registrations();
    receiver.answer = () => answer;
    const refused = await put(application, {
      url: `${receiver.url}/x`,
      credentials: { token: 'after' },
      verify: true,
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ code: 'VERIFICATION_FAILED', attempt });
    expect(receiver.received).toHaveLength(1);
    expect(await api.registrations()).toEqual(before);
  });

  it('restores a disabled webhook like a plain registration, and a failed one leaves it disabled', async () => {
    await api.addApplication('back');
    const id = await api.addWebhook('back', receiver.url);
    await api.call('POST', `/v1/endpoints/${id}/disable`, { reason: 'maintenance' });
    const body = { url: receiver.url, credentials: { token: 'token-1' }, verify: true };
    receiver.answer = () => ({ status: 404 });
    await put('back', body);
    expect((await get('back')).body).toMatchObject({ state: 'disabled', disabledReason: 'maintenance' });
    receiver.answer = () => ({ status: 200 });
    expect((await put('back', body)).body).toMatchObject({ state: 'active', disabledReason: null });
  });

  it('verifies an endpoint as it is, counting for nothing', async () => {
    const secret = await api.addApplication('as-is');
    const id = await api.addWebhook('as-is', receiver.url, 'token-1');
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7' } });
    const before = await api.registrations();
    const failed = await api.call('POST', `/v1/endpoints/${id}/verify`);
    expect(failed).toMatchObject({
      status: 200,
      body: { ok: false, attempt: { number: 1, httpStatus: 503, retryAfterSeconds: 7, nextAttemptAt: null } },
    });
    receiver.answer = () => ({ status: 200 });
    expect((await api.call('POST', `/v1/endpoints/${id}/verify`)).body).toMatchObject({ ok: true });
    expect(receiver.received.map((received) => faults(received, secret, 'token-1'))).toEqual([[], []]);
    expect(await api.registrations()).toEqual(before);
  });
});
