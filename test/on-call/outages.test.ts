import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, PlatformCluster } from '../chaos/platform-cluster.js';
import { queryOnce } from '../chaos/restartable-postgres.js';
import type { RoleProcess } from '../chaos/role-process.js';
import { alerts } from '../monitoring/rule-files.js';
import { alertsAfter, itWithPromtool, scrape, type Scrape } from '../support/alerts-of-samples.js';
import { figureIn } from '../support/metrics-text.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { OperatorDesk, RunbookPage } from '../support/runbook-page.js';
import { until } from '../support/until.js';

/*
 * What fails on our side, with each role a process over Kafka: the worker, Kafka and PostgreSQL, one after the other. Each
 * is stopped, seen by what the page of docs/runbooks says to call, told by the alert that is meant for it, and started
 * again; and everything that was accepted arrives.
 */

const APPLICATION = 'acme';
const patience = { timeoutMs: 20_000 };

let cluster: PlatformCluster;
let ingest: RoleProcess;
let worker: RoleProcess;
let admin: RoleProcess;
let receiver: RecordingReceiver;

beforeAll(async () => {
  [cluster, receiver] = await Promise.all([
    PlatformCluster.start({
      deadlines: { connectTimeoutMs: 500, maxResponseTimeoutMs: 1_500 },
      counts: { ingest: 1, worker: 1, admin: 1 },
      workerConcurrency: 64,
      statsEveryMs: 1_000,
    }),
    RecordingReceiver.start(),
  ]);
  [ingest, worker, admin] = cluster.processes as [RoleProcess, RoleProcess, RoleProcess];
  await untilAllAre('ready');
  await cluster.callUntilDone('PUT', `/v1/applications/${APPLICATION}`, {
    name: 'Acme',
    contract: 'tf-fiscal',
    settings: { timeout: '1s' },
  });
  const webhook = { url: receiver.url, credentials: { token: 'token' } };
  await cluster.callUntilDone('PUT', `/v1/applications/${APPLICATION}/webhook`, webhook);
}, 120_000);
afterAll(async () => {
  await receiver.stop();
  await cluster.remove();
}, 30_000);

const untilAllAre = (status: 'ready' | 'degraded' | 'unready') =>
  Promise.all(cluster.processes.map((process) => process.untilReadiness(status, 40_000)));

function publish(id: string) {
  const data = { event_code: '110180', n_seq: '1', protocolo: '1' };
  const event = { application: APPLICATION, type: 'cte.event.registered', id, data };
  return cluster.call(ingest, 'POST', '/v1/events', event, 8_000);
}

async function accepted(...ids: string[]): Promise<void> {
  for (const id of ids) expect((await publish(id)).status).toBe(202);
}

const untilReceived = (...ids: string[]) =>
  until(() => ids.every((id) => receiver.headerValues('x-tffiscal-event-id').includes(id)), {
    ...patience,
    describe: `the receipt of ${ids.join(', ')}`,
  });

/** With the process that the page is about at hand. */
const deskAt = (process: RoleProcess) =>
  new OperatorDesk({ ENTREGA_URL: admin.url, ENTREGA_KEY: ADMIN_KEY, ENTREGA_OPS: process.url });

const scrapeNow = () => scrape({ ingest: ingest.url, 'worker-1': worker.url, admin: admin.url });

/** Until both processes that read figures of the database export this one so, or not at all. */
async function untilFigureIs(name: string, value: number | undefined): Promise<void> {
  const isShownBy = async ({ url }: RoleProcess) =>
    figureIn(await (await fetch(`${url}/metrics`)).text(), name) === value;
  const both = [ingest, admin].map((process) =>
    until(() => isShownBy(process), { ...patience, describe: `${process.name} to show ${name} ${value}` }),
  );
  await Promise.all(both);
}

/** Once the loop has failed again, since that scrape, wherever it reads for all. */
function afterAnotherRoundOf(loop: string, since: Scrape): Promise<Scrape> {
  const failures = ({ of }: Scrape, instance: string) =>
    [...(of[instance]?.values() ?? [])].find(
      ({ name, labels }) => name === 'entrega_loop_failures_total' && labels['loop'] === loop,
    )!.value;
  return until(async () => {
    const now = await scrapeNow();
    const failed = ['ingest', 'admin'].every(
      (instance) => failures(now, instance) > failures(since, instance),
    );
    return failed && now;
  }, patience);
}

function severityOf(alert: string): string | undefined {
  return alerts().find(({ name }) => name === alert)?.severity;
}

