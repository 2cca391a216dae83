import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;
let applications = 0;

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

/** An application with a webhook of its own. */
async function newWebhook(settings: object = {}): Promise<{ application: string; id: string }> {
  const application = `app-${++applications}`;
  await api.addApplication(application, settings);
  return { application, id: await api.addWebhook(application, receiver.url) };
}

const act = (id: string, action: string, key?: string) =>
  api.call('POST', `/v1/endpoints/${id}/${action}`, undefined, key);
const cancel = (delivery: string, key?: string) =>
  api.call('POST', `/v1/deliveries/${delivery}/cancel`, undefined, key);
const deliveriesOf = async (endpoint: string, query = '') =>
  (await api.call('GET', `/v1/deliveries?endpoint=${endpoint}${query}`)).body.items as {
    id: string;
    state: string;
    attemptCount: number;
    nextAttemptAt: string | null;
    deliveredAt: string | null;
  }[];
const statesOf = async (endpoint: string) =>
  (await deliveriesOf(endpoint, '&limit=200')).map(({ state }) => state).sort();

/** Something that would go out, if anything did: published later to another endpoint, and already there. */
async function somethingElseArrives(): Promise<void> {
  const { application } = await newWebhook();
  await api.platform.publish(application, `sign-of-life-${applications}`);
  await until(() => receiver.headerValues('X-Tffiscal-Event-Id').includes(`sign-of-life-${applications}`));
}

describe('a paused endpoint', () => {
  it('is sent nothing and spends no attempt; what is accepted meanwhile waits with what waited', async () => {
    const { application, id } = await newWebhook({ retryWaits: ['50ms'] });
    receiver.answer = () => ({ status: 500 });
    await api.platform.publish(application, 'retried');
    await until(() => receiver.received.length === 1);
    expect((await act(id, 'pause')).body).toMatchObject({ id, state: 'paused' });
    expect((await act(id, 'pause')).body).toMatchObject({ state: 'paused' });
    receiver.answer = () => ({ status: 200 });
    // The result of the attempt that ran is written a moment after its receiver saw it.
    const attemptsBefore = await until(async () => (await deliveriesOf(id))[0]!.attemptCount);
    expect(await api.platform.publish(application, 'accepted-meanwhile')).toMatchObject({ deliveryCount: 1 });
    const retried = (await deliveriesOf(id))[1]!.id;
    await api.call('POST', `/v1/deliveries/${retried}/redeliver`);
    await somethingElseArrives();
    expect(receiver.headerValues('X-Tffiscal-Event-Id').at(-1)).toMatch(/sign-of-life/);
    expect(await deliveriesOf(id)).toEqual([
      expect.objectContaining({ state: 'pending', attemptCount: 0 }),
      expect.objectContaining({ state: 'pending', attemptCount: attemptsBefore }),
    ]);
    expect((await act(id, 'resume')).body).toMatchObject({ id, state: 'active', overdueCount: 2 });
    await until(async () => (await statesOf(id)).every((state) => state === 'delivered'));
  });

  it('owes on resume what fell due meanwhile as of then, and leaves its time to what is not yet due', async () => {
    const { application, id } = await newWebhook({ firstAttemptDelay: '400ms' });
    await act(id, 'pause');
    await api.platform.publish(application, 'overdue');
    await until(async () => Date.parse((await deliveriesOf(id))[0]!.nextAttemptAt!) < Date.now(), {
      describe: 'the first attempt to fall due',
    });
    await api.call('PATCH', `/v1/applications/${application}`, { settings: { firstAttemptDelay: '1h' } });
    const later = await until(async () => {
      await api.platform.publish(application);
      const [newest] = await deliveriesOf(id);
      return Date.parse(newest!.nextAttemptAt!) > Date.now() + 1_800_000 && newest!;
    });
    const before = Date.now();
    const { body } = await act(id, 'resume');
    expect(body.overdueCount).toBeGreaterThanOrEqual(1);
    await until(async () => (await deliveriesOf(id)).at(-1)!.state === 'delivered');
    expect(await deliveriesOf(id)).toContainEqual(later);
    const attempt = await api.platform.sql<{ lag: number }>(
      `SELECT extract(epoch FROM a.started_at)::float8 * 1000 - $2 AS lag
         FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1 ORDER BY a.id LIMIT 1`,
      [id, before],
    );
    expect(attempt[0]!.lag).toBeGreaterThan(-50);
  });

  it('stays paused when its URL changes, it is registered again or enabled: only resuming ends a pause', async () => {
    const { application, id } = await newWebhook();
    await act(id, 'pause');
    await api.call('PATCH', `/v1/endpoints/${id}`, { url: `${receiver.url}/other` });
    await api.addWebhook(application, receiver.url);
    await act(id, 'enable');
    const disabled = await act(id, 'disable');
    expect(disabled.body).toMatchObject({ status: 409, code: 'ENDPOINT_PAUSED' });
    await api.platform.publish(application);
    await somethingElseArrives();
    expect(await statesOf(id)).toEqual(['pending']);
    expect((await act(id, 'resume')).body).toMatchObject({ state: 'active', overdueCount: 1 });
    await until(async () => (await statesOf(id))[0] === 'delivered');
  });

  it('is neither a disabled nor a revoked one', async () => {
    const { id } = await newWebhook();
    await act(id, 'disable');
    for (const action of ['pause', 'resume']) {
      expect((await act(id, action)).body).toMatchObject({ status: 409, code: 'ENDPOINT_DISABLED' });
    }
    await act(id, 'enable');
    expect((await act(id, 'resume')).body).toMatchObject({ state: 'active', overdueCount: 0 });
    await api.call('DELETE', `/v1/endpoints/${id}`);
    for (const action of ['pause', 'resume']) {
      expect((await act(id, action)).body).toMatchObject({ status: 409, code: 'ENDPOINT_REVOKED' });
    }
  });
});

