import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { runErasurePage } from '#delivery/erasure/erasure-runner.js';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
});
afterEach(async () => {
  await api.platform.stopWorker();
  receiver.answer = () => ({ status: 200 });
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

/** A stopped one does not start again. */
async function startWorker(): Promise<void> {
  api.platform.worker = api.platform.newWorker();
  await api.platform.startWorker();
}

/** In everything that people gave the application that is erased, except its id. */
const PERSONAL = 'maria-silva';
const OTHER = 'joana-souza';

const sql = (text: string, values?: readonly unknown[]) => api.platform.sql(text, values);
const erase = (application: string, key?: string) =>
  api.call('DELETE', `/v1/applications/${application}?erase=true`, undefined, key);
const erasureOf = (application: string, key?: string) =>
  api.call('GET', `/v1/applications/${application}/erasure`, undefined, key);

/** Does not wait for what was under way at the deletion. */
async function beginNow(application: string): Promise<void> {
  await sql('UPDATE erasures SET next_page_at = now_ms() WHERE application_id = $1', [application]);
}

async function erased(application: string) {
  return until(async () => {
    const { body } = await erasureOf(application);
    return body.state === 'done' && body;
  });
}

/** The rows of every table, as text with bytes in hexadecimal digits. */
async function rows(): Promise<string[]> {
  const tables = await api.platform.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const found = await Promise.all(
    tables.map(({ name }) =>
      api.platform.sql<{ row: string }>(`SELECT '${name} ' || t::text AS row FROM ${name} t`),
    ),
  );
  return found.flat().map(({ row }) => row);
}

async function rowsWith(...texts: string[]): Promise<string[]> {
  const sought = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  return (await rows()).filter((row) => sought.some((text) => row.includes(text)));
}

/** An application that has something of everything, dead letters and refused publishes among it. */
async function furnished(id: string, personal: string): Promise<void> {
  receiver.answer = ({ body, path }) => ({
    status: path.includes('refuse') ? 500 : 200,
    body: body.toString(),
  });
  await api.call('POST', '/v1/applications', {
    id,
    name: personal,
    environment: personal,
    contract: 'tf-fiscal',
    settings: { timeout: '500ms', retryWaits: ['10ms'] },
  });
  for (const path of ['taken', 'refuse']) {
    await api.call('POST', `/v1/applications/${id}/endpoints`, {
      url: `${receiver.url}/${path}?name=${personal}`,
      description: personal,
      credentials: { token: 'token-1' },
    });
  }
  for (const event of [1, 2]) await api.platform.publish(id, `${personal}-${event}`, personal);
  await until(async () => {
    const [row] = await api.platform.sql<{ count: number }>(
      `SELECT count(*) FROM deliveries WHERE application_id = $1 AND state IN ('delivered', 'dead')`,
      [id],
    );
    return row!.count === 4;
  });
  const refused = { application: id, type: personal, id: personal, data: {} };
  expect((await api.call('POST', '/v1/events', refused)).status).toBe(422);
  await until(async () => (await sql('SELECT FROM rejections WHERE application_id = $1', [id])).length > 0);
  await api.call('DELETE', `/v1/applications/${id}/events/${personal}-1/body`);
  const { body } = await api.call('GET', `/v1/applications/${id}/endpoints`);
  await api.call('POST', `/v1/endpoints/${body.items[0].id}/disable`, { reason: personal });
}

describe('an application that is deleted with all its data', () => {
  it('leaves nothing of what people gave it in any table, and others as they are', async () => {
    await startWorker();
    await furnished('staying', OTHER);
    await furnished('leaving', PERSONAL);
    await api.platform.stopWorker();
    const others = async () => (await rowsWith('staying', OTHER)).sort();
    const before = await others();
    // What cannot be announced while the broker is away.
    await sql(
      `INSERT INTO outbox (topic, key, payload)
       SELECT 'held', '1', jsonb_build_object('application', 'leaving', 'event', $1 || n) FROM generate_series(1, 2) n`,
      [PERSONAL],
    );
    const ids = await api.platform.sql<{ id: number }>(
      `SELECT id FROM endpoints WHERE application_id = 'leaving' UNION
       SELECT id FROM deliveries WHERE application_id = 'leaving' UNION
       SELECT id FROM events WHERE application_id = 'leaving'`,
    );

    const accepted = await erase('leaving');
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('location')).toBe('/v1/applications/leaving/erasure');
    expect(accepted.body).toEqual({
      application: 'leaving',
      state: 'running',
      erased: { events: 0, deliveries: 0, attempts: 0 },
      failure: null,
      requestedAt: expect.stringMatching(/Z$/),
      finishedAt: null,
    });
    // It waits for what was under way at the deletion.
    expect(await runErasurePage(api.platform.database)).toBe(false);
    // Without a worker, which would pass on what waits to be announced.
    do await beginNow('leaving');
    while (await runErasurePage(api.platform.database));
    expect((await erasureOf('leaving')).body).toMatchObject({
      state: 'done',
      erased: { events: 2, deliveries: 4, attempts: 6 },
      finishedAt: expect.stringMatching(/Z$/),
    });

    expect(await rowsWith(PERSONAL)).toEqual([]);
    const named = (await rowsWith('leaving')).map((row) => row.slice(0, row.indexOf(' ')));
    expect([...new Set(named)].sort()).toEqual(['applications', 'audit_entries', 'erasures']);
    const numbered = (await rowsWith(...ids.map(({ id }) => String(id)))).map((row) => row.split(' ')[0]);
    expect(new Set(numbered)).toEqual(new Set(['audit_entries', 'endpoint_minutes']));
    expect(await others()).toEqual(before);
  });

  it('stays in the audit with who did what and when, without the values', async () => {
    const { items } = (await api.call('GET', '/v1/audit?application=leaving')).body;
    expect(items).toMatchObject([
      { action: 'application.erasure_requested', actor: { key: 'bootstrap' }, resource: { id: 'leaving' } },
      { action: 'application.deleted' },
      { action: 'endpoint.disabled', changes: { state: {}, disabledReason: {} } },
      { action: 'event.body_erased', resource: { kind: 'event', id: null } },
      { action: 'endpoint.created', changes: { url: {}, description: {} } },
      { action: 'endpoint.created' },
      { action: 'application.created', changes: { name: {}, environment: {} } },
    ]);
    expect(JSON.stringify(items)).not.toContain(PERSONAL);
  });

  it('does not give its id again, and is erased once however often that is asked', async () => {
    const count = async () => (await sql('SELECT FROM audit_entries')).length;
    const before = await count();
    expect((await erase('leaving')).body).toMatchObject({ state: 'done', erased: { events: 2 } });
    expect((await api.call('DELETE', '/v1/applications/leaving')).status).toBe(204);
    expect(await count()).toBe(before);
    const again = await api.call('POST', '/v1/applications', {
      id: 'leaving',
      name: 'again',
      contract: 'tf-fiscal',
    });
    expect(again.body).toMatchObject({ status: 409, code: 'APPLICATION_DELETED' });
    await expect(api.platform.publish('leaving')).rejects.toMatchObject({ code: 'UNKNOWN_APPLICATION' });
  });

  it('may have been deleted before', async () => {
    await startWorker();
    await api.addApplication('earlier');
    await api.call('DELETE', '/v1/applications/earlier');
    expect((await erasureOf('earlier')).status).toBe(404);
    expect((await erase('earlier')).status).toBe(202);
    await beginNow('earlier');
    await erased('earlier');
    const { items } = (await api.call('GET', '/v1/audit?application=earlier')).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'application.erasure_requested',
      'application.deleted',
      'application.created',
    ]);
  });

  it('is the matter of managers within their limits', async () => {
    await api.addApplication('owned');
    expect((await erase('owned', await api.key('operator'))).status).toBe(403);
    expect((await erase('owned', await api.key('manager', ['other']))).status).toBe(404);
    expect((await erase('nobody')).status).toBe(404);
    expect((await api.call('DELETE', '/v1/applications/owned?erase=yes')).status).toBe(422);
    expect((await erase('owned', await api.key('manager', ['owned']))).status).toBe(202);
    expect((await erasureOf('owned', await api.key('operator', ['owned']))).status).toBe(200);
    expect((await erasureOf('owned', await api.key('operator', ['other']))).status).toBe(404);
    await beginNow('owned');
    await startWorker();
    await erased('owned');
  });
});

