import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_KEY, AdminApi } from '../support/admin-api.js';
import { cliRun, type CliRunOptions } from '../support/cli-run.js';
import { CuttableWay } from '../support/cuttable-way.js';
import { freePort } from '../support/free-port.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

let api: AdminApi;
let receiver: RecordingReceiver;

beforeAll(async () => {
  api = await AdminApi.start();
  await api.platform.startWorker();
});
afterAll(() => api.stop());
beforeEach(async () => {
  receiver = await RecordingReceiver.start();
});
afterEach(() => receiver.stop());

let names = 0;
const newName = () => `app-${(names += 1)}`;

function entrega(line: string, options: CliRunOptions = {}) {
  const env = { ENTREGA_URL: api.url, ENTREGA_KEY: ADMIN_KEY, ...options.env };
  return cliRun(line.split(' '), { ...options, env });
}

async function json<T = Record<string, unknown>>(line: string): Promise<T> {
  const { exitCode, out, err } = await entrega(`${line} --json`);
  expect([exitCode, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

/** A tf-fiscal application with a webhook at the receiver and so many dead letters. */
async function deadLetters(count: number): Promise<{ application: string; endpoint: string }> {
  const application = newName();
  await api.addApplication(application, { retryWaits: ['1ms'], breakerThreshold: 0 });
  const endpoint = await api.addWebhook(application, receiver.url);
  receiver.answer = () => ({ status: 500, body: 'out of order' });
  const events = Array.from({ length: count }, (_, index) => ({
    application,
    type: 'cte.event.registered',
    id: `evt-${index}`,
    data: { event_code: '110180', n_seq: '1', protocolo: String(index) },
  }));
  await api.call('POST', '/v1/events/batch', { events });
  const dead = () =>
    api.platform.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM deliveries WHERE application_id = $1 AND state = 'dead'`,
      [application],
    );
  await until(
    async () => {
      // Retries would wait for the sweep of the next second.
      api.platform.worker.wakeSweep();
      return (await dead())[0]!.count === count;
    },
    { timeoutMs: 20_000 },
  );
  return { application, endpoint };
}

describe('applications', () => {
  it('are created, shown and listed, and the secret comes once', async () => {
    const name = newName();
    const created = await cliRun(
      [
        'applications',
        'create',
        '--id',
        name,
        '--name',
        'Acme Ltda',
        '--contract',
        'tf-fiscal',
        '--settings',
        '{"timeout":"5s"}',
      ],
      { env: { ENTREGA_URL: api.url, ENTREGA_KEY: ADMIN_KEY } },
    );
    expect(created).toMatchObject({ exitCode: 0, err: 'The secret is shown now and never again.\n' });
    expect(created.out).toMatch(/^secret +\S{20,}$/m);
    const shown = await entrega(`applications show ${name}`);
    expect(shown.out).toMatch(/^name +Acme Ltda$/m);
    expect(shown.out).toMatch(/^timeout +5s$/m);
    expect(shown.out).not.toContain('secret');
    const listed = await json<{ id: string }[]>('applications list --contract tf-fiscal --limit 1000');
    expect(listed.map(({ id }) => id)).toContain(name);
  });

  it('are changed: what is not given stays, and null returns a setting to its default', async () => {
    const name = newName();
    await api.addApplication(name, { timeout: '5s' });
    const change = (...words: string[]) =>
      cliRun(['applications', 'change', name, ...words], {
        env: { ENTREGA_URL: api.url, ENTREGA_KEY: ADMIN_KEY },
      });
    const changed = await change('--settings', '{"concurrencyPerWorker":20}');
    expect(changed).toMatchObject({ exitCode: 0, err: '' });
    expect(changed.out).toMatch(/^timeout +5s$/m);
    expect(changed.out).toMatch(/^concurrencyPerWorker +20$/m);
    expect((await change('--settings', '{"timeout":null}')).out).not.toContain('timeout');
    expect(await change()).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('--settings'),
    });
  });

  it('that the API refuses are refused with its words, each once, and the place', async () => {
    const refused = await entrega('applications create --name x --contract soap');
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toMatch(/^The request is not valid \(422 VALIDATION_FAILED\)\n {2}\/contract: .*\n$/);
    expect(refused.err.match(/"soap" is not allowed/g)).toHaveLength(1);
  });
});

describe('endpoints', () => {
  it('are listed, paused, resumed, disabled, enabled and verified', async () => {
    const application = newName();
    await api.addApplication(application);
    const endpoint = await api.addWebhook(application, receiver.url);
    expect((await entrega(`endpoints list ${application}`)).out).toMatch(
      new RegExp(`^endpoint .*\\n${endpoint} +active +${receiver.url}`),
    );
    expect((await entrega(`endpoints pause ${endpoint}`)).out).toMatch(/^state +paused$/m);
    expect((await entrega(`endpoints resume ${endpoint}`)).out).toMatch(/^overdue +0$/m);
    expect((await entrega(`endpoints disable ${endpoint} --reason moved --yes`)).out).toMatch(
      /^why +moved$/m,
    );
    expect((await entrega(`endpoints show ${endpoint}`)).err).toContain(
      `entrega endpoints enable ${endpoint}`,
    );
    await api.platform.publish(application, 'missed');
    const enabled = await entrega(`endpoints enable ${endpoint}`);
    expect(enabled.out).toMatch(/^suppressed +1$/m);
    expect(enabled.err).toContain(`entrega dead-letters redeliver --endpoint ${endpoint} `);
    const replay = new RegExp(`entrega (replay ${endpoint} --since \\S+Z --states suppressed) `);
    const [, advised] = replay.exec(enabled.err)!;
    expect((await entrega(`${advised} --yes`)).err).toContain('1 delivery matches');
    expect(await entrega(`endpoints verify ${endpoint}`)).toMatchObject({ exitCode: 0 });
    receiver.answer = () => ({ status: 503, body: 'not yet' });
    const failed = await entrega(`endpoints verify ${endpoint}`);
    expect(failed).toMatchObject({ exitCode: 1, out: expect.stringMatching(/503 +not yet/) });
  });

  it('are not disabled without --yes where nobody can be asked, nor when somebody says no', async () => {
    const application = newName();
    await api.addApplication(application);
    const endpoint = await api.addWebhook(application, receiver.url);
    const line = `endpoints disable ${endpoint}`;
    expect(await entrega(line)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') });
    const answering = (answer: string): CliRunOptions => ({
      columns: 200,
      onErr: (text, type) => text.endsWith('[y/N] ') && type(answer),
    });
    const declined = await entrega(line, answering('\r'));
    expect(declined).toMatchObject({ exitCode: 1, err: expect.stringContaining('Nothing was done.') });
    expect(await json(`endpoints show ${endpoint}`)).toMatchObject({ state: 'active' });
    expect(await entrega(line, answering('y\r'))).toMatchObject({ exitCode: 0 });
    expect(await json(`endpoints show ${endpoint}`)).toMatchObject({ state: 'disabled' });
  });
});

describe('events', () => {
  it('are published from an argument, a file and standard input, the digits of their data as written', async () => {
    const application = newName();
    await api.addApplication(application);
    await api.addWebhook(application, receiver.url);
    const data = '{"event_code":"110180","n_seq":"1","protocolo":"1", "x":9007199254740993.10}';
    const line = `events publish --application ${application} --type cte.event.registered --id evt-1 --file -`;
    const published = await entrega(line, { input: data });
    expect(published).toMatchObject({ exitCode: 0, err: '' });
    expect(published.out).toMatch(/^deliveries +1$/m);
    const again = await entrega(line, { input: data });
    expect(again.out).toMatch(/^duplicate +yes/m);
    const asWritten = await fetch(`${api.url}/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: `{"application":"${application}","type":"cte.event.registered","id":"evt-1","data":${data}}`,
    });
    expect(await asWritten.json()).toMatchObject({ duplicate: true });
    const shown = await entrega(`events show ${application} evt-1`);
    expect(shown.out).toMatch(/^body +\{/m);
    expect(shown.out).toMatch(/^delivery +state/m);
    const events = await json<{ id: string }[]>(`events list --application ${application} --since 1h`);
    expect(events.map(({ id }) => id)).toEqual(['evt-1']);
    const broken = await entrega(line, { input: '{"a":' });
    expect(broken).toMatchObject({ exitCode: 2, err: expect.stringContaining('no JSON') });
  });
});

