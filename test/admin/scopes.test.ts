import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  api = await AdminApi.start();
  receiver = await RecordingReceiver.start();
  for (const application of ['ours', 'theirs']) {
    await api.addApplication(application);
    await api.addWebhook(application, receiver.url);
  }
  await api.platform.startWorker();
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const EVENT = { type: 'cte.event.registered', data: { event_code: '1', n_seq: '1', protocolo: '1' } };

describe('a key that is limited to applications', () => {
  it('starts no replay of another’s dead letters, and its own replays are not shown to others', async () => {
    const ours = await api.key('operator', ['ours']);
    const theirs = await api.key('operator', ['theirs']);
    const outside = await api.call('POST', '/v1/dead-letters/redeliver', { application: 'theirs' }, ours);
    expect(outside).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const own = await api.call('POST', '/v1/dead-letters/redeliver', { type: 'cte.event.registered' }, ours);
    expect(own).toMatchObject({ status: 202, body: { filter: { application: 'ours' } } });
    const path = `/v1/replays/${(own.body as { id: string }).id}`;
    expect((await api.call('GET', path, undefined, theirs)).status).toBe(404);
    expect((await api.call('POST', `${path}/cancel`, undefined, theirs)).status).toBe(404);
    expect((await api.call('GET', '/v1/replays', undefined, theirs)).body).toMatchObject({ items: [] });
    expect((await api.call('GET', path, undefined, ours)).status).toBe(200);
  });

  it('sees the replay of its own endpoint by whomever it was started', async () => {
    const ours = await api.key('operator', ['ours']);
    const { body } = await api.call('GET', '/v1/applications/ours/webhook');
    const endpoint = (body as { id: string }).id;
    const replay = await api.call('POST', `/v1/endpoints/${endpoint}/replay`, {
      since: '2026-01-01T00:00:00Z',
      states: ['dead'],
    });
    expect(replay.status).toBe(202);
    const { items } = (await api.call('GET', '/v1/replays', undefined, ours)).body as {
      items: { id: string }[];
    };
    expect(items.map(({ id }) => id)).toContain((replay.body as { id: string }).id);
  });

  it('puts nothing into another’s list of rejections', async () => {
    const producer = await api.key('producer', ['ours']);
    const intruding = { ...EVENT, application: 'theirs', type: 'nothing', id: 'planted', surplus: 1 };
    expect((await api.call('POST', '/v1/events', intruding, producer)).status).toBe(422);
    expect(
      (await api.call('POST', '/v1/events', { ...EVENT, application: 'ours', type: 'no' }, producer)).status,
    ).toBe(422);
    const batch = await api.call('POST', '/v1/events/batch', { events: [intruding] }, producer);
    expect(batch.body).toMatchObject({ rejected: 1 });
    const listed = async (key?: string) =>
      (
        (await api.call('GET', '/v1/rejections', undefined, key)).body as {
          items: { application: string | null }[];
        }
      ).items;
    await until(async () => (await listed()).length === 3);
    expect(await listed(await api.key('operator', ['theirs']))).toEqual([]);
    expect(await listed(await api.key('operator', ['ours']))).toHaveLength(1);
  });
});

describe('a receiver that echoes what it got', () => {
  it('gives no token and no secret back through what is kept of its answer', async () => {
    const echoing = await RecordingReceiver.start();
    try {
      echoing.answer = (received) => ({ status: 500, body: JSON.stringify(received.headers) });
      await api.addApplication('echo');
      await api.call('PUT', '/v1/applications/echo/webhook', {
        url: echoing.url,
        credentials: { token: 'token-to-keep' },
      });
      const { body } = await api.call('GET', '/v1/applications/echo/webhook');
      const verified = await api.call('POST', `/v1/endpoints/${(body as { id: string }).id}/verify`);
      expect(verified.text).toContain('***');
      expect(verified.text).not.toContain('token-to-keep');
      await api.call('POST', '/v1/events', { ...EVENT, application: 'echo', id: 'echoed' });
      const [attempt] = await until(async () => {
        const rows = await api.platform.sql<{ response_summary: string }>(
          `SELECT response_summary FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
            WHERE d.application_id = 'echo'`,
        );
        return rows.length > 0 && rows;
      });
      expect(attempt!.response_summary).toContain('***');
      expect(attempt!.response_summary).not.toContain('token-to-keep');
    } finally {
      await echoing.stop();
    }
  });
});

describe('PUT of an application that is there', () => {
  const PUT = { name: 'Center', contract: 'cortecloud' };

  it('keeps its attributes where it sends none, and refuses another contract for what it is', async () => {
    const attributes = { companyId: 1, companyInternalCode: 'C-1' };
    expect((await api.call('PUT', '/v1/applications/center', { ...PUT, attributes })).status).toBe(201);
    expect(await api.call('PUT', '/v1/applications/center', { ...PUT, name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', attributes },
    });
    expect(await api.call('PUT', '/v1/applications/ours', PUT)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/contract', code: 'IMMUTABLE' }] },
    });
  });

  it('or was, says that it was deleted', async () => {
    await api.addApplication('gone');
    await api.call('DELETE', '/v1/applications/gone');
    expect(await api.call('PUT', '/v1/applications/gone', PUT)).toMatchObject({
      status: 409,
      body: { code: 'APPLICATION_DELETED' },
    });
  });
});