describe('an erasure whose process is killed in the middle', () => {
  it('goes on where it was, and says meanwhile why it does not', async () => {
    const { database } = api.platform;
    await api.addApplication('large', { firstAttemptDelay: '1h' });
    const endpoint = await api.addWebhook('large', receiver.url);
    await sql(
      `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state)
       SELECT 1, 'large', $1, 'x', 'delivered' FROM generate_series(1, 1200)`,
      [endpoint],
    );
    await erase('large');
    await beginNow('large');
    expect(await runErasurePage(database)).toBe(true);
    expect((await erasureOf('large')).body.erased.deliveries).toBe(500);

    await beginNow('large');
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `SELECT FROM deliveries WHERE application_id = 'large' ORDER BY id DESC LIMIT 300 FOR UPDATE`,
    );
    const cutOff = runErasurePage(database);
    cutOff.catch(() => undefined);
    // Not over the holder, whose transaction sees the activity as it was at its first look.
    await until(async () => {
      const killed = await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return killed.length > 0;
    });
    await expect(cutOff).rejects.toThrow();
    await holder.query('ROLLBACK');
    holder.release();
    expect((await erasureOf('large')).body).toMatchObject({
      state: 'running',
      erased: { deliveries: 500 },
      failure: expect.stringContaining('terminat'),
    });

    await beginNow('large');
    await startWorker();
    expect(await erased('large')).toMatchObject({ erased: { deliveries: 1_200 }, failure: null });
    expect(await sql(`SELECT FROM deliveries WHERE application_id = 'large'`)).toEqual([]);
  });
});
