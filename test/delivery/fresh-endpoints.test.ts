import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  [api, receiver] = await Promise.all([AdminApi.start(), RecordingReceiver.start()]);
  await api.platform.startWorker();
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

it('an endpoint gets the very next event, of an application that was published to before (lessons: svix#2191)', async () => {
  await api.addApplication('acme');
  expect(await api.platform.publish('acme')).toMatchObject({ deliveryCount: 0 });
  for (const path of ['/first', '/second']) {
    const body = { url: receiver.urlOf(path), credentials: { token: 'a-token' } };
    expect((await api.call('POST', '/v1/applications/acme/endpoints', body)).status).toBe(201);
    await api.platform.publish('acme');
    await until(() => receiver.received.some((received) => received.path === path));
  }
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/first', '/first', '/second']);
});
