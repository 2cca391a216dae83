import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DEADLINES } from '#domain/lease.js';
import { headerOf, type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';
import { PlatformCluster } from './platform-cluster.js';
import { queryOnce } from './restartable-postgres.js';
import type { RoleProcess } from './role-process.js';

/** A lease of 6 s. */
const DEADLINES = { connectTimeoutMs: 500, maxResponseTimeoutMs: 1_500 };

let cluster: PlatformCluster;
let receiver: RecordingReceiver;
/** Started by one test, beside those of the cluster. */
let extra: RoleProcess[] = [];
let ingest: RoleProcess;
let worker: RoleProcess;

beforeAll(async () => {
  cluster = await PlatformCluster.start({
    deadlines: DEADLINES,
    workerConcurrency: 64,
    counts: { ingest: 1, worker: 1, admin: 1 },
  });
  [ingest, worker] = cluster.processes as [RoleProcess, RoleProcess];
  receiver = await RecordingReceiver.start();
}, 120_000);
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
  for (const process of cluster.processes) await process.untilReadiness('ready', 40_000);
}, 60_000);
afterEach(async () => {
  await Promise.all(extra.map((process) => process.end('SIGKILL')));
  extra = [];
  expect(
    cluster.processes.flatMap(({ unaskedEnds, stderr }) => [...unaskedEnds, stderr].filter(Boolean)),
  ).toEqual([]);
});
afterAll(async () => {
  await receiver.stop();
  await cluster.remove();
});

async function start(...starting: Promise<RoleProcess>[]): Promise<RoleProcess[]> {
  const started = await Promise.allSettled(starting);
  extra.push(...started.flatMap((process) => (process.status === 'fulfilled' ? [process.value] : [])));
  return started.map((process) => {
    if (process.status === 'rejected') throw process.reason;
    return process.value;
  });
}

let applications = 0;

/** A new application with one webhook, at the receiver. */
async function application(settings: object = {}): Promise<string> {
  const id = `app-${++applications}`;
  await cluster.callUntilDone('PUT', `/v1/applications/${id}`, {
    name: id,
    contract: 'tf-fiscal',
    settings: { timeout: '1s', ...settings },
  });
  await cluster.callUntilDone('PUT', `/v1/applications/${id}/webhook`, {
    url: receiver.url,
    credentials: { token: 'token' },
  });
  return id;
}

function publish(id: string, event: string, at = ingest) {
  return cluster.call(
    at,
    'POST',
    '/v1/events',
    {
      application: id,
      type: 'cte.event.registered',
      id: event,
      data: { event_code: '110180', n_seq: '1', protocolo: '1' },
    },
    8_000,
  );
}

function receivedIds(): string[] {
  return receiver.headerValues('X-Tffiscal-Event-Id');
}

/** Others than those of the test itself may come: retries of earlier tests. */
function receiptsOf(event: string): Received[] {
  return receiver.received.filter((received) => headerOf(received, 'X-Tffiscal-Event-Id') === event);
}

/** Publishes and returns how long it took until the receiver had it. */
async function timeToReceipt(id: string, event: string, timeoutMs: number): Promise<number> {
  const before = performance.now();
  expect((await publish(id, event)).status).toBe(202);
  await until(() => receivedIds().includes(event), { timeoutMs, describe: `the receipt of ${event}` });
  return performance.now() - before;
}

describe('with Kafka gone or silent', () => {
  it.each(['kill', 'pause'] as const)(
    'accepts and delivers within 5 s, is degraded and not unready, and resumes by itself (%s)',
    async (how) => {
      const id = await application();
      await cluster.kafka[how]();
      try {
        expect(await timeToReceipt(id, `at-once-${how}`, 5_000)).toBeLessThan(5_000);
        for (const process of cluster.processes) {
          await process.untilReadiness('degraded', 20_000);
          expect(await process.readiness()).toMatchObject({
            httpStatus: 200,
            checks: { transport: 'failed' },
          });
        }
        for (const round of [1, 2, 3])
          expect(await timeToReceipt(id, `away-${how}-${round}`, 5_000)).toBeLessThan(5_000);
      } finally {
        await (how === 'pause' ? cluster.kafka.resume() : cluster.kafka.start());
      }
      for (const process of cluster.processes) await process.untilReadiness('ready', 40_000);
      // Faster than any sweep: it came as a reference over Kafka again.
      let rounds = 0;
      await until(async () => (await timeToReceipt(id, `back-${how}-${++rounds}`, 5_000)) < 300, {
        timeoutMs: 30_000,
        intervalMs: 250,
        describe: 'references to travel over Kafka again',
      });
      expect(new Set(receivedIds()).size).toBe(receivedIds().length);
    },
    120_000,
  );
});