describe('no worker', () => {
  let healthy: Scrape;
  let faulty: Scrape;
  let cured: Scrape;

  it('is seen at once, while events are taken, and everything arrives when one is started', async () => {
    await accepted('with-worker');
    await untilReceived('with-worker');
    healthy = await scrapeNow();
    await worker.end('SIGTERM');

    await accepted('waiting-1', 'waiting-2', 'waiting-3');
    // As if they had been published a little over a minute ago.
    await queryOnce(
      cluster.postgres.url,
      `UPDATE deliveries SET scheduled_at = scheduled_at - interval '75 s', due_at = due_at - interval '75 s'
        WHERE state = 'pending'`,
    );
    await untilFigureIs('entrega_endpoints_late', 1);
    faulty = await scrapeNow();

    const [readyz, stats] = new RunbookPage('no-worker').firstCalls;
    const desk = deskAt(worker);
    expect(await desk.try(readyz!)).toMatchObject({ exitCode: 7, out: '' });
    const { out } = await desk.run(stats!);
    expect(out).toMatch(/^due +3$/m);
    expect(out).toMatch(/^oldest due +\S+Z \(1m \d+s ago\)$/m);
    expect(await ingest.readiness()).toMatchObject({ httpStatus: 200, status: 'ready' });

    await worker.start();
    await untilReceived('waiting-1', 'waiting-2', 'waiting-3');
    await until(async () => /^due +0$/m.test((await desk.run(stats!)).out), patience);
    expect((await desk.run(readyz!)).out).toContain('"database":"ok"');
    await untilAllAre('ready');
    await untilFigureIs('entrega_endpoints_late', 0);
    cured = await scrapeNow();
  }, 60_000);

  itWithPromtool('wakes somebody, and before and after it all is quiet', async () => {
    const [before, during, after] = await alertsAfter([
      { minutes: 10, from: healthy, to: healthy },
      { minutes: 10, from: faulty, to: faulty },
      { minutes: 30, from: cured, to: cured },
    ]);
    expect([before, during!.sort(), after]).toEqual([
      [],
      ['EntregaDeliveriesStalled', 'EntregaNoWorker', 'EntregaProcessDown'],
      [],
    ]);
    expect(severityOf('EntregaNoWorker')).toBe('page');
  });
});

describe('Kafka away', () => {
  let healthy: Scrape;
  let faulty: Scrape;
  let cured: Scrape;

  it('holds nothing up: events are taken and delivered, and every process says what it lacks', async () => {
    healthy = await scrapeNow();
    await cluster.kafka.stop();
    try {
      await accepted('without-kafka-1');
      await untilReceived('without-kafka-1');
      await untilAllAre('degraded');
      await accepted('without-kafka-2');
      await untilReceived('without-kafka-2');
      faulty = await scrapeNow();

      const page = new RunbookPage('kafka');
      for (const process of cluster.processes) {
        const [readyz, kafka] = page.firstCalls;
        const desk = deskAt(process);
        expect(JSON.parse((await desk.run(readyz!)).out)).toMatchObject({
          status: 'degraded',
          checks: { transport: 'failed' },
        });
        expect((await desk.run(kafka!)).out).toMatch(/^entrega_kafka_connected\{.*\} 0$/m);
      }
      const rest = page.firstCalls.slice(2).map((line) => deskAt(ingest).run(line));
      expect((await Promise.all(rest)).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    } finally {
      await cluster.kafka.start();
    }
    await untilAllAre('ready');
    await accepted('kafka-is-back');
    await untilReceived('kafka-is-back');
    cured = await scrapeNow();
  }, 90_000);

  itWithPromtool('is a ticket, and wakes nobody', async () => {
    const [before, during, after] = await alertsAfter([
      { minutes: 10, from: healthy, to: healthy },
      { minutes: 15, from: faulty, to: faulty },
      { minutes: 30, from: cured, to: cured },
    ]);
    expect([before, during, after]).toEqual([[], ['EntregaKafkaDisconnected'], []]);
    expect(severityOf('EntregaKafkaDisconnected')).toBe('ticket');
  });
});

describe('PostgreSQL away', () => {
  let healthy: Scrape;
  let broken: Scrape;
  let stillBroken: Scrape;
  let cured: Scrape;

  it('refuses events so that they come again, shows no figure that it does not know, and says why', async () => {
    healthy = await scrapeNow();
    await cluster.postgres.stop();
    try {
      const refused = await publish('refused-1');
      expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const id of ['refused-1', 'refused-2', 'refused-3']) expect((await publish(id)).status).toBe(503);
      await untilFigureIs('entrega_backlog_deliveries', undefined);
      broken = await scrapeNow();

      const page = new RunbookPage('backlog-unknown');
      const [readyz, stats, raw] = page.firstCalls;
      const desk = deskAt(ingest);
      expect(JSON.parse((await desk.run(readyz!)).out)).toMatchObject({
        status: 'unready',
        checks: { database: 'failed' },
      });
      expect(JSON.parse((await desk.run(raw!)).out)).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
      const said = await desk.try(stats!);
      expect(said).toMatchObject({ exitCode: 1, out: '' });
      expect(said.err).toMatch(/database.*\(503 UNAVAILABLE\)\nTry again in \d+ s\./i);
      stillBroken = await afterAnotherRoundOf('stats', broken);
    } finally {
      await cluster.postgres.start();
    }
    await untilAllAre('ready');
    await accepted('refused-1', 'refused-2', 'refused-3');
    await untilReceived('refused-1', 'refused-2', 'refused-3');
    await untilFigureIs('entrega_backlog_deliveries', 0);
    cured = await scrapeNow();
  }, 60_000);

  itWithPromtool('wakes somebody, for nobody knows what waits, and is over with it', async () => {
    const [before, during, after] = await alertsAfter([
      { minutes: 10, from: healthy, to: healthy },
      { minutes: 8, from: broken, to: stillBroken },
      { minutes: 30, from: cured, to: cured },
    ]);
    expect([before, after]).toEqual([[], []]);
    // No loop gets through without the database either: Alertmanager keeps that to itself.
    expect(during!.sort()).toEqual(['EntregaBacklogUnknown', 'EntregaLoopStuck']);
    expect(severityOf('EntregaBacklogUnknown')).toBe('page');
  });
});
