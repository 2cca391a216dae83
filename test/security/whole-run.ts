import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RawReceiver } from '../receivers/raw-receiver.js';
import { until } from '../support/until.js';
import { ECHO_PATHS } from './careless-receiver.js';
import { type Answer, awkwardSecret, type Ended, type SecurityRun } from './security-run.js';

const PATIENCE = { timeoutMs: 20_000 };
const HOUR_MS = 3_600_000;

/** What the run made, by collection. */
export interface Made {
  readonly applications: string[];
  readonly endpoints: string[];
}

/** Applications and endpoints of both contracts, with secrets of the caller's own, generated and changed ones. */
export async function register(run: SecurityRun, raw: RawReceiver): Promise<Made> {
  const { secrets, receiver } = run;
  const endpoints: string[] = [];
  const made = (answer: Answer) => void endpoints.push((answer.body as { id: string }).id);
  const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();

  const token = secrets.add('token', `${awkwardSecret()} with spaces`);
  const appSecret = secrets.add('app_secret', awkwardSecret());
  const settings = { retryWaits: ['50ms'], breakerThreshold: 0 };
  const acme = { id: 'acme', name: 'Acme', contract: 'tf-fiscal', secret: appSecret, settings };
  await run.call('POST', '/v1/applications', acme);
  const webhook = { url: receiver.url, credentials: { token }, verify: true };
  made(await run.call('PUT', '/v1/applications/acme/webhook', webhook));
  for (const url of [...ECHO_PATHS.map((path) => receiver.urlOf(path)), raw.url('/raw')]) {
    const endpoint = { url, credentials: { token } };
    await run.call('POST', '/v1/applications/acme/endpoints', { ...endpoint, verify: true });
    made(await run.call('POST', '/v1/applications/acme/endpoints', endpoint));
  }
  await run.call('POST', `/v1/endpoints/${endpoints[1]}/verify`);

  await run.call('POST', '/v1/applications', { id: 'other', name: 'Other', contract: 'tf-fiscal' });
  const rotated = { secret: secrets.add('rotated app_secret', awkwardSecret()) };
  await run.call('POST', '/v1/applications/other/rotate-secret', rotated);
  await run.call('POST', '/v1/applications/other/rotate-secret', { activateAt: inAnHour });

  const attributes = { companyId: 123, companyInternalCode: 'CENTRAL-01' };
  await run.call('POST', '/v1/applications', {
    id: 'center',
    name: 'Center',
    contract: 'cortecloud',
    attributes,
    settings,
  });
  const ownKey = secrets.add('ownKey', `${awkwardSecret()} ü€😀`);
  const pair = {
    apiKey: secrets.add('apiKey', `sb_wk_${randomBytes(16).toString('hex')}`),
    secret: secrets.add('secret', `sb_ws_${randomBytes(32).toString('hex')}`),
  };
  for (const [path, credentials] of [
    ['/plain', { ...pair, ownKey }],
    ['/base64', { ownKey }],
    ['/accepted', {}],
  ] as const) {
    const url = receiver.urlOf(
      `${path}/center?key=${run.urlSecrets.add(`key in ${path}`, randomBytes(16).toString('hex'))}`,
    );
    made(await run.call('POST', '/v1/applications/center/endpoints', { url, credentials }));
  }
  const [changed, rotating] = endpoints.slice(-2);
  const change = { credentials: { ownKey: secrets.add('changed ownKey', awkwardSecret()) } };
  await run.call('PATCH', `/v1/endpoints/${changed}`, change);
  await run.call('POST', `/v1/endpoints/${rotating}/rotate-secret`);
  await run.call('POST', `/v1/endpoints/${rotating}/rotate-secret`, { activateAt: inAnHour });
  return { applications: ['acme', 'other', 'center'], endpoints };
}

