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

const get = (path: string) => api.call('GET', path);
const remove = (application: string, key?: string) =>
  api.call('DELETE', `/v1/applications/${application}`, undefined, key);
const publish = (application: string, id: string | null = null) => api.platform.publish(application, id);
const addEndpoint = async (application: string, path: string) => {
  const answer = await api.call('POST', `/v1/applications/${application}/endpoints`, {
    url: `${receiver.url}${path}`,
    credentials: { token: 'token-1' },
  });
  return answer.body.id as string;
};
const countOf = async (application: string, states: string) =>
  (await get(`/v1/deliveries?application=${application}&state=${states}&limit=200`)).body.items
    .length as number;

describe('a deleted application', () => {
  it('is gone for publishers and managers, its endpoints are revoked and what waited is canceled', async () => {
    await api.addApplication('gone', { firstAttemptDelay: '1h' });
    const webhook = await api.addWebhook('gone', receiver.url);
    const paused = await addEndpoint('gone', '/paused');
    await api.call('POST', `/v1/endpoints/${paused}/pause`);
    for (const id of ['ev-1', 'ev-2']) await publish('gone', id);
    expect((await remove('gone')).status).toBe(204);
    // At once, while the acceptor still remembers the application.
    await expect(publish('gone', 'ev-1')).rejects.toMatchObject({ code: 'UNKNOWN_APPLICATION' });
    expect(await countOf('gone', 'pending')).toBe(0);
    expect(await countOf('gone', 'canceled')).toBe(4);
    for (const path of ['', '/webhook', '/endpoints']) {
      expect((await get(`/v1/applications/gone${path}`)).status).toBe(404);
    }
    expect((await get('/v1/applications?limit=200')).text).not.toContain('"gone"');
    await expect(publish('gone')).rejects.toMatchObject({ code: 'UNKNOWN_APPLICATION' });
    for (const id of [webhook, paused]) {
      expect((await get(`/v1/endpoints/${id}`)).body).toMatchObject({
        application: 'gone',
        state: 'revoked',
      });
    }
  });

  it('leaves its events and deliveries to be read, and nothing of them to be sent', async () => {
    await api.addApplication('read');
    await api.addWebhook('read', receiver.url);
    await publish('read', 'ev-1');
    await until(async () => (await countOf('read', 'delivered')) === 1);
    await remove('read');
    const event = await get('/v1/applications/read/events/ev-1');
    expect(event.body).toMatchObject({ id: 'ev-1', deliveries: [{ state: 'delivered' }] });
    expect((await get('/v1/events?application=read')).body.items).toHaveLength(1);
    const { id } = event.body.deliveries[0] as { id: string };
    expect((await get(`/v1/deliveries/${id}/attempts`)).body.items).toHaveLength(1);
    const redelivered = await api.call('POST', `/v1/deliveries/${id}/redeliver`);
    expect(redelivered.body).toMatchObject({ status: 409, code: 'ENDPOINT_REVOKED' });
  });

  it('does not give its id again: what carries it would be taken for that of the new one', async () => {
    await api.addApplication('once');
    await remove('once');
    const request = { name: 'once', contract: 'tf-fiscal' };
    const created = await api.call('POST', '/v1/applications', { id: 'once', ...request });
    expect(created.body).toMatchObject({ status: 409, code: 'APPLICATION_DELETED' });
    const put = await api.call('PUT', '/v1/applications/once', request);
    expect(put.body).toMatchObject({ status: 409, code: 'APPLICATION_DELETED' });
    expect((await api.call('PATCH', '/v1/applications/once', { name: 'other' })).status).toBe(404);
    expect((await api.call('POST', '/v1/applications/once/rotate-secret')).status).toBe(404);
  });

  it('may be deleted again, and never existed for a key that does not cover it', async () => {
    await api.addApplication('twice');
    expect((await remove('twice', await api.key('manager', ['other']))).status).toBe(404);
    expect((await remove('twice', await api.key('operator'))).status).toBe(403);
    for (let count = 0; count < 2; count++) expect((await remove('twice')).status).toBe(204);
    expect((await remove('never')).status).toBe(404);
  });

  it('lets what is in flight finish, and sends nothing else', async () => {
    await api.addApplication('in-flight', { concurrencyPerWorker: 2 });
    await api.addWebhook('in-flight', receiver.url);
    await publish('in-flight');
    await until(async () => (await countOf('in-flight', 'delivered')) === 1);
    receiver.received.length = 0;
    receiver.answer = () => ({ status: 200, delayMs: 300 });
    for (let count = 0; count < 10; count++) await publish('in-flight');
    await until(() => receiver.open === 2);
    await remove('in-flight');
    await until(async () => (await countOf('in-flight', 'delivered')) === 3);
    expect(await countOf('in-flight', 'canceled')).toBe(8);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('deleting an application', () => {
  it('that races with publishes and registrations leaves nothing pending and no endpoint', async () => {
    await api.addApplication('raced', { firstAttemptDelay: '1h' });
    for (let count = 0; count < 3; count++) await addEndpoint('raced', `/first-${count}`);
    const over = new AbortController();
    const publishing = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) await publish('raced').catch((error: { code: string }) => error);
    });
    const registering = Array.from({ length: 3 }, async (_, who) => {
      for (let count = 0; !over.signal.aborted; count++) await addEndpoint('raced', `/${who}-${count}`);
    });
    await until(async () => (await countOf('raced', 'pending')) > 20);
    expect((await remove('raced')).status).toBe(204);
    over.abort();
    await Promise.all([...publishing, ...registering]);
    expect(await countOf('raced', 'canceled')).toBeGreaterThan(20);
    expect(await countOf('raced', 'pending')).toBe(0);
    const open = `SELECT count(*) AS open FROM endpoints WHERE application_id = 'raced' AND state <> 'revoked'`;
    expect(await api.platform.sql(open)).toEqual([{ open: 0 }]);
  });

  it('that was cut off before it canceled everything is finished by deleting again', async () => {
    await api.addApplication('cut-off', { firstAttemptDelay: '1h' });
    const id = await api.addWebhook('cut-off', receiver.url);
    for (let count = 0; count < 3; count++) await publish('cut-off');
    // As a kill right after the first commit leaves it.
    await api.platform.sql(`UPDATE applications SET deleted_at = now_ms() WHERE id = 'cut-off'`);
    await api.platform.sql(`UPDATE endpoints SET state = 'revoked', revoked_at = now_ms() WHERE id = $1`, [
      id,
    ]);
    await expect(publish('cut-off')).rejects.toMatchObject({ code: 'UNKNOWN_APPLICATION' });
    expect(await countOf('cut-off', 'pending')).toBe(3);
    expect((await remove('cut-off')).status).toBe(204);
    expect(await countOf('cut-off', 'canceled')).toBe(3);
  });
});