describe('a dry run', () => {
  it('shows targets, headers and body of an event, and keeps nothing', async () => {
    const application = newName();
    await api.addApplication(application);
    const endpoint = await api.addWebhook(application, receiver.url);
    const line = `events publish --application ${application} --type cte.event.registered --file - --dry-run`;
    const input = '{"event_code":"110180","n_seq":"1","protocolo":"1"}';
    const run = await entrega(line, { input });
    expect(run).toMatchObject({ exitCode: 0, err: expect.stringContaining('nothing is sent') });
    expect(run.out).toMatch(new RegExp(`^endpoint +${endpoint} \\(active\\)\nurl +${receiver.url}$`, 'm'));
    expect(run.out).toMatch(/^X-Tffiscal-Signature +[0-9a-f]{64}$/im);
    expect(run.out).toMatch(/^body +\{.*"protocolo":"1"/m);
    expect(await json(`events list --application ${application}`)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });
});

describe('tail', () => {
  it('shows attempts as they are made, until Ctrl-C, which is no failure', async () => {
    const application = newName();
    await api.addApplication(application, { retryWaits: ['1h'] });
    await api.addWebhook(application, receiver.url);
    receiver.answer = (_, index) => (index === 0 ? { status: 200 } : { status: 503, body: 'tired' });
    const follow = (flags: string) => {
      const interruption = new AbortController();
      const seen = { out: '' };
      let ready = () => {};
      const started = new Promise<void>((resolve) => (ready = resolve));
      const ended = entrega(`tail --application ${application}${flags}`, {
        interrupted: interruption.signal,
        onErr: ready,
        onOut: (text) => (seen.out = text),
      });
      return { seen, started, ended, stop: () => interruption.abort() };
    };
    const people = follow('');
    const scripts = follow(' --outcome http_5xx,timeout --json');
    await Promise.all([people.started, scripts.started]);
    await api.platform.publish(application, 'evt-good');
    await until(() => people.seen.out.includes('evt-good'), { timeoutMs: 10_000 });
    await api.platform.publish(application, 'evt-bad');
    await until(() => people.seen.out.includes('evt-bad') && scripts.seen.out !== '', { timeoutMs: 10_000 });
    people.stop();
    scripts.stop();
    const [shown, lines] = await Promise.all([people.ended, scripts.ended]);
    expect([shown.exitCode, lines.exitCode]).toEqual([0, 0]);
    expect(shown.out).toMatch(/^\S+Z {2}200 .* evt-good .*\n\S+Z {2}503 .* evt-bad .* tired {2}next \S+Z$/m);
    expect(
      lines.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ event: 'evt-bad', httpStatus: 503, responseSummary: 'tired' }]);
  });

  it('says once that the API is away and once that it is back, and misses nothing', async () => {
    const application = newName();
    await api.addApplication(application);
    await api.addWebhook(application, receiver.url);
    const port = await freePort();
    const way = new CuttableWay({ port, host: '127.0.0.1' }, { port: Number(new URL(api.url).port) });
    await way.mend();
    const interruption = new AbortController();
    const seen = { err: '', out: '' };
    const ended = entrega(`tail --application ${application}`, {
      env: { ENTREGA_URL: `http://127.0.0.1:${port}` },
      interrupted: interruption.signal,
      onErr: (text) => (seen.err = text),
      onOut: (text) => (seen.out = text),
    });
    try {
      await until(() => seen.err.includes('Following'), { timeoutMs: 10_000 });
      await way.cut();
      await api.platform.publish(application, 'evt-meanwhile');
      await until(() => seen.err.includes('Going on when it is back'), { timeoutMs: 10_000 });
      await until(() => receiver.received.length === 1);
      await way.mend();
      await until(() => seen.out.includes('evt-meanwhile'), { timeoutMs: 15_000 });
    } finally {
      interruption.abort();
      await ended;
      await way.cut();
    }
    expect(seen.err.match(/Going on when it is back|It is back/g)).toEqual([
      'Going on when it is back',
      'It is back',
    ]);
  });
});

