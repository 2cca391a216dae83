import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { headerOf, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const TOKEN = 'token-of-the-dry-run-tests';

let api: AdminApi;
let receiver: RecordingReceiver;
let secret: string;
let webhook: string;
let second: string;

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
  secret = await api.addApplication('acme', { firstAttemptDelay: '1h' });
  webhook = await api.addWebhook('acme', receiver.url, TOKEN);
  const body = { url: receiver.urlOf('/second'), credentials: { token: 'x' } };
  second = (await api.call('POST', '/v1/applications/acme/endpoints', body)).body.id as string;
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const event = (id?: string, protocolo = '1') => ({
  application: 'acme',
  type: 'cte.event.registered',
  ...(id !== undefined && { id }),
  data: { event_code: '110180', n_seq: '1', protocolo },
});
const tryOut = (body: unknown, key?: string) => api.call('POST', '/v1/events?dryRun=true', body, key);

/** Every row there is, and what it was last changed by. */
async function everything(): Promise<unknown> {
  const tables = await api.platform.sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const rows = [];
  for (const { name } of tables) {
    rows.push(
      await api.platform.sql(
        `SELECT '${name}' AS name, t.tableoid, t.ctid, t::text FROM ${name} t ORDER BY 2, 3`,
      ),
    );
  }
  return rows;
}

describe('a dry run of a publish', () => {
  it('says what the publish then does, byte for byte', async () => {
    await api.call('POST', `/v1/endpoints/${second}/disable`, {});
    const { status, body } = await tryOut(event('ev-1'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      application: 'acme',
      id: 'ev-1',
      duplicate: false,
      reserved: false,
      deliveryCount: 1,
      suppressedCount: 1,
      bodySha256: createHash('sha256').update(body.body).digest('hex'),
      targets: [
        { endpoint: webhook, endpointState: 'active', url: receiver.url, state: 'pending' },
        { endpoint: second, endpointState: 'disabled', state: 'suppressed', firstAttemptAt: null },
      ],
    });
    const [target] = body.targets;
    const inAnHour = new Date(target.firstAttemptAt).getTime() - Date.now();
    expect(inAnHour).toBeGreaterThan(3_590_000);
    expect(inAnHour).toBeLessThan(3_605_000);
    const header = (name: string) =>
      (target.headers as { name: string; value: string }[]).find((one) => one.name === name)?.value;
    expect([header('token'), header('x-token')]).toEqual(['***', '***']);
    const signed = `${header('X-Tffiscal-Timestamp')}.${body.body}`;
    expect(header('X-Tffiscal-Signature')).toBe(createHmac('sha256', secret).update(signed).digest('hex'));
    expect(JSON.stringify(body)).not.toContain(TOKEN);
    expect(JSON.stringify(body)).not.toContain(secret);

    await api.call('PATCH', '/v1/applications/acme', { settings: { firstAttemptDelay: '0s' } });
    expect((await tryOut(event('ev-1'))).body.duplicate).toBe(false);
    await api.platform.startWorker();
    const published = await until(async () => {
      const answer = await api.call('POST', '/v1/events', event('ev-1'));
      return answer.status === 202 && answer.body;
    });
    expect(published).toMatchObject({ duplicate: false, deliveryCount: 1, suppressedCount: 1 });
    const [received] = await until(() => receiver.received.length > 0 && receiver.received);
    const sentNames = received!.headers.map(([name]) => name).filter((name) => header(name) !== undefined);
    expect(sentNames).toEqual(target.headers.map(({ name }: { name: string }) => name));
    expect(headerOf(received!, 'X-Tffiscal-Event-Id')).toBe(header('X-Tffiscal-Event-Id'));
    const withoutTime = (json: string) => json.replace(/"occurred_at":"[^"]+"/, '');
    expect(withoutTime(received!.body.toString())).toBe(withoutTime(body.body as string));
    await api.platform.stopWorker();
  });

  it('leaves every table as it was, whatever it says', async () => {
    await api.call('POST', '/v1/events', event('kept'));
    const before = await everything();
    expect((await tryOut(event('new'))).status).toBe(200);
    expect((await tryOut(event())).body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await tryOut(event('kept'))).body).toMatchObject({
      duplicate: true,
      deliveryCount: null,
      targets: [],
    });
    expect((await tryOut(event('kept', '2'))).body).toMatchObject({ status: 409, code: 'EVENT_ID_REUSED' });
    expect((await tryOut({ ...event(), data: { n_seq: 1 } })).status).toBe(422);
    expect((await tryOut({ ...event(), application: 'nobody' })).body.code).toBe('UNKNOWN_APPLICATION');
    expect(
      (await api.call('POST', '/v1/events/batch?dryRun=true', { events: [event()] })).body,
    ).toMatchObject({
      status: 422,
      errors: [{ parameter: 'dryRun' }],
    });
    expect(await everything()).toEqual(before);
    // What is refused is listed a moment later: nothing of the above was to come.
    await api.call('POST', '/v1/events', event('kept', '3'));
    const listed = await until(async () => {
      const { body } = await api.call('GET', '/v1/rejections');
      return body.items.length > 0 && body.items;
    });
    expect(listed).toHaveLength(1);
  });

  it('is for who may publish there', async () => {
    const key = await api.key('producer', ['other']);
    expect((await tryOut(event('ev'), key)).body.code).toBe('APPLICATION_NOT_ALLOWED');
    expect((await tryOut(event('ev'), await api.key('operator'))).status).toBe(403);
    expect((await api.call('POST', '/v1/events?dryRun=maybe', event('ev'))).status).toBe(422);
  });

  it('waits for no publish of the same event, nor one for it', async () => {
    const digest = createHash('sha256').update('raced').digest().subarray(0, 16);
    await api.platform.database.transaction(async (connection) => {
      const text = `INSERT INTO event_keys VALUES ('acme', $1, '', 1, 1, 0)`;
      await connection.query({ name: 'key-of-a-publish', text }, [digest]);
      expect(await tryOut(event('raced'))).toMatchObject({ status: 200, body: { duplicate: false } });
    });
  });

  it('takes no connection from publishing, however many are asked for and however long they take', async () => {
    await api.addApplication('calm');
    const pending: Promise<{ status: number }>[] = [];
    let refused = 0;
    await api.platform.database.transaction(async (connection) => {
      const text = 'SELECT FROM endpoints WHERE id = $1 FOR UPDATE';
      await connection.query({ name: 'as-a-revoke-does', text }, [webhook]);
      for (let n = 0; n < 20; n++) {
        pending.push(tryOut(event()));
        void pending[n]!.then(({ status }) => (refused += Number(status === 503)));
      }
      await until(() => refused === 3);
      expect(api.platform.database.connections.waiting).toBe(0);
      expect((await api.call('POST', '/v1/events', { ...event(), application: 'calm' })).status).toBe(202);
    });
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(17);
  });
});