describe('with PostgreSQL stopped', () => {
  it.each(['stop', 'crash'] as const)(
    'answers 503 with Retry-After, is unready, heals by itself and writes the results in hand first (%s)',
    async (how) => {
      const id = await application();
      const answered = Promise.withResolvers<{ status: number }>();
      receiver.answer = () => answered.promise;
      await publish(id, `in-flight-${how}`);
      await until(() => receiver.open === 1);
      await cluster.postgres[how]();
      try {
        answered.resolve({ status: 200 });
        const refused = await publish(id, `refused-${how}`);
        expect(refused.status).toBe(503);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(refused.body).toMatchObject({ code: 'UNAVAILABLE' });
        for (const process of cluster.processes) {
          expect(await process.readiness()).toMatchObject({
            httpStatus: 503,
            status: 'unready',
            checks: { database: 'failed' },
          });
        }
        // Beyond its lease: whoever swept before the result is written would send it again.
        await sleep(7_000);
      } finally {
        await cluster.postgres.start();
      }
      for (const process of cluster.processes) await process.untilReadiness('ready', 20_000);
      expect(await timeToReceipt(id, `back-${how}`, 10_000)).toBeLessThan(10_000);
      const states = await until(
        async () => {
          const rows = await queryOnce<{ event: string; state: string; attempts: number }>(
            cluster.postgres.url,
            `SELECT v.public_id AS event, d.state, d.attempt_count AS attempts
               FROM events v JOIN deliveries d ON d.event_id = v.id WHERE v.application_id = $1 ORDER BY 1`,
            [id],
          );
          return rows.every(({ state }) => state === 'delivered') && rows;
        },
        { timeoutMs: 10_000 },
      );
      expect(states).toEqual(
        expect.arrayContaining([{ event: `in-flight-${how}`, state: 'delivered', attempts: 1 }]),
      );
      expect(receiptsOf(`in-flight-${how}`)).toHaveLength(1);
    },
    60_000,
  );
});

async function undelivered(events: readonly string[]): Promise<number> {
  const [counts] = await queryOnce<{ count: number }>(
    cluster.postgres.url,
    `SELECT count(*)::int AS count FROM events v JOIN deliveries d ON d.event_id = v.id
      WHERE v.public_id = ANY ($1) AND d.state <> 'delivered'`,
    [events],
  );
  return counts!.count;
}

describe('kill -9 of a worker', () => {
  it('lets new events of its share flow within 20 s, and what it held within the lease', async () => {
    // A lease of 24 s: what flows before that was brought by Kafka, which gave its share to the other.
    const longer = { deadlines: { connectTimeoutMs: 2_000, maxResponseTimeoutMs: 6_000 } };
    const [taking, staying, killed] = (await start(
      cluster.startProcess('ingest', 'ingest beside', longer),
      cluster.startProcess('worker', 'worker that stays', longer),
      cluster.startProcess('worker', 'worker to kill', longer),
    )) as [RoleProcess, RoleProcess, RoleProcess];
    await worker.end('SIGTERM');
    try {
      for (const process of [taking, staying, killed]) await process.untilReadiness('ready', 40_000);
      const ids = await Promise.all(Array.from({ length: 12 }, () => application({ timeout: '6s' })));
      let round = 0;
      const publishToAll = async () => {
        round++;
        const events = ids.map((_, index) => `round-${round}-${index}`);
        await Promise.all(ids.map((id, index) => publish(id, events[index]!, taking)));
        return events;
      };
      await until(
        async () => {
          await publishToAll();
          return staying.attempts > 0 && killed.attempts > 0;
        },
        { timeoutMs: 30_000, intervalMs: 200, describe: 'both workers to have a share' },
      );
      const answered = Promise.withResolvers<{ status: number }>();
      receiver.answer = () => answered.promise;
      const held = await publishToAll();
      await until(() => held.every((event) => receiptsOf(event).length === 1), { timeoutMs: 5_000 });
      const { open } = receiver;
      await killed.end('SIGKILL');
      const killedAt = performance.now();
      await until(() => receiver.open < open, { describe: 'attempts to be cut off by the kill' });
      receiver.answer = () => ({ status: 200 });
      answered.resolve({ status: 200 });
      const fresh = await publishToAll();
      await until(() => fresh.every((event) => receiptsOf(event).length > 0), { timeoutMs: 20_000 });
      expect(performance.now() - killedAt).toBeLessThan(20_000);
      expect(await undelivered(held)).toBeGreaterThan(0);
      await until(async () => (await undelivered(held)) === 0, {
        timeoutMs: 25_000,
        describe: 'what the killed worker held',
      });
    } finally {
      await worker.start();
    }
  }, 150_000);
});