describe('deliveries', () => {
  it('are shown with every attempt: what came back, how long it took, what is next', async () => {
    const { application } = await deadLetters(1);
    const [delivery] = await json<{ id: string }[]>(
      `deliveries list --application ${application} --state dead`,
    );
    const shown = await entrega(`deliveries show ${delivery!.id}`);
    expect(shown.out).toMatch(/^state +dead$/m);
    expect(shown.out).toMatch(/^1 +1 +first +\S+Z +\d+ ms +500 +out of order +\S+Z$/m);
    expect(shown.out).toMatch(/^1 +2 +retry +\S+Z +\d+ ms +500 +out of order +-$/m);
    const whole = await json(`deliveries show ${delivery!.id}`);
    expect(whole).toMatchObject({ state: 'dead', attempts: [{ number: 1 }, { number: 2 }] });
  });

  it('are shown with one attempt: what was sent with which headers, and what was answered with which', async () => {
    const { application } = await deadLetters(0);
    receiver.answer = () => ({ status: 503, headers: { 'X-Gateway': 'edge-7' }, body: 'out of order' });
    await api.platform.publish(application, 'evt-1');
    const delivery = await until(async () => {
      const [found] = await json<{ id: string }[]>(`dead-letters list --application ${application}`);
      return found?.id;
    });
    const { out } = await entrega(`deliveries attempt ${delivery} 1`);
    const { headers, body } = receiver.received[0]!;
    const [, signature] = headers.find(([name]) => name.toLowerCase() === 'x-tffiscal-signature')!;
    expect(out).toMatch(new RegExp(`^request +POST ${receiver.url}\nto address +127\\.0\\.0\\.1$`, 'm'));
    expect(out).toMatch(new RegExp(`^x-tffiscal-signature +${signature}$`, 'im'));
    expect(out).toMatch(/^token +\*\*\*$/im);
    expect(out).toMatch(new RegExp(`^body +${body.length} bytes, sha256 [0-9a-f]{64}$`, 'm'));
    expect(out).toMatch(/^response +503\nX-Gateway +edge-7$/m);
    expect(out).toMatch(/^text +out of order$/m);
    await receiver.stop();
    expect(await entrega(`deliveries redeliver ${delivery} --wait`)).toMatchObject({ exitCode: 4 });
    const refused = await entrega(`deliveries attempt ${delivery} 3`);
    expect(refused.out).toMatch(/^no response +.*CONNECT/m);
    receiver = await RecordingReceiver.start();
  });

  it('are redelivered, and with --wait it ends with 4 when they fail again and 0 when not', async () => {
    const { application } = await deadLetters(1);
    const [delivery] = await json<{ id: string }[]>(`deliveries list --application ${application}`);
    const line = `deliveries redeliver ${delivery!.id} --wait`;
    expect(await entrega(line)).toMatchObject({ exitCode: 4 });
    receiver.answer = () => ({ status: 200 });
    expect(await entrega(line)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^state +delivered$/m),
    });
  });

  it('in flight or finished are not canceled, and the API says why', async () => {
    const { application } = await deadLetters(1);
    const [delivery] = await json<{ id: string }[]>(`deliveries list --application ${application}`);
    expect(await entrega(`deliveries cancel ${delivery!.id} --yes`)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('409 DELIVERY_NOT_PENDING'),
    });
  });
});

