import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { AdminApi } from '../support/admin-api.js';
import { headerOf, type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { describeWithTls, TestAuthority } from '../support/tls.js';
import { until } from '../support/until.js';
import { faultsOfCortecloudDelivery } from '../verifiers/cortecloud-verifier.js';

interface Pair {
  readonly apiKey: string;
  readonly secret: string;
}

interface Destination {
  readonly id: string;
  readonly url: string;
  readonly issuedCredentials: Pair;
}

let api: AdminApi;
let centers = 0;
let services = 0;

beforeAll(async () => {
  api = await AdminApi.start({ deadlines: DEFAULT_DEADLINES });
  await api.platform.startWorker();
});
afterAll(() => api.stop());

async function newCenter(settings: object = {}): Promise<string> {
  const id = `center-${++centers}`;
  const answer = await api.call('POST', '/v1/applications', {
    id,
    name: id,
    contract: 'cortecloud',
    attributes: { companyId: centers, companyInternalCode: `CENTRAL-${centers}` },
    settings,
  });
  expect(answer.status).toBe(201);
  return id;
}

const register = (center: string, url: string, rest: object = {}) =>
  api.call('POST', `/v1/applications/${center}/endpoints`, { url, ...rest });

async function newDestination(center: string, url: string, rest: object = {}): Promise<Destination> {
  const answer = await register(center, url, rest);
  expect(answer.status).toBe(201);
  return answer.body as Destination;
}

const act = (id: string, action: string, body?: object) =>
  api.call('POST', `/v1/endpoints/${id}/${action}`, body);
const patch = (id: string, body: object) => api.call('PATCH', `/v1/endpoints/${id}`, body);

/** Changes of services, one each, long enough ago for their deliveries to be due after the delay alone. */
async function publish(center: string, count = 1, occurredAt = new Date()): Promise<void> {
  const outcomes = await api.platform.acceptor.publishAll(
    Array.from({ length: count }, () => ({
      application: center,
      type: 'service.status_changed',
      id: null,
      occurredAt,
      dataJson: `{"service_id":${++services},"status":6,"old_status":4}`,
    })),
  );
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
}

async function statesOf(endpoint: string): Promise<Record<string, number>> {
  const rows = await api.platform.sql<{ state: string; count: number }>(
    'SELECT state, count(*) FROM deliveries WHERE endpoint_id = $1 GROUP BY state',
    [endpoint],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

describe('a service center', () => {
  it('keeps what identifies its events: company, code and environment (CC-01, CC-22)', async () => {
    const center = await newCenter();
    const path = `/v1/applications/${center}`;
    const before = (await api.call('GET', path)).body as object;
    for (const change of [{ environment: 'staging' }, { attributes: { companyId: 999 } }]) {
      expect(await api.call('PATCH', path, change)).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'IMMUTABLE' }] },
      });
    }
    const put = { name: 'renamed', contract: 'cortecloud', environment: 'staging' };
    expect((await api.call('PUT', path, put)).status).toBe(422);
    expect((await api.call('GET', path)).body).toEqual(before);
  });
});

