import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';

let api: AdminApi;
const endpoints: Record<string, string> = {};

async function dead(
  name: string,
  finishedAt: string,
  httpStatus: number | null,
  code: string | null,
  state = 'dead',
) {
  await api.platform.sql(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, finished_at, last_http_status, last_error_code,
                             last_error_message)
     SELECT 1, application_id, id, 'x', $2, $3, $4, $5, $5 FROM endpoints WHERE id = $1`,
    [endpoints[name], state, finishedAt, httpStatus, code],
  );
}

const groups = async (query = '', key?: string) =>
  (await api.call('GET', `/v1/dead-letters/groups${query}`, undefined, key)).body as {
    counted: number;
    items: { application: string; httpStatus: number | null; errorCode: string | null; count: number }[];
  };

beforeAll(async () => {
  api = await AdminApi.start();
  for (const name of ['acme', 'shop']) {
    await api.addApplication(name);
    endpoints[name] = await api.addWebhook(name, `http://127.0.0.1:9/${name}`);
  }
  await dead('acme', '2026-01-31T02:10:00Z', 401, null);
  await dead('acme', '2026-01-31T02:40:00Z', 401, null, 'closed');
  await dead('acme', '2026-01-31T02:20:00Z', 401, null);
  await dead('acme', '2026-01-31T03:00:00Z', null, 'CONNECT_REFUSED');
  await dead('shop', '2026-01-31T03:00:00Z', 401, null);
  await dead('shop', '2026-01-31T03:00:00Z', 200, null, 'canceled');
});
afterAll(() => api.stop());

describe('dead letters in groups', () => {
  it('are counted by endpoint and error, the largest first, with their times and how long bodies are kept', async () => {
    const answer = await groups();
    expect(answer).toMatchObject({ counted: 5, countsUpTo: 10_000, retentionDays: 30 });
    expect(
      answer.items.map(({ application, httpStatus, errorCode, count }) => [
        application,
        httpStatus ?? errorCode,
        count,
      ]),
    ).toEqual([
      ['acme', 401, 3],
      ['acme', 'CONNECT_REFUSED', 1],
      ['shop', 401, 1],
    ]);
    expect(answer.items[0]).toMatchObject({
      endpoint: endpoints['acme'],
      url: 'http://127.0.0.1:9/acme',
      oldestFinishedAt: '2026-01-31T02:10:00.000Z',
      newestFinishedAt: '2026-01-31T02:40:00.000Z',
      oldestAcceptedAt: expect.stringMatching(/Z$/),
    });
  });

  it('are those of an application or an endpoint where one is asked for', async () => {
    expect((await groups('?application=shop')).items).toMatchObject([{ application: 'shop', count: 1 }]);
    expect((await groups(`?endpoint=${endpoints['acme']}`)).items.map(({ count }) => count)).toEqual([3, 1]);
    expect(await groups('?application=nobody')).toMatchObject({ counted: 0, items: [] });
  });

  it('are only those that the key covers', async () => {
    const key = await api.call('POST', '/v1/api-keys', {
      name: 'shop',
      role: 'operator',
      applications: ['shop'],
    });
    const limited = (key.body as { key: string }).key;
    expect((await groups('', limited)).items.map(({ application }) => application)).toEqual(['shop']);
    expect(await groups(`?endpoint=${endpoints['acme']}`, limited)).toMatchObject({ counted: 0, items: [] });
    expect(await groups('?application=acme', limited)).toMatchObject({ counted: 0, items: [] });
  });
});