describe('dead letters', () => {
  it('300 of them are counted, asked about, redelivered with a bar that ends full, and received once each', async () => {
    const { application, endpoint } = await deadLetters(300);
    receiver.answer = () => ({ status: 200 });
    receiver.received.length = 0;
    let asked = '';
    const run = await entrega(`dead-letters redeliver --endpoint ${endpoint} --application ${application}`, {
      columns: 120,
      onErr: (text, type) => {
        if (asked !== '' || !text.endsWith('[y/N] ')) return;
        asked = text;
        type('y\r');
      },
    });
    expect(run.exitCode).toBe(0);
    expect(asked).toMatch(
      /300 deliveries match, from \S+Z to \S+Z:\s+endpoint \d+: 300\s+.*Redeliver 300 deliveries\?/,
    );
    expect(run.err).toMatch(/█{30} 300 of 300 done/);
    expect(run.out).toMatch(/^queued +300$/m);
    await until(() => receiver.received.length === 300, { timeoutMs: 10_000 });
    const none = await entrega(`dead-letters list --application ${application}`);
    expect(none).toEqual({ exitCode: 0, out: '', err: 'There is no such dead letter.\n' });
  });

  it('are not redelivered without a filter, nor without --yes in a script', async () => {
    const { application } = await deadLetters(2);
    expect(await entrega('dead-letters redeliver --yes')).toMatchObject({ exitCode: 2 });
    const line = `dead-letters redeliver --application ${application}`;
    expect(await entrega(line)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('2 deliveries match'),
    });
    expect(await json('replays list')).not.toContainEqual(
      expect.objectContaining({ filter: expect.objectContaining({ application }) }),
    );
    const scripted = await entrega(`${line} --yes --json --detach`);
    expect(JSON.parse(scripted.out)).toMatchObject({ kind: 'dead-letters', matched: 2, state: 'running' });
  });

  it('can be left with Ctrl-C while they are queued, and canceled then', async () => {
    const { application } = await deadLetters(5);
    const interruption = new AbortController();
    const left = await entrega(`dead-letters redeliver --application ${application} --rate 1 --yes`, {
      columns: 120,
      interrupted: interruption.signal,
      onErr: (text) => / of 5 running/.test(text) && interruption.abort(),
    });
    expect(left).toMatchObject({ exitCode: 130, out: '' });
    const [, id] = /entrega replays show (\d+) shows it, entrega replays cancel \1 ends it/.exec(left.err)!;
    expect(await json(`replays show ${id}`)).toMatchObject({ state: 'running' });
    expect((await entrega(`replays cancel ${id}`)).out).toMatch(/^state +canceled$/m);
  });

  it('whose replay somebody cancels end with 1, and say so', async () => {
    const { endpoint } = await deadLetters(5);
    const canceled = await entrega(`replay ${endpoint} --since 1h --states dead --rate 1 --yes`, {
      columns: 120,
      onErr: (text) => {
        if (!/ of 5 running/.test(text)) return;
        void api.platform.sql(
          `UPDATE replays SET state = 'canceled', finished_at = now() WHERE state = 'running'`,
        );
      },
    });
    expect(canceled).toMatchObject({ exitCode: 1, out: expect.stringMatching(/^state +canceled$/m) });
    expect(canceled.err).toContain('Somebody canceled it half-way');
  });
});

