import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundClient } from '#outbound/outbound-client.js';
import { NameServer } from '../receivers/name-server.js';
import { Platform } from '../support/platform.js';
import { type Answer, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const SLOTS = 64;
const SLOTS_FOR_SLOW = 48;
/** What hangs holds its slots for so long. */
const TIMEOUT_MS = 5_000;
const SOON_MS = 2_000;
const UNWELL = 8;
const EACH = 12;

let platform: Platform;
let unwell: RecordingReceiver;
let healthy: RecordingReceiver;
const ended: (() => Promise<void>)[] = [];

beforeEach(async () => {
  platform = await Platform.create({
    concurrency: SLOTS,
    deadlines: { connectTimeoutMs: TIMEOUT_MS, maxResponseTimeoutMs: TIMEOUT_MS },
  });
  unwell = await RecordingReceiver.start();
  healthy = await RecordingReceiver.start();
  await platform.addApplication('healthy');
  await platform.addEndpoint('healthy', healthy.url);
});
afterEach(async () => {
  // What still hangs ends with its receiver, and the worker need not wait for it.
  await Promise.all([unwell.stop(), healthy.stop()]);
  for (const end of ended.splice(0)) await end();
  await platform.destroy();
});

function unwellOnes(): string[] {
  return Array.from({ length: UNWELL }, (_, index) => `unwell-${index}`);
}

async function addUnwell(urlOf: (application: string) => string): Promise<void> {
  for (const application of unwellOnes()) {
    await platform.addApplication(application, { breakerThreshold: 0, timeout: `${TIMEOUT_MS}ms` });
    await platform.addEndpoint(application, urlOf(application));
  }
}

async function publishToAll(applications: readonly string[], each: number): Promise<void> {
  for (let count = 0; count < each; count++)
    await Promise.all(applications.map((application) => platform.publish(application)));
}

/** Publishes to the healthy endpoint and says how long the slowest of these deliveries took. */
async function slowestToHealthy(count: number): Promise<number> {
  let slowest = 0;
  for (let published = 0; published < count; published++) {
    const before = healthy.received.length;
    const startedAt = performance.now();
    await platform.publish('healthy');
    await until(() => healthy.received.length > before, { timeoutMs: 3 * TIMEOUT_MS });
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  return slowest;
}

describe('a healthy endpoint gets its events at once beside', () => {
  it('many new ones that hang', async () => {
    await platform.startWorker();
    await slowestToHealthy(1);
    unwell.answer = () => 'hang';
    await addUnwell((application) => unwell.urlOf(`/${application}`));
    await publishToAll(unwellOnes(), EACH);
    await until(() => unwell.open === UNWELL);
    expect(await slowestToHealthy(5)).toBeLessThan(SOON_MS);
    expect(unwell.mostOpen).toBe(UNWELL);
  });

  it('many that begin to hang at once', async () => {
    await addUnwell((application) => unwell.urlOf(`/${application}`));
    await platform.startWorker();
    await publishToAll([...unwellOnes(), 'healthy'], 2);
    await until(async () => (await platform.states())['delivered'] === 2 * (UNWELL + 1));
    unwell.answer = () => 'hang';
    await publishToAll(unwellOnes(), EACH);
    await until(() => unwell.open >= SLOTS_FOR_SLOW);
    expect(await slowestToHealthy(5)).toBeLessThan(SOON_MS);
    expect(unwell.mostOpen).toBeLessThan(SLOTS);
  });

  it('many that take long and succeed', async () => {
    const slow: Answer = { status: 200, delayMs: 2_000 };
    unwell.answer = () => slow;
    await addUnwell((application) => unwell.urlOf(`/${application}`));
    await platform.startWorker();
    await publishToAll([...unwellOnes(), 'healthy'], 1);
    await until(async () => (await platform.states())['delivered'] === UNWELL + 1, { timeoutMs: TIMEOUT_MS });
    await publishToAll(unwellOnes(), EACH);
    await until(() => unwell.open === SLOTS_FOR_SLOW);
    expect(await slowestToHealthy(5)).toBeLessThan(SOON_MS);
    expect(unwell.mostOpen).toBe(SLOTS_FOR_SLOW);
  });

  it('many whose names do not resolve', async () => {
    const nameServer = await NameServer.start(() => 'silent');
    ended.push(() => nameServer.stop());
    const outbound = new OutboundClient({
      allowPrivateCidrs: ['127.0.0.0/8'],
      resolver: { dnsServers: [nameServer.address] },
    });
    ended.unshift(() => outbound.close());
    platform.worker = platform.newWorker({ outbound });
    await platform.startWorker();
    await slowestToHealthy(1);
    await addUnwell((application) => `http://${application}.example/hook`);
    await publishToAll(unwellOnes(), EACH);
    await until(() => nameServer.questions.length >= UNWELL);
    expect(await slowestToHealthy(5)).toBeLessThan(SOON_MS);
  });
});
