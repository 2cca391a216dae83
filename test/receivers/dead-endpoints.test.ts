import { readdirSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { until } from '../support/until.js';
import { startNeverAccepting } from './never-accepting.js';
import { RawReceiver, response } from './raw-receiver.js';

const DEAD = 1_000;
const CONCURRENCY = 128;
const HEALTHY_EVENTS = 40;
const HEALTHY_WITHIN_MS = 1_000;
/** A slot each; both ends of the healthy receiver's connections; what the database and this test need for a moment. */
const DESCRIPTORS = CONCURRENCY + 30;

/** What this process has open, as the kernel counts it. */
const openDescriptors = () => readdirSync('/proc/self/fd').length;

it(`${DEAD} dead endpoints take a descriptor a slot, and a healthy one keeps its connections (lessons: O#1017)`, async () => {
  const platform = await Platform.create({
    deadlines: { connectTimeoutMs: 100, maxResponseTimeoutMs: 500 },
    concurrency: CONCURRENCY,
  });
  const dead = await startNeverAccepting();
  const healthy = await RawReceiver.start((socket) => socket.write(response('200 OK')));
  try {
    await platform.addApplication('dead', { timeout: '500ms' });
    await platform.addApplication('healthy', { timeout: '500ms' });
    const credentials = platform.secretBox.seal('endpoint-credentials', JSON.stringify({ token: 'token-1' }));
    await platform.sql(
      `INSERT INTO endpoints (application_id, url, credentials, credential_names)
       SELECT 'dead', format('http://127.1.%s.%s:%s/', n / 250, n % 250 + 1, $2::int), $3, '{token}'
         FROM generate_series(1, $1::int) n`,
      [DEAD, dead.port, credentials],
    );
    await platform.addEndpoint('healthy', healthy.url());
    await platform.startWorker();
    await platform.publish('healthy');
    await until(() => healthy.requests.length === 1);

    const before = openDescriptors();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, openDescriptors())), 2);
    expect(await platform.publish('dead')).toMatchObject({ deliveryCount: DEAD });
    const latenciesMs: number[] = [];
    for (let event = 1; event <= HEALTHY_EVENTS; event++) {
      const publishedAt = performance.now();
      await platform.publish('healthy');
      await until(() => healthy.requests.length === 1 + event, { intervalMs: 5 });
      latenciesMs.push(performance.now() - publishedAt);
    }
    const outcomes = await until(
      async () => {
        const rows = await platform.sql<{ error_code: string; count: number }>(
          'SELECT error_code, count(*) FROM attempts WHERE error_code IS NOT NULL GROUP BY error_code',
        );
        return rows.reduce((sum, { count }) => sum + count, 0) === DEAD && rows;
      },
      { timeoutMs: 20_000 },
    );
    clearInterval(sampling);

    expect(outcomes).toEqual([{ error_code: 'CONNECT_TIMEOUT', count: DEAD }]);
    expect(most).toBeGreaterThan(before + CONCURRENCY / 2);
    expect(most).toBeLessThanOrEqual(before + DESCRIPTORS);
    expect(Math.max(...latenciesMs)).toBeLessThan(HEALTHY_WITHIN_MS);
    // One after another, and so over one connection; a second where two of them met.
    expect(healthy.requests).toHaveLength(1 + HEALTHY_EVENTS);
    expect(healthy.connectionCount).toBeLessThanOrEqual(2);
    await until(() => openDescriptors() <= before + 5);
  } finally {
    await platform.destroy();
    await Promise.all([dead.stop(), healthy.stop()]);
  }
});