describe('everything else', () => {
  it('is shown: statistics, rejections, contracts', async () => {
    await api.call('POST', '/v1/events', { application: 'nobody', type: 't', data: {} });
    expect((await entrega('stats')).out).toMatch(/^oldest due +/m);
    const { application } = await deadLetters(1);
    const ranked = await until(async () => {
      const { out } = await entrega(`stats --by endpoint --application ${application}`);
      return out;
    });
    expect(ranked).toMatch(new RegExp(`^\\d+ +${application} +active +2 +0 .* 500 +${receiver.url}$`, 'm'));
    expect(await entrega('stats --order lag')).toMatchObject({ exitCode: 2 });
    expect((await entrega('contracts list')).out).toMatch(/^tf-fiscal +/m);
    expect((await entrega('contracts show cortecloud')).out).toContain('service.status_changed');
    const rejections = await until(async () => {
      const found = await json<object[]>('rejections list --application nobody');
      return found.length > 0 && found;
    });
    expect(rejections).toMatchObject([{ code: 'UNKNOWN_APPLICATION', via: 'http' }]);
  });

  it('fits the terminal with its ids whole, and is whole in a pipe, without colours where none are wanted', async () => {
    const { application } = await deadLetters(1);
    const line = `deliveries list --application ${application}`;
    for (const columns of [80, 120]) {
      const narrow = await entrega(line, { columns, env: { NO_COLOR: '1' } });
      const lengths = narrow.out
        .replaceAll(/\u001b\[\d+m/g, '')
        .split('\n')
        .map(({ length }) => length);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(columns);
      expect(narrow.out).toMatch(/^\d{15} /m);
    }
    const piped = await entrega(line);
    expect(piped.out).toContain('cte.event.registered');
    expect(piped.out).not.toMatch(/…|\u001b/);
  });

  it('says that a list goes on', async () => {
    const { application } = await deadLetters(3);
    const first = await entrega(`dead-letters list --application ${application} --limit 2 --json`);
    expect(JSON.parse(first.out)).toHaveLength(2);
    expect(first.err).toContain('--limit');
  });
});

describe('hostile text', () => {
  it('of receivers and people is shown escaped, in tables and as JSON', async () => {
    const { application } = await deadLetters(0);
    receiver.answer = () => ({ status: 500, body: 'red \u001b[31m\u009b2J\u202eevil\r\nnext' });
    await api.platform.publish(application, 'evt-h');
    const delivery = await until(async () => {
      const [found] = await json<{ id: string; state: string }[]>(
        `dead-letters list --application ${application}`,
      );
      return found;
    });
    for (const flags of ['', ' --json']) {
      const { out } = await entrega(`deliveries show ${delivery.id}${flags}`);
      expect(out).toContain('evil');

      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    const [endpoint] = await json<{ id: string }[]>(`endpoints list ${application}`);
    await api.platform.sql(`UPDATE endpoints SET url = $2 WHERE id = $1`, [
      endpoint!.id,
      'http://x/\u009b2J',
    ]);
    const asked = await entrega(`endpoints disable ${endpoint!.id}`, {
      columns: 200,
      onErr: (text, type) => text.endsWith('[y/N] ') && type('n\r'),
    });
    expect(asked.err).toContain('(http://x/\\x9b2J)?');
    const named = newName();
    await api.platform.sql(
      `INSERT INTO applications (id, name, contract, environment, attributes, settings) VALUES ($1, $2, 'tf-fiscal', 'x', '{}', '{}')`,
      [named, 'a\u001b]0;title\u0007b'],
    );
    expect((await entrega(`applications show ${named}`)).out).toMatch(/^name +a\\x1b\]0;title\\x07b$/m);
  });
});

describe('what goes wrong', () => {
  it.each([
    ['a wrong key', 'stats', { ENTREGA_KEY: 'x'.repeat(20) }, 1, '401 UNAUTHENTICATED'],
    ['nobody there', 'stats', { ENTREGA_URL: 'http://127.0.0.1:9' }, 3, 'http://127.0.0.1:9'],
    ['no URL', 'stats', { ENTREGA_URL: 'ftp://x' }, 2, 'ENTREGA_URL: "ftp://x" is not valid'],
    ['no key', 'stats', { ENTREGA_KEY: '' }, 2, 'Set ENTREGA_KEY or ENTREGA_KEY_FILE'],
    ['no such delivery', 'deliveries show 1', {}, 1, '404 NOT_FOUND'],
    ['no id', 'deliveries show evt-1', {}, 2, '"evt-1" is no delivery'],
    ['no time', 'events list --since yesterday', {}, 2, '--since "yesterday" is no time'],
    ['a misspelt command', 'deliveries lst', {}, 2, '"lst" is no command of deliveries. There are list,'],
    ['no such command', '--url http://x stat', {}, 2, '"stat" is no command of entrega. There are stats,'],
    ['no place', 'events show acme', {}, 2, 'entrega events show <application> <event>'],
    ['a needed option', 'applications create --name x', {}, 2, '--contract is missing.'],
    ['an option without a value', 'stats --application', {}, 2, '--application needs a value.'],
    ['TLS where none is', 'stats', { ENTREGA_URL: 'https://127.0.0.1:PORT' }, 3, 'no TLS is spoken there'],
    ['an unknown option', 'stats --fast', {}, 2, 'Unknown argument: fast'],
    ['no command', 'deliveries', {}, 2, 'entrega deliveries --help'],
  ])(
    '%s: one reason on standard error, nothing on standard output',
    async (_, line, env: Record<string, string>, exitCode, words) => {
      const port = new URL(api.url).port;
      const set = Object.entries(env).map(([name, value]) => [name, value.replace('PORT', port)] as const);
      expect(await entrega(line, { env: Object.fromEntries(set) })).toEqual({
        exitCode,
        out: '',
        err: expect.stringContaining(words),
      });
    },
  );
});
