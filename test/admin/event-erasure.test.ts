import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

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

/** Is in the body, and in what an echoing receiver answers. */
const PERSONAL = 'maria-silva';

const eventPath = (application: string, event = 'ev') => `/v1/applications/${application}/events/${event}`;
const erase = (application: string, event = 'ev', key?: string) =>
  api.call('DELETE', `${eventPath(application, event)}/body`, undefined, key);
const publish = (application: string, protocol = PERSONAL) =>
  api.platform.publish(application, 'ev', protocol);
const deliveriesOf = async (application: string) =>
  (await api.call('GET', eventPath(application))).body.deliveries as { id: string; state: string }[];
const attemptsOf = async (application: string) => {
  const [delivery] = await deliveriesOf(application);
  return (await api.call('GET', `/v1/deliveries/${delivery!.id}/attempts`)).body.items as {
    outcome: string;
    responseSummary: string;
  }[];
};
const entriesOf = async (application: string) =>
  (await api.call('GET', `/v1/audit?application=${application}&action=event.body_erased`)).body.items;

/** An event that an echoing receiver has; returns its delivery. */
async function deliveredAndEchoed(application: string): Promise<string> {
  receiver.answer = ({ body }) => ({
    status: 200,
    headers: { 'x-echo': encodeURIComponent(body.toString()) },
    body: body.toString(),
  });
  await api.addApplication(application);
  await api.addWebhook(application, receiver.url);
  await publish(application);
  return until(async () => {
    const [delivery] = await deliveriesOf(application);
    return delivery?.state === 'delivered' && delivery.id;
  });
}

/** All that is stored, as text, bytes among it. */
async function stored(): Promise<string> {
  const tables = await api.platform.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => api.platform.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join('\n');
}
const asBytes = (text: string) => Buffer.from(text).toString('hex');

describe('an event whose body is erased', () => {
  it('keeps nothing of it, nor of what receivers answered, and says since when', async () => {
    await deliveredAndEchoed('forgotten');
    expect((await attemptsOf('forgotten'))[0]!.responseSummary).toContain(PERSONAL);
    expect(await stored()).toContain(asBytes(PERSONAL));
    expect((await erase('forgotten')).status).toBe(204);
    const { body } = await api.call('GET', eventPath('forgotten'));
    expect(body).toMatchObject({
      id: 'ev',
      body: null,
      bodySha256: null,
      bodyBytes: null,
      bodyErasedAt: expect.stringMatching(/Z$/),
      deliveries: [{ state: 'delivered', event: 'ev' }],
    });
    expect((await api.call('GET', '/v1/events?application=forgotten')).body.items).toMatchObject([
      { id: 'ev', bodyBytes: null, bodyErasedAt: body.bodyErasedAt },
    ]);
    expect((await api.call('GET', `${eventPath('forgotten')}/body`)).body).toMatchObject({
      status: 410,
      code: 'GONE',
    });
    expect(await attemptsOf('forgotten')).toMatchObject([{ outcome: 'success', responseSummary: '' }]);
    const left = await stored();
    expect(left).not.toContain(PERSONAL);
    expect(left).not.toContain(asBytes(PERSONAL));
  });

  it('is never sent again: redelivery is refused, and a replay skips it', async () => {
    const id = await deliveredAndEchoed('unsent');
    await erase('unsent');
    expect((await api.call('POST', `/v1/deliveries/${id}/redeliver`)).body).toMatchObject({
      status: 409,
      code: 'BODY_ERASED',
    });
    const { body: webhook } = await api.call('GET', '/v1/applications/unsent/webhook');
    const { body: replay } = await api.call('POST', `/v1/endpoints/${webhook.id}/replay`, {
      since: '2026-01-01T00:00:00Z',
      states: ['delivered'],
    });
    expect(replay.matched).toBe(1);
    const ended = await until(async () => {
      const { body } = await api.call('GET', `/v1/replays/${replay.id}`);
      return body.state === 'done' && body;
    });
    expect(ended).toMatchObject({ queued: 0, skipped: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps its id: the same again is a duplicate, another under it a conflict', async () => {
    await deliveredAndEchoed('kept-id');
    await erase('kept-id');
    expect(await publish('kept-id')).toMatchObject({ duplicate: true });
    await expect(publish('kept-id', 'another')).rejects.toMatchObject({ code: 'EVENT_ID_REUSED' });
    expect((await api.call('GET', eventPath('kept-id'))).body.body).toBeNull();
  });

  it('waits for nothing any more: what was pending is canceled, at every endpoint', async () => {
    await api.addApplication('waiting', { firstAttemptDelay: '1h' });
    await api.addWebhook('waiting', receiver.url);
    await api.call('POST', '/v1/applications/waiting/endpoints', {
      url: `${receiver.url}/second`,
      credentials: { token: 'token-1' },
    });
    await publish('waiting');
    expect((await deliveriesOf('waiting')).map(({ state }) => state)).toEqual(['pending', 'pending']);
    await erase('waiting');
    expect((await deliveriesOf('waiting')).map(({ state }) => state)).toEqual(['canceled', 'canceled']);
  });

  it('may be erased again, which changes nothing and is in the audit once', async () => {
    await deliveredAndEchoed('twice');
    for (let count = 0; count < 2; count++) expect((await erase('twice')).status).toBe(204);
    expect(await entriesOf('twice')).toMatchObject([
      { resource: { kind: 'event', id: 'ev' }, changes: { body: {} } },
    ]);
  });

  it('is erased by managers within their limits, also of a deleted application', async () => {
    await deliveredAndEchoed('owned');
    for (const role of ['operator', 'producer'] as const) {
      expect((await erase('owned', 'ev', await api.key(role))).status).toBe(403);
    }
    expect((await erase('owned', 'ev', await api.key('manager', ['other']))).status).toBe(404);
    expect((await erase('owned', 'nothing')).status).toBe(404);
    expect((await erase('nobody')).status).toBe(404);
    expect((await api.call('GET', `${eventPath('owned')}/body`)).status).toBe(200);
    await api.call('DELETE', '/v1/applications/owned');
    expect((await erase('owned', 'ev', await api.key('manager', ['owned']))).status).toBe(204);
    expect((await api.call('GET', `${eventPath('owned')}/body`)).status).toBe(410);
  });
});

describe('an attempt that is in flight when its event is erased', () => {
  it.each([
    [200, 'delivered', 'success'],
    [500, 'canceled', 'http_5xx'],
  ])('may finish with %d and is %s; its answer is not kept', async (status, state, outcome) => {
    const application = `in-flight-${status}`;
    receiver.answer = ({ body }) => ({ status, body: body.toString(), delayMs: 200 });
    await api.addApplication(application);
    await api.addWebhook(application, receiver.url);
    await publish(application);
    await until(() => receiver.open === 1);
    expect((await erase(application)).status).toBe(204);
    expect(await deliveriesOf(application)).toMatchObject([{ state: 'canceled' }]);
    const attempts = await until(async () => {
      const logged = await attemptsOf(application);
      return logged.length > 0 && logged;
    });
    expect(attempts).toMatchObject([{ outcome, responseSummary: '' }]);
    expect(await deliveriesOf(application)).toMatchObject([{ state }]);
    expect(receiver.received).toHaveLength(1);
  });
});