/** Keys that are used, beyond their role, after their end, and by nobody. */
export async function useApiKeys(run: SecurityRun): Promise<void> {
  for (const role of ['producer', 'manager', 'operator', 'admin']) {
    const { body } = await run.call('POST', '/v1/api-keys', { name: role, role });
    const { id, key } = body as { id: string; key: string };
    await run.send('GET', '/v1/api-keys/current', `Bearer ${key}`);
    await run.send('DELETE', '/v1/api-keys/0', `Bearer ${key}`);
    if (role === 'operator') await run.call('DELETE', `/v1/api-keys/${id}`);
    await run.send('GET', '/v1/stats', `Bearer ${key}`);
  }
  const unknown = run.secrets.add('unknown key', `entrega_${randomBytes(32).toString('base64url')}`);
  const basic = Buffer.from(`user:${unknown}`).toString('base64');
  for (const authorization of [`Bearer ${unknown}`, `Bearer ${unknown} x`, unknown, `Basic ${basic}`])
    await run.send('GET', '/v1/stats', authorization);
  await run.send('GET', `/v1/stats?key=${unknown}`, null);
  await run.send('POST', `/v1/events?key=${unknown}`, null, '{}');
  await run.call('GET', `/v1/stats?key=${unknown}`);
}

/** Secrets where they do not belong, or not as they must be: every one of these is refused. */
export async function botch(run: SecurityRun): Promise<void> {
  const secret = (name: string) => run.secrets.add(`a botched ${name}`, awkwardSecret());
  const webhook = (body: unknown) => run.call('PUT', '/v1/applications/acme/webhook', body);
  const url = run.receiver.url;

  // Not what is asked for.
  await webhook(secret('body'));
  await webhook({ url, token: secret('token beside') });
  await webhook({ url, credentials: secret('credentials') });
  await webhook({ url, credentials: { token: [secret('token in a list')] } });
  await webhook({ url, credentials: { token: secret('token').repeat(20) } });
  await webhook({ url, credentials: { token: `${secret('token')}\n` } });
  await webhook({ url, credentials: { token: secret('token'), secret: secret('secret') } });
  await webhook({ url, credentials: { token: Number(run.secrets.add('a number', '901234567890123')) } });
  const rotations = ['/v1/applications/acme/rotate-secret', '/v1/applications/center/rotate-secret'];
  for (const path of rotations) {
    await run.call('POST', path, secret('body'));
    await run.call('POST', path, { secret: `${secret('secret with a space')} ` });
    await run.call('POST', path, { secret: { value: secret('object') } });
    await run.call('POST', path, { newSecret: secret('secret of another name') });
  }
  const acme = { name: 'Acme', contract: 'tf-fiscal' };
  await run.call('PUT', '/v1/applications/acme', { ...acme, secret: secret('other secret') });
  await run.call('POST', '/v1/applications', { ...acme, id: 'bad', secret: secret('secret').slice(0, 15) });
  await run.call('POST', '/v1/applications', { ...acme, id: 'bad', settings: { secret: secret('setting') } });
  await run.call('POST', '/v1/applications', {
    ...acme,
    id: 'bad',
    attributes: { token: secret('attribute') },
  });
  for (const credentials of [
    { apiKey: `sb_ws_${secret('secret').length}`, secret: secret('with an escape\u0000') },
    { apiKey: secret('api key with a quote') },
    { secret: `${secret('with ü')}ü`, apiKey: 'sb_wk_1' },
    { ownKey: 17, secret: secret('alone') },
  ])
    await run.call('POST', '/v1/applications/center/endpoints', { url, credentials });
  await run.call('POST', '/v1/api-keys', { name: 'x', role: 'admin', key: secret('key') });

  // URLs that carry a password, which most of their rules look at before they are refused.
  const password = run.secrets.add('password', `Pa55/${randomBytes(12).toString('base64url')}`);
  const user = run.secrets.add('user', `ghp${randomBytes(12).toString('hex')}`);
  const hidden = encodeURIComponent(password);
  for (const bad of [
    `https://hook:${hidden}@receiver.example/`,
    `https://hook:${password}@receiver.example/`,
    `${user}:${hidden}@receiver.example/`,
    `${user}:@receiver.example/`,
    `ftp://hook:${hidden}@receiver.example/`,
    `https://receiver.example:${user}/`,
    `https://${user}@127.0.0.1:${run.receiver.port}/ #${hidden}`,
    `https://hook:${hidden}@[::1]/`,
  ])
    await webhook({ url: bad, credentials: { token: 'a-token' } });

  // What is no JSON, on both readers of it.
  const token = secret('text');
  const routes = [
    ['PUT', '/v1/applications/acme/webhook'],
    ['POST', '/v1/events'],
    ['POST', '/v1/events/batch'],
  ] as const;
  for (const [method, path] of routes) {
    for (const body of [
      `{"application":"acme","credentials":{"token":${JSON.stringify(token)}`,
      `{"application":"acme","token":${token}}`,
      `{"application":"acme","token":"${token}}`,
      `{"token":"x","token":${JSON.stringify(token)}}`,
      `{"application":"acme","secret":${JSON.stringify(token)}}`,
      `{"events":[{"application":"acme","secret":${JSON.stringify(token)}}]}`,
      JSON.stringify(token),
      token,
    ])
      await run.send(method, path, run.authorization, body);
  }
  run.keep(
    'the answer to no HTTP',
    await rawAnswer(run.url, `GET / HTTP/1.1\r\nauthorization: ${token}\r\n\u0000\r\n\r\n`),
  );
}

