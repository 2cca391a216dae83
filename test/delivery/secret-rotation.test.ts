import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

const NEXT = 'the-secret-of-later-on';

function isSignedWith(appSecret: string, { headers, body, at }: Received): boolean {
  return (
    faultsOfTfFiscalDelivery({ rawHeaders: headers.flat(), body }, { appSecret, token: 'token-1', now: at })
      .length === 0
  );
}

it('an app_secret that is rotated at a set time signs from then on, retries of what is queued too (TF-06)', async () => {
  const present = await api.addApplication('acme', { retryWaits: ['1s'] });
  await api.addWebhook('acme', receiver.url);
  const activateAt = new Date(Date.now() + 800);
  await api.call('POST', '/v1/applications/acme/rotate-secret', {
    secret: NEXT,
    activateAt: activateAt.toISOString(),
  });
  receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
  await api.platform.publish('acme');
  await until(() => receiver.received.length === 2);
  const [before, after] = receiver.received as [Received, Received];
  expect(before.at.getTime()).toBeLessThan(activateAt.getTime());
  expect(after.at.getTime()).toBeGreaterThanOrEqual(activateAt.getTime());
  expect([isSignedWith(present, before), isSignedWith(NEXT, before)]).toEqual([true, false]);
  expect([isSignedWith(present, after), isSignedWith(NEXT, after)]).toEqual([false, true]);

  const replaced = await api.call('POST', '/v1/applications/acme/rotate-secret');
  await api.platform.publish('acme');
  await until(() => receiver.received.length === 3);
  expect(isSignedWith(replaced.body.issuedCredentials.secret as string, receiver.received[2]!)).toBe(true);
});
