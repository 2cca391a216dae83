import { expect, it } from '@jest/globals';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const DEADLINES = { connectTimeoutMs: 300, maxResponseTimeoutMs: 1_500 };
const ENDPOINTS = 8;

it('a receiver that takes nearly all of its time gets each delivery once, whoever else sweeps (lessons: svix#2181)', async () => {
  const platform = await Platform.create({ deadlines: DEADLINES });
  const sweeping = platform.newWorker({ transport: new InProcessTransport(() => undefined) });
  const receiver = await RecordingReceiver.start();
  receiver.answer = () => ({ status: 200, delayMs: 1_350 });
  try {
    await platform.addApplication('acme', { timeout: '1500ms' });
    for (let index = 0; index < ENDPOINTS; index++)
      await platform.addEndpoint('acme', receiver.urlOf(`/${index}`));
    await platform.startWorker();
    await sweeping.start();
    await platform.publish('acme');
    // The other looks for what fell due the whole time.
    const looking = setInterval(() => sweeping.wakeSweep(), 50);
    await until(async () => (await platform.states())['delivered'] === ENDPOINTS);
    clearInterval(looking);
    expect(receiver.received).toHaveLength(ENDPOINTS);
    expect(await platform.sql('SELECT FROM attempts')).toHaveLength(ENDPOINTS);
  } finally {
    await sweeping.stop();
    await receiver.stop();
    await platform.destroy();
  }
});