/** Settings that are wrong and hold secrets, as the first process of a day meets them. */
export async function startBadly(run: SecurityRun): Promise<Ended> {
  const secret = (name: string) => run.secrets.add(`the setting ${name}`, awkwardSecret());
  return run.runToEnd('standalone/src/main', {
    ADMIN_KEY: `${secret('ADMIN_KEY')} `,
    ENCRYPTION_KEY: `${secret('ENCRYPTION_KEY')},${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `mysql://entrega:${secret('DATABASE_URL')}@127.0.0.1/entrega`,
    KAFKA_BROKERS: '127.0.0.1:1',
    KAFKA_SSL: 'true',
    KAFKA_SSL_KEY: `-----BEGIN ${secret('KAFKA_SSL_KEY')}`,
    // The secret itself, where its file should be named.
    KAFKA_SASL_PASSWORD_FILE: secret('KAFKA_SASL_PASSWORD'),
  });
}

/** Publishes what is delivered, refused by every careless receiver until it is dead, and sent again. */
export async function publish(run: SecurityRun): Promise<{ deliveries: string[]; replays: string[] }> {
  for (const id of ['evt-1', 'evt-2']) await run.call('POST', '/v1/events', tfEvent(id));
  const service = { service_id: 17, service_internal_code: 'PED-17', status: 6, old_status: 4 };
  await run.call('POST', '/v1/events', {
    application: 'center',
    type: 'service.status_changed',
    occurredAt: new Date(Date.now() - 60_000).toISOString(),
    data: service,
  });
  await settled(run);
  const replay = await run.call('POST', '/v1/dead-letters/redeliver', { application: 'acme' });
  await settled(run);
  await until(() => run.output.includes('"topic":"dead-letters.v1"'), PATIENCE);
  const { body } = await run.call('GET', '/v1/deliveries?limit=200');
  const deliveries = (body as { items: { id: string }[] }).items.map(({ id }) => id);
  return { deliveries, replays: [(replay.body as { id: string }).id] };
}

/** Publishes one after the other to the one receiver that accepts, until `meanwhile` is over. */
export async function publishDuring<Result>(
  run: SecurityRun,
  meanwhile: Promise<Result>,
): Promise<{ result: Result; published: string[] }> {
  const over = new AbortController();
  void meanwhile.finally(() => over.abort());
  const published: string[] = [];
  while (!over.signal.aborted) {
    const id = `during-${published.length}`;
    const { status } = await run.call('POST', '/v1/events', tfEvent(id));
    if (status === 202) published.push(id);
  }
  return { result: await meanwhile, published };
}

export function tfEvent(id: string) {
  const data = { event_code: '110180', n_seq: '1', protocolo: '1' };
  return { application: 'acme', type: 'cte.event.registered', id, data };
}

async function settled(run: SecurityRun): Promise<void> {
  await until(async () => {
    const { body } = await run.call('GET', '/v1/deliveries?state=pending&limit=1');
    return (body as { items: unknown[] }).items.length === 0;
  }, PATIENCE);
}

/** What the server says to something that is no request. */
async function rawAnswer(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(sent);
  return text(socket);
}
