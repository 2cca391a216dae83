import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RawReceiver } from '../receivers/raw-receiver.js';
import { headerOf } from '../support/recording-receiver.js';
import { SecretSearch } from '../support/secret-search.js';
import { describeWithTls } from '../support/tls.js';
import { until } from '../support/until.js';
import { ECHO_PATHS } from './careless-receiver.js';
import { awkwardSecret, type Ended, SecurityRun } from './security-run.js';
import { botch, publish, publishDuring, register, startBadly, tfEvent, useApiKeys } from './whole-run.js';

const PATIENCE = { timeoutMs: 15_000 };

/**
 * One run of the real process over everything that takes a secret, with receivers that show what they were sent and
 * callers that put secrets in the wrong place. It is made once; the tests look at what it left.
 */
describeWithTls('a whole run', () => {
  let run: SecurityRun;
  let refusedStart: Ended;
  let rotation: Ended;
  let withoutTheNewKey: Ended;
  let duringRotation: readonly string[];
  const received = (id: string) => run.receiver.headerValues('X-Tffiscal-Event-Id').includes(id);

  beforeAll(async () => {
    run = await SecurityRun.begin();
    const raw = await RawReceiver.start((socket, { head }) => socket.end(head));
    const made = await register(run, raw);
    await useApiKeys(run);
    await botch(run);
    const startingBadly = startBadly(run);
    const sent = await publish(run);
    await raw.stop();
    await run.keepCommandLines();
    await run.stop();
    refusedStart = await startingBadly;

    const [oldKey] = await run.encryptionKeys();
    await run.addEncryptionKey();
    await run.start();
    const rotating = run.runToEnd('standalone/src/rotate-encryption-key');
    ({ result: rotation, published: duringRotation } = await publishDuring(run, rotating));
    await until(() => duringRotation.every(received), PATIENCE);
    await run.stop();
    withoutTheNewKey = await run.runToEnd('standalone/src/main', { ENCRYPTION_KEY: oldKey! });
    await run.removeOldEncryptionKeys();
    await run.start();
    await run.call('POST', '/v1/events', tfEvent('afterwards'));
    await until(() => received('afterwards'), PATIENCE);

    await run.readEverything({
      ...made,
      ...sent,
      events: ['evt-1', 'evt-2'],
      attempts: ['1', '4'],
      contracts: ['tf-fiscal', 'cortecloud'],
    });
    await run.keepDatabase();
    await run.stop();
  }, 120_000);
  afterAll(() => run.end());

  it('emits no secret in any form: not in logs, answers, announcements, tables or command lines', () => {
    expect(run.found()).toEqual([]);
  });

  it('had the secrets in its hands, and receivers that sent them back', () => {
    expect(run.secrets.count).toBeGreaterThan(40);
    for (const path of [...ECHO_PATHS, '/plain/center', '/base64/center'])
      expect(run.receiver.received.filter((one) => one.path.split('?')[0] === path).length).toBeGreaterThan(
        1,
      );
    expect(
      run.receiver.received.every((one) => headerOf(one, 'x-token') ?? headerOf(one, 'authorization')),
    ).toBe(true);
    expect(run.seen(/table attempts/)).toContain('x-token: ***');
    expect(run.seen(/table attempts/)).toContain('RESPONSE_NOT_HTTP');
    expect(run.seen(/log of start 1/)).toMatch(/"topic":"dead-letters.v1"/);
    expect(run.seen(/log of start 1/)).toContain('"level":"debug"');
    expect(run.seen(/answer 422 to PUT/)).toMatch(/URL_HAS_USERINFO/);
    expect(run.seen(/answer 200 to GET \/v1\/rejections/)).toContain('NOT_JSON');
    expect(run.seen(/answer 401/)).toContain('UNAUTHENTICATED');
    expect(run.seen(/answer 5/)).toBe('');
    expect(refusedStart).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('settings are wrong'),
    });
  });

  it('changes its encryption key while events come in, and needs the old one no more', () => {
    expect(rotation).toEqual({
      exitCode: 0,
      output: expect.stringMatching(/^Sealed anew with key \w{8}: 17\. /),
    });
    expect(duringRotation.length).toBeGreaterThan(0);
    expect(run.seen(/log of start/)).not.toContain('UNKNOWN_ENCRYPTION_KEY');
    expect(withoutTheNewKey.exitCode).toBe(1);
    expect(withoutTheNewKey.output).toMatch(/17 with key \w{8}.*Add the missing key to the end of the list/);
  });
});

it('the search finds a secret that was logged, in whichever form', () => {
  const search = new SecretSearch();
  const secret = search.add('token', awkwardSecret());
  for (const text of [
    secret,
    JSON.stringify({ log: JSON.stringify({ secret }) }),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(`user:${secret}`).toString('base64'),
    Buffer.from(`usr:${secret}\n`).toString('base64url'),
    `...${secret.slice(0, 12)}`,
  ])
    expect(search.findIn('a log', `before ${text} behind`)).toMatchObject([
      { secret: 'token', where: 'a log' },
    ]);
  expect(search.findIn('a log', 'token: ***')).toEqual([]);
});