describe('two workers', () => {
  it('share the load of 500 endpoints within ±20 %, and a third repeats nothing', async () => {
    const [second] = await start(cluster.startProcess('worker', 'worker 2'));
    await second!.untilReadiness('ready', 30_000);
    const id = 'many';
    await cluster.callUntilDone('PUT', `/v1/applications/${id}`, {
      name: id,
      contract: 'tf-fiscal',
      settings: { timeout: '1s' },
    });
    await Promise.all(
      Array.from({ length: 10 }, async (_, lane) => {
        for (let index = lane; index < 500; index += 10) {
          await cluster.callUntilDone('POST', `/v1/applications/${id}/endpoints`, {
            url: receiver.urlOf(`/endpoint-${index}`),
            credentials: { token: 'token' },
          });
        }
      }),
    );
    const sendRounds = async (name: string, rounds: number) => {
      const expected = receiver.received.length + 500 * rounds;
      for (let round = 0; round < rounds; round++) {
        expect((await publish(id, `${name}-${round}`)).status).toBe(202);
        await sleep(700);
      }
      await until(() => receiver.received.length >= expected, {
        timeoutMs: 30_000,
        describe: `${expected} receipts`,
      });
    };
    // The first rounds warm the workers up and wait for the partitions to be shared out.
    await sendRounds('warm-up', 4);
    const before = [worker.attempts, second!.attempts];
    await sendRounds('even', 12);
    await until(() => worker.attempts + second!.attempts >= before[0]! + before[1]! + 6_000);
    const shares = [worker.attempts - before[0]!, second!.attempts - before[1]!];
    for (const share of shares) {
      expect(share).toBeGreaterThan(0.8 * 3_000);
      expect(share).toBeLessThan(1.2 * 3_000);
    }
    const third = start(cluster.startProcess('worker', 'worker 3'));
    await sendRounds('third', 12);
    const [joined] = await third;
    await joined!.untilReadiness('ready', 30_000);
    await sendRounds('after', 4);
    expect(joined!.attempts).toBeGreaterThan(0);
    const receipts = new Set(
      receiver.received.map((received) => `${received.path} ${headerOf(received, 'X-Tffiscal-Event-Id')}`),
    );
    expect(receiver.received.length - receipts.size).toBe(0);
  }, 180_000);
});

describe('clocks 30 s apart', () => {
  it.each([30_000, -30_000])(
    'change nothing but log times and signed timestamps (ingest %d ms ahead, worker as much behind)',
    async (clockAheadMs) => {
      const id = await application({ firstAttemptDelay: '1s', retryWaits: ['2s'] });
      const [taking, sending] = (await start(
        cluster.startProcess('ingest', 'ingest beside', { clockAheadMs }),
        cluster.startProcess('worker', 'worker beside', { clockAheadMs: -clockAheadMs }),
      )) as [RoleProcess, RoleProcess];
      for (const process of [taking, sending]) await process.untilReadiness('ready', 30_000);
      await worker.end('SIGTERM');
      try {
        const event = `skewed${clockAheadMs}`;
        receiver.answer = () => ({ status: receiptsOf(event).length === 1 ? 500 : 200 });
        const before = Date.now();
        expect((await publish(id, event, taking)).status).toBe(202);
        await until(() => receiptsOf(event).length === 2, { timeoutMs: 20_000 });
        const [first, second] = receiptsOf(event).map(({ at }) => at.getTime()) as [number, number];
        for (const [waitedMs, owedMs] of [
          [first - before, 1_000],
          [second - first, 2_000],
        ] as const) {
          expect(waitedMs).toBeGreaterThan(owedMs - 100);
          expect(waitedMs).toBeLessThan(owedMs + 3_000);
        }
        const signedAtMs = 1_000 * Number(headerOf(receiptsOf(event)[0]!, 'X-Tffiscal-Timestamp'));
        expect(Math.abs(signedAtMs - (first - clockAheadMs))).toBeLessThan(2_000);
        await until(async () => (await undelivered([event])) === 0);
      } finally {
        await worker.start();
      }
    },
    90_000,
  );
});

describe('SIGTERM with an attempt that hangs', () => {
  it.each(['nothing', 'Kafka', 'PostgreSQL'] as const)(
    'ends every process within 15 s while %s is away',
    async (away) => {
      const id = await application({ timeout: '15s' });
      const roles = ['ingest', 'worker', 'admin'] as const;
      const started = await start(
        ...roles.map((role) =>
          cluster.startProcess(role, `${role} to stop`, { deadlines: DEFAULT_DEADLINES }),
        ),
      );
      await Promise.all(started.map((process) => process.untilReadiness('ready', 30_000)));
      // The other worker keeps to short deadlines and would end the attempt before.
      await worker.end('SIGTERM');
      try {
        receiver.answer = () => 'hang';
        await publish(id, `hanging-while-${away}`, started[0]);
        await until(() => receiver.open > 0, { timeoutMs: 20_000 });
        if (away === 'Kafka') await cluster.kafka.stop();
        if (away === 'PostgreSQL') await cluster.postgres.stop();
        const ends = await Promise.all(started.map((process) => process.end('SIGTERM')));
        for (const { tookMs } of ends) expect(tookMs).toBeLessThan(15_000);
        expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
      } finally {
        if (away === 'Kafka') await cluster.kafka.start();
        if (away === 'PostgreSQL') await cluster.postgres.start();
        await worker.start();
      }
    },
    120_000,
  );
});
