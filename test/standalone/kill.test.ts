import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { placeCluster } from '#apps/standalone/src/embedded-postgres/cluster-place.js';
import { findPostmaster } from '#apps/standalone/src/embedded-postgres/postmaster.js';
import pg from 'pg';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

let testDatabase: TestDatabase;
let dataDir: string;
let receiver: RecordingReceiver;
let running: StandaloneProcess | undefined;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'entrega-kill-'));
  receiver = await RecordingReceiver.start();
});
afterEach(async () => {
  await running?.end('SIGKILL');
  await receiver.stop();
  await rm(dataDir, { recursive: true, force: true });
  await testDatabase.drop();
});

async function start(): Promise<StandaloneProcess> {
  running = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir, shortLease: true });
  return running;
}

async function register({ client }: StandaloneProcess, settings: { timeout?: string } = {}): Promise<string> {
  await client.put('/v1/applications/{id}', {
    path: { id: 'acme' },
    body: { name: 'Acme', contract: 'tf-fiscal', settings },
  });
  const { id } = await client.put('/v1/applications/{application}/webhook', {
    path: { application: 'acme' },
    body: { url: receiver.url, credentials: { token: 'token' } },
  });
  return id;
}

function event(id: string) {
  return {
    application: 'acme',
    type: 'cte.event.registered',
    id,
    data: { event_code: '110180', n_seq: '1', protocolo: '1' },
  };
}

describe('kill -9', () => {
  it('during 2,000 publishes loses no event that was answered 202, and each arrives under its one id', async () => {
    const first = await start();
    await register(first);
    const accepted = new Set<string>();
    let next = 0;
    const publisher = async () => {
      while (next < 2_000) {
        const id = `evt-${next++}`;
        try {
          await first.client.post('/v1/events', { body: event(id) });
          accepted.add(id);
        } catch {
          return;
        }
      }
    };
    const publishers = Promise.all(Array.from({ length: 16 }, publisher));
    await until(() => accepted.size >= 1_000, { timeoutMs: 20_000 });
    await first.end('SIGKILL');
    await publishers;
    expect(accepted.size).toBeLessThan(2_000);

    await start();
    const arrived = () => new Set(receiver.headerValues('X-Tffiscal-Event-Id'));
    await until(() => [...accepted].every((id) => arrived().has(id)), { timeoutMs: 20_000 });
    // What arrives twice was in flight when the process was killed, or its result had waited for company (50 ms).
    const repeats = receiver.received.length - arrived().size;
    expect(repeats).toBeLessThanOrEqual(150);
  }, 60_000);

  it('half-way through a replay still sends exactly the suppressed ones, each once more at most for those in flight', async () => {
    const first = await start();
    const endpoint = await register(first);
    const path = { id: endpoint };
    await first.client.post('/v1/endpoints/{id}/disable', { path, body: { reason: 'maintenance' } });
    const suppressed = Array.from({ length: 300 }, (_, index) => `evt-${index}`);
    const events = suppressed.map(event);
    expect((await first.client.post('/v1/events/batch', { body: { events } })).accepted).toBe(300);
    await first.client.post('/v1/endpoints/{id}/enable', { path });
    const replay = await first.client.post('/v1/endpoints/{id}/replay', {
      path,
      body: { since: '2026-01-01T00:00:00Z', states: ['suppressed'], ratePerSecond: 100 },
    });
    if (!('id' in replay)) throw new Error('The API counted and did not start.');
    expect(replay.matched).toBe(300);
    await until(() => receiver.received.length >= 50, { timeoutMs: 10_000 });
    await first.end('SIGKILL');

    const second = await start();
    const ended = await until(
      async () => {
        const found = await second.client.get('/v1/replays/{id}', { path: { id: replay.id } });
        return found.state !== 'running' && found;
      },
      { timeoutMs: 20_000 },
    );
    expect(ended).toMatchObject({ state: 'done', queued: 300 });
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    try {
      await until(
        async () => (await client.query(`SELECT FROM deliveries WHERE state = 'delivered'`)).rowCount === 300,
        { timeoutMs: 20_000 },
      );
      const attempts = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM attempts');
      expect(attempts.rows[0]!.count).toBe(300);
    } finally {
      await client.end();
    }
    const counts = new Map<string, number>();
    for (const id of receiver.headerValues('X-Tffiscal-Event-Id')) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([...suppressed].sort());
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(2);
  });
});

describe('SIGTERM', () => {
  it('finishes what is in flight, writes its result and ends with 0, although it comes twice', async () => {
    receiver.answer = () => ({ status: 200, delayMs: 400 });
    const process = await start();
    await register(process);
    await process.client.post('/v1/events', { body: event('in-flight') });
    await until(() => receiver.open === 1);
    const before = performance.now();
    process.child.kill('SIGTERM');
    expect(await process.end('SIGTERM')).toBe(0);
    expect(performance.now() - before).toBeLessThan(5_000);
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    try {
      expect((await client.query('SELECT state FROM deliveries')).rows).toEqual([{ state: 'delivered' }]);
    } finally {
      await client.end();
    }
  });

  it('aborts what hangs and gives it back uncounted, within 12 s', async () => {
    receiver.answer = () => 'hang';
    const process = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir });
    running = process;
    await register(process, { timeout: '15s' });
    await process.client.post('/v1/events', { body: event('hanging') });
    await until(() => receiver.open === 1);
    const before = performance.now();
    expect(await process.end('SIGTERM')).toBe(0);
    const tookMs = performance.now() - before;
    expect(tookMs).toBeGreaterThan(10_000);
    expect(tookMs).toBeLessThan(12_000);
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    try {
      const rows = await client.query('SELECT state, attempt_count, due_at <= now() AS due FROM deliveries');
      expect(rows.rows).toEqual([{ state: 'pending', attempt_count: 0, due: true }]);
    } finally {
      await client.end();
    }
  });
});

describe('the embedded PostgreSQL', () => {
  it('that ends by itself ends the process with 1, and says what to do', async () => {
    const process = await StandaloneProcess.start({ databaseUrl: null, dataDir });
    running = process;
    const { home } = await placeCluster(dataDir);
    try {
      const postmaster = await findPostmaster(join(home, 'data'));
      globalThis.process.kill(postmaster!.pid, 'SIGINT');
      expect(await process.exited()).toBe(1);
      await until(() =>
        process.lines.some((line) => String(line['msg']).includes('PostgreSQL ended by itself')),
      );
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