describe('cancel-pending', () => {
  it('cancels what waits and says how much; what is accepted later goes on', async () => {
    const { application, id } = await newWebhook({ firstAttemptDelay: '1h' });
    for (let count = 0; count < 3; count++) await api.platform.publish(application);
    expect((await act(id, 'cancel-pending')).body).toEqual({ canceledCount: 3 });
    expect((await act(id, 'cancel-pending')).body).toEqual({ canceledCount: 0 });
    await api.platform.publish(application);
    expect(await statesOf(id)).toEqual(['canceled', 'canceled', 'canceled', 'pending']);
    const canceled = await deliveriesOf(id, '&state=canceled');
    expect(canceled).toHaveLength(3);
    expect(canceled[0]).toMatchObject({ state: 'canceled', nextAttemptAt: null });
  });

  it('lets what is in flight finish: its 2xx makes it delivered', async () => {
    const { application, id } = await newWebhook();
    receiver.answer = () => ({ status: 200, delayMs: 300 });
    await api.platform.publish(application);
    await until(() => receiver.open === 1);
    expect((await act(id, 'cancel-pending')).body).toEqual({ canceledCount: 1 });
    await until(async () => (await statesOf(id))[0] === 'delivered');
  });
});

describe('canceling one delivery', () => {
  it('ends a pending one, which a redelivery takes up again', async () => {
    const { application, id } = await newWebhook({ firstAttemptDelay: '1h' });
    await api.platform.publish(application);
    const [waiting] = await deliveriesOf(id);
    const answer = await cancel(waiting!.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: waiting!.id, state: 'canceled', nextAttemptAt: null });
    expect((await cancel(waiting!.id)).body).toMatchObject({ status: 409, code: 'DELIVERY_NOT_PENDING' });
    await api.call('POST', `/v1/deliveries/${waiting!.id}/redeliver`);
    await until(async () => (await statesOf(id))[0] === 'delivered');
    expect((await cancel(waiting!.id)).body).toMatchObject({ status: 409, code: 'DELIVERY_NOT_PENDING' });
  });

  it('leaves one delivered that was delivered before', async () => {
    const { application, id } = await newWebhook({ retryWaits: ['1h'] });
    await api.platform.publish(application);
    const { id: delivery, deliveredAt } = await until(async () => {
      const [one] = await deliveriesOf(id);
      return one!.state === 'delivered' && one!;
    });
    receiver.answer = () => ({ status: 500 });
    await api.call('POST', `/v1/deliveries/${delivery}/redeliver`);
    await until(async () => (await deliveriesOf(id))[0]!.attemptCount === 2);
    expect((await cancel(delivery)).body).toMatchObject({ state: 'delivered', deliveredAt });
  });

  it('is refused while an attempt is in flight', async () => {
    const { application, id } = await newWebhook();
    receiver.answer = () => ({ status: 200, delayMs: 300 });
    await api.platform.publish(application);
    await until(() => receiver.open === 1);
    const delivery = (await deliveriesOf(id))[0]!.id;
    expect((await cancel(delivery)).body).toMatchObject({ status: 409, code: 'ATTEMPT_IN_FLIGHT' });
    await until(async () => (await statesOf(id))[0] === 'delivered');
  });

  it('is for operators of its application', async () => {
    const { application, id } = await newWebhook({ firstAttemptDelay: '1h' });
    await api.platform.publish(application);
    const delivery = (await deliveriesOf(id))[0]!.id;
    expect((await cancel(delivery, await api.key('manager'))).status).toBe(403);
    expect((await cancel(delivery, await api.key('operator', ['elsewhere']))).status).toBe(404);
    expect((await cancel('999')).status).toBe(404);
    expect((await act(id, 'pause', await api.key('producer'))).status).toBe(403);
    expect((await act(id, 'cancel-pending', await api.key('operator', ['elsewhere']))).status).toBe(404);
    expect((await act(id, 'pause', await api.key('operator', [application]))).status).toBe(200);
  });
});