describe('registering a destination', () => {
  const url = 'https://127.0.0.1:8443/hook?a=1';

  it('issues a pair, shown once; the same URL under two service centers has two (CC-02, CC-04)', async () => {
    const first = await newDestination(await newCenter(), url);
    expect(first).toMatchObject({
      eventTypes: ['service.status_changed'],
      credentials: { apiKey: { set: true }, secret: { set: true }, ownKey: { set: false } },
      issuedCredentials: {
        apiKey: expect.stringMatching(/^sb_wk_/),
        secret: expect.stringMatching(/^sb_ws_/),
      },
      warnings: [],
    });
    const second = await newDestination(await newCenter(), url);
    expect(second.issuedCredentials).not.toEqual(first.issuedCredentials);
    const read = await api.call('GET', `/v1/endpoints/${first.id}`);
    expect(read.text).not.toMatch(/sb_w[ks]_/);
    const [row] = await api.platform.sql<{ stored: Buffer }>(
      'SELECT credentials AS stored FROM endpoints WHERE id = $1',
      [first.id],
    );
    expect(row!.stored.includes(first.issuedCredentials.secret)).toBe(false);
  });

  it('keeps a pair and an own key that are supplied, and issues none (CC-04, CC-05)', async () => {
    const center = await newCenter();
    const credentials = { apiKey: 'sb_wk_theirs', secret: 'sb_ws_theirs', ownKey: 'señal' };
    const answer = await register(center, url, { credentials });
    expect(answer.body).toMatchObject({ credentials: { apiKey: { set: true }, ownKey: { set: true } } });
    expect(answer.text).not.toMatch(/issuedCredentials|theirs|señal/);
    const half = await register(center, `${url}&b=2`, { credentials: { apiKey: 'sb_wk_theirs' } });
    expect(half.body).toMatchObject({ status: 422, errors: [{ pointer: '/credentials/secret' }] });
  });

  it('refuses the same service center, event type and URL a second time, in any spelling of it (CC-02)', async () => {
    const center = await newCenter();
    const { id } = await newDestination(center, 'https://localhost/hook');
    for (const same of [
      'https://localhost/hook',
      'https://LOCALHOST:443/hook',
      'https://localhost/x/../hook',
    ]) {
      const refused = await register(center, same, { eventTypes: ['service.status_changed'] });
      expect(refused.body).toMatchObject({ status: 409, code: 'ENDPOINT_EXISTS' });
      expect(refused.body.detail).toContain(id);
    }
    const other = await newDestination(center, 'https://localhost/hook?one=more');
    const moved = await patch(other.id, { url: 'https://localhost/hook' });
    expect(moved.body).toMatchObject({ status: 409, code: 'ENDPOINT_EXISTS' });
    expect((await patch(id, { url: 'https://localhost/hook', description: 'itself' })).status).toBe(200);
  });

  it('takes one of twenty that come at once (CC-02)', async () => {
    const center = await newCenter();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(center, url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it('takes a revoked one again, with another pair (CC-02)', async () => {
    const center = await newCenter();
    const first = await newDestination(center, url);
    await api.call('DELETE', `/v1/endpoints/${first.id}`);
    const again = await newDestination(center, url);
    expect(again.id).not.toBe(first.id);
    expect(again.issuedCredentials.apiKey).not.toBe(first.issuedCredentials.apiKey);
  });

  it('takes exactly one event type, and no other URL than https (CC-02, CC-03)', async () => {
    const center = await newCenter();
    const two = await register(center, url, { eventTypes: ['service.status_changed', 'service.opened'] });
    expect(two.body.errors.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['NOT_ONE_EVENT_TYPE', 'UNKNOWN_EVENT_TYPE']),
    );
    const plain = await register(center, 'http://127.0.0.1:8443/hook');
    expect(plain.body).toMatchObject({ status: 422, errors: [{ code: 'URL_SCHEME_NOT_ALLOWED' }] });
  });

  it('shows the URL as it is called, and warns where the two published verifiers differ on it (CC-03, CC-06)', async () => {
    const answer = await register(await newCenter(), 'https://127.0.0.1:8443/a/../hook?B=2&a=1');
    expect(answer.body).toMatchObject({
      url: 'https://127.0.0.1:8443/hook?B=2&a=1',
      warnings: [expect.stringContaining('https://127.0.0.1:8443/hook?B=2&a=1')],
    });
  });

  it('cannot be verified, for there is no test event (CC-07)', async () => {
    const center = await newCenter();
    const refused = await register(center, url, { verify: true });
    expect(refused.body).toMatchObject({ status: 409, code: 'NO_TEST_EVENT' });
    const { id } = await newDestination(center, url);
    expect((await act(id, 'verify')).body).toMatchObject({ status: 409, code: 'NO_TEST_EVENT' });
  });
});

describe('rotating the credentials of a destination (CC-12)', () => {
  it('refuses a time that has passed, and is for the living', async () => {
    const { id } = await newDestination(await newCenter(), 'https://127.0.0.1/');
    const past = await act(id, 'rotate-secret', { activateAt: '2020-01-01T00:00:00Z' });
    expect(past.body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/activateAt', code: 'IN_THE_PAST' }],
    });
    await api.call('DELETE', `/v1/endpoints/${id}`);
    expect((await act(id, 'rotate-secret')).body).toMatchObject({ status: 409, code: 'ENDPOINT_REVOKED' });
  });

  it('is refused where the contract generates none', async () => {
    await api.addApplication('other-contract');
    const id = await api.addWebhook('other-contract', 'http://127.0.0.1:9/');
    const refused = await act(id, 'rotate-secret');
    expect(refused.body).toMatchObject({ status: 409, code: 'NO_GENERATED_CREDENTIALS' });
  });
});

describeWithTls('a destination that is called', () => {
  let authority: TestAuthority;
  let receiver: RecordingReceiver;

  beforeAll(async () => {
    authority = await TestAuthority.trusted();
  });
  afterAll(() => authority.withdraw());
  beforeEach(async () => {
    receiver = await RecordingReceiver.start({ tls: await authority.identity() });
  });
  afterEach(() => receiver.stop());

  const faults = (received: Received, url: string, pairs: readonly Pair[], ownKey?: string) =>
    faultsOfCortecloudDelivery(
      { rawHeaders: received.headers.flat(), body: received.body },
      { url, secrets: Object.fromEntries(pairs.map(({ apiKey, secret }) => [apiKey, secret])), ownKey },
    );
  const apiKeyOf = (received: Received) => /api-key="([^"]*)"/.exec(headerOf(received, 'Authorization')!)![1];

  describe('and whose URL changes with 50 deliveries queued', () => {
    it('gets those 50 at the old URL, signed for it, and the 51st at the new one, with the pair it had (CC-10)', async () => {
      const center = await newCenter({ firstAttemptDelay: '2s' });
      const from = receiver.urlOf('/old?from=here');
      const to = receiver.urlOf('/new?to=there');
      const { id, issuedCredentials } = await newDestination(center, from);
      await publish(center, 50);
      expect((await patch(id, { url: to })).body).not.toHaveProperty('issuedCredentials');
      await publish(center);
      expect(receiver.received).toHaveLength(0);
      await until(() => receiver.received.length === 51, { timeoutMs: 15_000 });
      const at = (url: string) => receiver.received.filter(({ path }) => receiver.urlOf(path) === url);
      expect([at(from).length, at(to).length]).toEqual([50, 1]);
      for (const url of [from, to]) {
        for (const received of at(url)) expect(faults(received, url, [issuedCredentials])).toEqual([]);
      }
      await until(async () => (await statesOf(id))['delivered'] === 51);

      const queuedBefore = headerOf(at(from)[0]!, 'X-Webhook-Delivery')!;
      await api.call('POST', `/v1/deliveries/${queuedBefore}/redeliver`);
      await until(() => at(to).length === 2);
      expect(faults(at(to)[1]!, to, [issuedCredentials])).toEqual([]);
      expect(headerOf(at(to)[1]!, 'X-Webhook-Delivery')).toBe(queuedBefore);
    });

    it('keeps a retry at the old URL too (CC-10)', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s', retryWaits: ['500ms'] });
      const { id } = await newDestination(center, receiver.urlOf('/old'));
      receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
      await publish(center);
      await until(() => receiver.received.length === 1);
      await patch(id, { url: receiver.urlOf('/new') });
      await until(() => receiver.received.length === 2);
      expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/old']);
    });
  });

  describe('and is revoked', () => {
    it('with 50 queued and 5 in flight gets those 5 at most; the rest are canceled (CC-11)', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s' });
      const { id } = await newDestination(center, receiver.url);
      // Until a destination has answered once it gets one at a time.
      await publish(center);
      await until(async () => (await statesOf(id))['delivered'] === 1);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      receiver.answer = () => released.then(() => ({ status: 200 }));
      await publish(center, 55);
      await until(() => receiver.open === 5);
      expect((await api.call('DELETE', `/v1/endpoints/${id}`)).status).toBe(204);
      expect(await statesOf(id)).toEqual({ delivered: 1, canceled: 55 });
      release();
      await until(async () => (await statesOf(id))['delivered'] === 1 + 5);
      // What the worker still had in its queues is looked at when these slots come free, and dropped.
      await publish(await anotherDestination());
      await until(() => receiver.received.at(-1)!.path === '/another');
      expect(receiver.received).toHaveLength(1 + 5 + 1);
      expect(await statesOf(id)).toEqual({ delivered: 1 + 5, canceled: 50 });
      const listed = await api.call('GET', `/v1/deliveries?endpoint=${id}&state=canceled&limit=200`);
      expect(listed.body.items).toHaveLength(50);
    });

    it('while it is published to is left with nothing pending (CC-11)', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s' });
      const { id } = await newDestination(center, receiver.url);
      const over = new AbortController();
      const publishing = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) await publish(center);
      });
      await until(() => receiver.received.length > 20);
      await api.call('DELETE', `/v1/endpoints/${id}`);
      over.abort();
      await Promise.all(publishing);
      expect(await statesOf(id)).not.toHaveProperty('pending');
      // What was in flight at that moment has arrived, and nothing else.
      await until(async () => (await statesOf(id))['delivered'] === receiver.received.length);
    });

    async function anotherDestination(): Promise<string> {
      const center = await newCenter({ firstAttemptDelay: '0s' });
      await newDestination(center, receiver.urlOf('/another'));
      return center;
    }
  });

  describe('and whose credentials are rotated (CC-12)', () => {
    /** Publishes, each when the one before has arrived. */
    async function publishUntil(center: string, done: () => boolean): Promise<void> {
      while (!done()) {
        const count = receiver.received.length;
        await publish(center);
        await until(() => receiver.received.length > count);
      }
    }

    it('uses the new pair from the next attempt on, and keeps the own key', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s', retryWaits: ['600ms'] });
      const { id, issuedCredentials: old } = await newDestination(center, receiver.url, {
        credentials: { ownKey: 'own' },
      });
      receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
      await publish(center);
      await until(() => receiver.received.length === 1);
      const rotated = await act(id, 'rotate-secret');
      expect(rotated.body).toMatchObject({
        id,
        nextCredentialsAt: null,
        credentials: { ownKey: { set: true } },
      });
      const fresh = rotated.body.issuedCredentials as Pair;
      await until(() => receiver.received.length === 2);
      expect(receiver.received.map(apiKeyOf)).toEqual([old.apiKey, fresh.apiKey]);
      for (const received of receiver.received) {
        expect(faults(received, receiver.url, [old, fresh], 'own')).toEqual([]);
      }
    });

    it('switches at the set time, and a table of both secrets verifies every delivery', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s' });
      const { id, issuedCredentials: old } = await newDestination(center, receiver.url);
      const rotate = async (inMs: number) => {
        const activateAt = new Date(Date.now() + inMs);
        const answer = await act(id, 'rotate-secret', { activateAt: activateAt.toISOString() });
        expect(answer.body.nextCredentialsAt).toBe(activateAt.toISOString());
        return { activateAt, pair: answer.body.issuedCredentials as Pair };
      };
      const replaced = await rotate(3_600_000);
      const { activateAt, pair: next } = await rotate(1_000);
      const begunWith = (pair: Pair) => receiver.received.filter((one) => apiKeyOf(one) === pair.apiKey);
      await publishUntil(center, () => begunWith(next).length === 3);
      expect(begunWith(replaced.pair)).toEqual([]);
      const [first] = begunWith(next);
      expect(begunWith(old).length).toBeGreaterThan(0);
      expect(receiver.received.indexOf(first!)).toBe(begunWith(old).length);
      expect(first!.at.getTime()).toBeGreaterThanOrEqual(activateAt.getTime());
      expect(begunWith(old).at(-1)!.at.getTime() - activateAt.getTime()).toBeLessThan(500);
      for (const received of receiver.received)
        expect(faults(received, receiver.url, [old, next])).toEqual([]);
    });

    it('keeps what else is changed while a rotation is set, before and after it comes', async () => {
      const center = await newCenter({ firstAttemptDelay: '0s' });
      const { id, issuedCredentials: old } = await newDestination(center, receiver.url);
      const activateAt = new Date(Date.now() + 700).toISOString();
      const rotated = await act(id, 'rotate-secret', { activateAt });
      const next = rotated.body.issuedCredentials as Pair;
      await patch(id, { credentials: { ownKey: 'while it is set' } });
      await publishUntil(center, () => receiver.received.some((one) => apiKeyOf(one) === next.apiKey));
      for (const received of receiver.received) {
        expect(faults(received, receiver.url, [old, next], 'while it is set')).toEqual([]);
      }
      const changed = await patch(id, { credentials: { ownKey: 'after it came' } });
      expect(changed.body.nextCredentialsAt).toBeNull();
      await publish(center);
      await until(
        () => faults(receiver.received.at(-1)!, receiver.url, [next], 'after it came').length === 0,
      );
    });
  });
});
