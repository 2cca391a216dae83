import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lookAtBacklogs } from '#delivery/operator-events/backlog-watch.js';
import { Database } from '#storage/database.js';
import { queryOnce } from '../chaos/restartable-postgres.js';
import { alertsAfter, itWithPromtool, scrape, type Scrape } from '../support/alerts-of-samples.js';
import { figureIn } from '../support/metrics-text.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { OperatorDesk, RUNBOOK_PAGES, RunbookPage } from '../support/runbook-page.js';
import { ADMIN_KEY, StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

/*
 * What goes wrong at somebody else's: each story injects it into the running process, finds cause and cure by what the
 * page of docs/runbooks says to call, and ends with everything delivered.
 */

interface OperatorEvent {
  readonly type: string;
  readonly endpoint: string;
}

const patience = { timeoutMs: 15_000 };

let testDatabase: TestDatabase;
let dataDir: string;
let running: StandaloneProcess;
let operator: RecordingReceiver;
let receiver: RecordingReceiver;
let desk: OperatorDesk;

beforeAll(async () => {
  [testDatabase, dataDir, operator] = await Promise.all([
    createTestDatabase(),
    mkdtemp(join(tmpdir(), 'entrega-on-call-')),
    RecordingReceiver.start(),
  ]);
  const env = { OPERATOR_URL: operator.url };
  running = await StandaloneProcess.start({ databaseUrl: testDatabase.url, dataDir, shortLease: true, env });
  desk = new OperatorDesk({ ENTREGA_URL: running.url, ENTREGA_KEY: ADMIN_KEY, ENTREGA_OPS: running.url });
}, 60_000);
afterEach(() => receiver.stop());
afterAll(async () => {
  await running.end('SIGTERM');
  await operator.stop();
  await rm(dataDir, { recursive: true, force: true });
  await testDatabase.drop();
}, 30_000);

/** An application with one webhook at a receiver of its own; returns the id of the endpoint. */
async function register(application: string, settings: object = {}): Promise<string> {
  receiver = await RecordingReceiver.start();
  const created = await running.call('PUT', `/v1/applications/${application}`, {
    name: application,
    contract: 'tf-fiscal',
    settings: { timeout: '600ms', ...settings },
  });
  expect(created.status).toBe(201);
  const webhook = { url: receiver.url, credentials: { token: 'token-of-the-receiver' } };
  const { body } = await running.call('PUT', `/v1/applications/${application}/webhook`, webhook);
  return (body as { id: string }).id;
}

function eventOf(application: string, id: string) {
  const data = { event_code: '110180', n_seq: '1', protocolo: '1' };
  return { application, type: 'cte.event.registered', id, data };
}

async function publish(application: string, ...ids: string[]): Promise<void> {
  const events = ids.map((id) => eventOf(application, id));
  expect((await running.call('POST', '/v1/events/batch', { events })).status).toBe(207);
}

const receivedIds = () => new Set(receiver.headerValues('x-tffiscal-event-id'));
const figures = async () => (await fetch(`${running.url}/metrics`)).text();
const scrapeNow = () => scrape({ standalone: running.url });

/** Alerts that fire while nothing is wrong yet, and at the end of a quarter of an hour in which it went wrong. */
async function alertsOf(healthy: Scrape, faulty: Scrape, cured: Scrape): Promise<Record<string, string[]>> {
  const [before, during, after] = await alertsAfter([
    { minutes: 10, from: healthy, to: healthy },
    { minutes: 16, from: healthy, to: faulty },
    { minutes: 40, from: cured, to: cured },
  ]);
  return { before: before!, during: during!.sort(), after: after! };
}

describe('an endpoint that began to refuse', () => {
  let healthy: Scrape;
  let faulty: Scrape;
  let cured: Scrape;

  it('is seen with its last answer, proved, enabled, and gets all that it missed', async () => {
    const endpoint = await register('refused', { retryWaits: ['50ms'], breakerThreshold: 3 });
    const ids = { ENDPOINT: endpoint };
    await publish('refused', 'before');
    await until(() => receivedIds().has('before'), patience);
    healthy = await scrapeNow();

    receiver.answer = () => ({ status: 500, body: 'the database is full' });
    await publish('refused', 'dead-1', 'dead-2', 'dead-3');
    const shown = () => desk.run('npx entrega endpoints show ENDPOINT', ids);
    await until(async () => (await shown()).out.includes('disabled'), patience);
    await publish('refused', 'missed-1', 'missed-2');
    const disabled = new RunbookPage('endpoint-disabled');
    const given = new RunbookPage('dead-letters');
    await until(async () => {
      const { out } = await desk.run(given.firstCalls[0]!);
      return ['dead-1', 'dead-2', 'dead-3'].every((id) => out.includes(id));
    }, patience);
    faulty = await scrapeNow();

    const found = await desk.firstCalls(disabled, ids);
    expect(found).toMatch(
      new RegExp(`^${endpoint} +refused +\\S+Z +breaker: 3 consecutive failed attempts$`, 'm'),
    );
    expect(found).toMatch(/^why +breaker: 3 consecutive failed attempts$/m);
    const standsOut = await desk.run(given.firstCalls.find((line) => line.includes('stats --by endpoint'))!);
    expect(standsOut.out).toMatch(
      new RegExp(`^${endpoint} +refused +disabled +\\d+ +1 .* 500 +${receiver.url}`, 'm'),
    );
    const last = await desk.run(disabled.command('A or B', 'npx entrega deliveries list'), ids);
    const [, delivery] = /^(\d+) .* dead /m.exec(last.out)!;
    const attempts = await desk.run('npx entrega deliveries show DELIVERY', { DELIVERY: delivery! });
    expect(attempts.out).toMatch(/ \d+ ms +500 +the database is full /);
    expect(await told('endpoint.disabled', endpoint)).toHaveLength(1);

    const [verify, enable, replay] = disabled.commandsOf('Cure');
    expect(await desk.try(verify!, ids)).toMatchObject({ exitCode: 1, out: expect.stringContaining('500') });
    receiver.answer = () => ({ status: 200 });
    await desk.run(verify!, ids);
    expect((await desk.run(enable!, ids)).out).toMatch(/^suppressed +2$/m);
    const redelivered = await desk.run(given.command('Cure', 'npx entrega dead-letters redeliver'), ids);
    expect(redelivered.out).toMatch(/^queued +3$/m);
    expect((await desk.run(replay!, ids)).out).toMatch(/^queued +2$/m);
    const all = ['before', 'dead-1', 'dead-2', 'dead-3', 'missed-1', 'missed-2'];
    await until(() => all.every((id) => receivedIds().has(id)), patience);
    await until(
      async () => (await desk.run(`${given.firstCalls[0]!} --endpoint ENDPOINT`, ids)).out === '',
      patience,
    );
    cured = await scrapeNow();
  }, 40_000);

  itWithPromtool('calls nobody before, makes tickets, and is over when it is cured', async () => {
    expect(await alertsOf(healthy, faulty, cured)).toEqual({
      before: [],
      during: ['EntregaDeadLetters', 'EntregaEndpointDisabled', 'EntregaSuppressing'],
      after: [],
    });
  });
});

describe('a producer that publishes what is not valid', () => {
  let healthy: Scrape;
  let faulty: Scrape;

  it('is found with application, code and detail, and loses nothing when it is told', async () => {
    await register('sloppy');
    healthy = await scrapeNow();
    const wrong = { ...eventOf('sloppy', 'order-1'), data: { event_code: '110180' } };
    const refused = await running.call('POST', '/v1/events', wrong);
    expect(refused).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    await running.call('POST', '/v1/events', eventOf('slopy', 'order-2'));
    faulty = await scrapeNow();
    const text = await figures();
    for (const code of ['VALIDATION_FAILED', 'UNKNOWN_APPLICATION'])
      expect(figureIn(text, 'entrega_events_rejected_total', { via: 'http', code })).toBe(1);

    const page = new RunbookPage('events-rejected');
    await until(async () => (await desk.run(page.firstCalls[0]!)).out.includes('order-2'), patience);
    const found = await desk.firstCalls(page);
    expect(found).toMatch(
      /^\S+Z +http +sloppy +cte\.event\.registered +order-1 +VALIDATION_FAILED +n_seq is missing\..* +\S+$/m,
    );
    expect(found).toMatch(/^\S+Z +http +slopy +\S+ +order-2 +UNKNOWN_APPLICATION +.*slopy/m);
    expect((await desk.run('npx entrega contracts show tf-fiscal')).out).toContain('cte.event.registered');

    await publish('sloppy', 'order-1', 'order-2');
    await until(() => receivedIds().has('order-1') && receivedIds().has('order-2'), patience);
  }, 30_000);

  itWithPromtool('makes a ticket by way and code, and none before', async () => {
    const quiet = await scrapeNow();
    expect(await alertsOf(healthy, faulty, quiet)).toEqual({
      before: [],
      during: ['EntregaEventsRejected'],
      after: [],
    });
  });
});

describe('a backlog that grows', () => {
  let healthy: Scrape;
  let behind: Scrape;
  let stillBehind: Scrape;
  let cured: Scrape;

  it('is ranked and told of once, and drains when its receiver gets more at once', async () => {
    const endpoint = await register('slow', { concurrencyPerWorker: 1 });
    const ids = { ENDPOINT: endpoint, APPLICATION: 'slow' };
    healthy = await scrapeNow();
    receiver.answer = () => ({ status: 200, delayMs: 400 });
    const events = Array.from({ length: 60 }, (_, index) => `order-${index}`);
    await publish('slow', ...events);
    await waited(1_900);
    for (let minute = 0; minute < 12; minute += 6) {
      await look();
      await waited(360);
    }
    await look();
    await until(async () => figureIn(await figures(), 'entrega_oldest_due_age_seconds')! > 2_000, patience);
    behind = await scrapeNow();
    const text = await figures();
    expect(figureIn(text, 'entrega_backlog_deliveries', { kind: 'due' })).toBeGreaterThan(20);
    expect(figureIn(text, 'entrega_endpoints_late')).toBe(1);

    const page = new RunbookPage('endpoint-behind');
    const [ranking, raw, tail] = page.firstCalls;
    const row = `^${endpoint} +slow +active +0 +\\d+ +4\\d\\d ms +\\d+ +\\S+Z +- +${receiver.url}`;
    await until(async () => {
      const [, first] = (await desk.run(ranking!)).out.split('\n');
      return new RegExp(row).test(first!);
    }, patience);
    const { items } = JSON.parse((await desk.run(raw!)).out) as { items: { id: string }[] };
    expect(items[0]!.id).toBe(endpoint);
    const interruption = new AbortController();
    const followed = await desk.try(tail!, ids, {
      interrupted: interruption.signal,
      onOut: (out) => out.split('\n').length > 2 && interruption.abort(),
    });
    expect(followed.out).toMatch(/ 200 +4\d\d ms /);
    expect(await told('backlog.growing', endpoint)).toHaveLength(1);

    stillBehind = await scrapeNow();

    await desk.run(page.command('Cure', 'npx entrega endpoints pause'), ids);
    await until(() => receiver.open === 0, patience);
    const whenPaused = receiver.received.length;
    await desk.run(page.command('Cure', 'npx entrega applications change'), ids);
    expect(receiver.received.length).toBe(whenPaused);
    expect(receiver.mostOpen).toBe(1);
    await desk.run(page.command('Cure', 'npx entrega endpoints resume'), ids);
    await until(() => events.every((id) => receivedIds().has(id)), patience);
    expect(receiver.mostOpen).toBeGreaterThan(5);
    await until(
      async () => figureIn(await figures(), 'entrega_backlog_deliveries', { kind: 'due' }) === 0,
      patience,
    );
    cured = await scrapeNow();
    expect(await told('backlog.growing', endpoint)).toHaveLength(1);
  }, 60_000);

  itWithPromtool('makes a ticket, for one receiver is behind, and wakes nobody', async () => {
    const [before, during, after] = await alertsAfter([
      { minutes: 10, from: healthy, to: healthy },
      { minutes: 20, from: behind, to: stillBehind },
      { minutes: 40, from: cured, to: cured },
    ]);
    expect([before, during, after]).toEqual([[], ['EntregaEndpointBehind'], []]);
  });
});

describe('a receiver that says that it got nothing', () => {
  it('is shown every attempt with status, duration, response and the headers of both sides', async () => {
    await register('doubting', { retryWaits: ['50ms'] });
    receiver.answer = (_, index) =>
      index === 0
        ? { status: 503, headers: { 'X-Gateway': 'edge-7' }, body: 'upstream is away' }
        : { status: 202, headers: { 'X-Queue-Id': 'q-4711' }, body: 'queued' };
    await publish('doubting', 'order-1042');
    await until(() => receiver.received.length === 2, patience);

    const page = new RunbookPage('receiver-got-nothing');
    const names = { APPLICATION: 'doubting', EVENT: 'order-1042' };
    const [list, ...calls] = page.firstCalls;
    const delivery = await until(async () => {
      const { out } = await desk.run(list!, names);
      return /^(\d+) .* delivered /m.exec(out)?.[1];
    }, patience);
    const ids = { ...names, DELIVERY: delivery, NUMBER: '1' };
    const said = await Promise.all(calls.map(async (line) => (await desk.run(line, ids)).out));
    const evidence = said.join('\n');
    expect(evidence).toMatch(/^1 +1 +first +\S+Z +\d+ ms +503 +upstream is away +\S+Z$/m);
    expect(evidence).toMatch(/^1 +2 +retry +\S+Z +\d+ ms +202 +queued +-$/m);
    expect(evidence).toMatch(/^X-Gateway +edge-7$/m);
    const [first] = receiver.received;
    const sent = new Map(first!.headers.map(([name, value]) => [name.toLowerCase(), value]));
    for (const name of ['X-Tffiscal-Event-Id', 'X-Tffiscal-Delivery-Id', 'X-Tffiscal-Signature'])
      expect(evidence).toMatch(new RegExp(`^${name} +${sent.get(name.toLowerCase())}$`, 'im'));
    expect(evidence).not.toContain('token-of-the-receiver');
    const success = await desk.run('npx entrega deliveries attempt DELIVERY 2', ids);
    expect(success.out).toMatch(/^to address +127\.0\.0\.1$/m);
    expect(success.out).toMatch(/^response +202\nX-Queue-Id +q-4711$/m);
    const event = await desk.run('npx entrega events show APPLICATION EVENT', ids);
    expect(event.out).toContain(first!.body.toString());

    const again = await desk.run(page.command('Cure', 'npx entrega deliveries redeliver'), ids);
    expect(again.out).toMatch(/^state +delivered$/m);
    expect(receiver.received[2]!.body).toEqual(first!.body);
  }, 30_000);

  it('is told that it was never accepted, where it was not', async () => {
    await register('unheard');
    const page = new RunbookPage('receiver-got-nothing');
    const ids = { APPLICATION: 'unheard', EVENT: 'order-7' };
    await running.call('POST', '/v1/events', { ...eventOf('unheard', 'order-7'), data: {} });
    expect((await desk.run(page.firstCalls[0]!, ids)).err).toContain('There is no such delivery');
    await until(async () => {
      const { out } = await desk.run(page.command('A or B', 'npx entrega rejections list'), ids);
      return /order-7 +VALIDATION_FAILED/.test(out);
    }, patience);
  });
});

describe('every page', () => {
  let ids: Record<string, string>;

  beforeAll(async () => {
    const ENDPOINT = await register('any');
    await publish('any', 'any-1');
    const DELIVERY = await until(async () => {
      const { out } = await desk.run('npx entrega deliveries list --application any --state delivered');
      return /^\d+/m.exec(out)?.[0];
    }, patience);
    ids = {
      APPLICATION: 'any',
      EVENT: 'any-1',
      TYPE: 'cte.event.registered',
      ENDPOINT,
      DELIVERY,
      NUMBER: '1',
    };
  });

  it.each(RUNBOOK_PAGES)('%s begins with calls that work as they are printed', async (name) => {
    // psql needs a PostgreSQL client and the watchdog a Prometheus, which not everybody has who runs this.
    const calls = new RunbookPage(name).firstCalls.filter(
      (line) => !/^psql|\$PROMETHEUS|\$ALERTMANAGER/.test(line),
    );
    for (const line of calls) {
      const interruption = new AbortController();
      const run = await desk.try(line, ids, {
        interrupted: interruption.signal,
        onErr: (text) => text.includes('Ctrl-C ends it') && interruption.abort(),
      });
      expect([line, run.exitCode, run.err.trim()]).toEqual([
        line,
        0,
        expect.not.stringMatching(/^curl|^grep/),
      ]);
      // A problem that the API answers has the status as a number.
      if (run.out.startsWith('{'))
        expect(JSON.parse(run.out)).not.toMatchObject({ status: expect.any(Number) });
    }
  });
});

/** As if so many seconds had gone by since what is due was owed. */
async function waited(seconds: number): Promise<void> {
  // Attempts that run keep the token that their delivery was taken under.
  await queryOnce(
    testDatabase.url,
    `UPDATE deliveries SET scheduled_at = scheduled_at - $1 * interval '1 s',
            due_at = CASE WHEN due_at <= now() THEN due_at - $1 * interval '1 s' ELSE due_at END
      WHERE state = 'pending' AND scheduled_at <= now()`,
    [seconds],
  );
  await queryOnce(
    testDatabase.url,
    `UPDATE backlog_watches SET growing_since = growing_since - $1 * interval '1 s'`,
    [seconds],
  );
}

/** A look at the backlogs, as one worker of all has it each minute. */
async function look(): Promise<void> {
  const database = await Database.connect({ url: testDatabase.url, poolSize: 1, applicationName: 'worker' });
  try {
    await queryOnce(testDatabase.url, `UPDATE fleet_turns SET next_at = now_ms() WHERE name = 'backlog'`);
    await lookAtBacklogs(database);
  } finally {
    await database.close();
  }
}

/** What the operator's own address was told of an endpoint. */
async function told(type: string, endpoint: string): Promise<OperatorEvent[]> {
  const events = () =>
    operator.received
      .flatMap(({ body }) => (JSON.parse(body.toString()) as { events: OperatorEvent[] }).events)
      .filter((event) => event.type === type && event.endpoint === endpoint);
  await until(() => events().length > 0, patience);
  return events();
}
