import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutboundClient } from '#outbound/outbound-client.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AdminApi } from '../support/admin-api.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { NameServer, type ZoneAnswer } from './name-server.js';
import { RawReceiver, response } from './raw-receiver.js';

/** 127.0.0.1 is allowed here and plays the public receiver; the other loopback addresses are the inner network. */
const PUBLIC = '127.0.0.1';
const INNER = '127.0.0.2';

const zone = new Map<string, ZoneAnswer>();
let names: NameServer;
/** On both addresses: it would be reached if either were dialled. */
let receiver: RawReceiver;

beforeAll(async () => {
  names = await NameServer.start((name) => zone.get(name) ?? 'no-such-name');
});
afterAll(() => names.stop());
beforeEach(async () => {
  zone.clear();
  receiver = await RawReceiver.start((socket) => socket.write(response('200 OK')), { host: '0.0.0.0' });
});
afterEach(() => receiver.stop());

const urlOf = (name: string) => `http://${name}:${receiver.port}/hook`;

describe('a name whose answer changes between registration and attempt (design: Outbound safety)', () => {
  let api: AdminApi;
  let outbound: OutboundClient;

  beforeAll(async () => {
    outbound = new OutboundClient({
      allowPrivateCidrs: [`${PUBLIC}/32`],
      resolver: { dnsServers: [names.address] },
    });
    api = await AdminApi.start({ outbound });
    api.platform.worker = api.platform.newWorker({ outbound });
    await api.platform.startWorker();
  });
  afterAll(async () => {
    await api.stop();
    await outbound.close();
  });

  const register = (application: string, name: string) =>
    api.call('PUT', `/v1/applications/${application}/webhook`, {
      url: urlOf(name),
      credentials: { token: 'token-1' },
    });

  /** The attempts of the application's one delivery, once there are so many. */
  const attemptsOf = (application: string, count: number) =>
    until(async () => {
      const { body } = await api.call('GET', `/v1/deliveries?application=${application}`);
      const [delivery] = body.items as { id: string }[];
      const answer = await api.call('GET', `/v1/deliveries/${delivery!.id}/attempts`);
      return answer.body.items.length === count && answer.body.items;
    });

  it.each<[string, readonly string[]]>([
    ['to a forbidden one', [INNER]],
    ['to one of which a part is forbidden', [PUBLIC, INNER]],
    ['to one of which the first is forbidden', [INNER, PUBLIC]],
    ['to one with a forbidden address of the other family', [PUBLIC, '::1']],
  ])('is not dialled after it changed %s', async (what, answer) => {
    const application = what.replaceAll(' ', '-');
    await api.addApplication(application);
    zone.set('rebinding.example', { addresses: [PUBLIC] });
    expect((await register(application, 'rebinding.example')).body).toMatchObject({
      url: urlOf('rebinding.example'),
      warnings: [],
    });

    zone.set('rebinding.example', { addresses: answer });
    await api.platform.publish(application);
    const [attempt] = await attemptsOf(application, 1);
    const forbidden = answer.find((address) => address !== PUBLIC);
    expect(attempt).toMatchObject({
      outcome: 'address_forbidden',
      remoteAddress: null,
      error: {
        code: 'ADDRESS_FORBIDDEN',
        message: expect.stringContaining(`rebinding.example stands for ${forbidden}, which`),
      },
    });
    expect(attempt.error.message).toContain('ALLOW_PRIVATE_CIDRS');
    expect(receiver.connectionCount).toBe(0);
  });

  it('is delivered by the next attempt when it is good again', async () => {
    await api.addApplication('restored', { retryWaits: ['1s'] });
    zone.set('restored.example', { addresses: [PUBLIC] });
    await register('restored', 'restored.example');
    zone.set('restored.example', { addresses: [INNER] });
    await api.platform.publish('restored');
    await attemptsOf('restored', 1);
    zone.set('restored.example', { addresses: [PUBLIC] });
    expect(await attemptsOf('restored', 2)).toMatchObject([
      { outcome: 'address_forbidden' },
      { outcome: 'success', remoteAddress: PUBLIC },
    ]);
  });

  it('is refused at registration as at the attempt when its answer mixes good and bad', async () => {
    await api.addApplication('mixed');
    zone.set('mixed.example', { addresses: [PUBLIC, INNER] });
    const answer = await register('mixed', 'mixed.example');
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { pointer: '/url', code: 'FORBIDDEN_ADDRESS', message: expect.stringContaining(INNER) },
    ]);
  });

  it('is looked up as a name when it only looks like an address in punycode', async () => {
    await api.addApplication('punycode');
    zone.set('127.0.0.xn--8g7c', { addresses: ['10.0.0.1'] });
    const answer = await register('punycode', '127.0.0.xn--8g7c');
    expect(answer.body.errors).toMatchObject([
      { code: 'FORBIDDEN_ADDRESS', message: expect.stringContaining('10.0.0.1') },
    ]);
  });
});

describe('a fault of this machine’s own resolver', () => {
  it('is not told to those who register and verify', async () => {
    const unused = await NameServer.start(() => 'silent');
    const { address } = unused;
    await unused.stop();
    const outbound = new OutboundClient({ allowPrivateCidrs: [], resolver: { dnsServers: [address] } });
    const api = await AdminApi.start({ outbound });
    try {
      await api.addApplication('acme');
      const body = { url: urlOf('receiver.example'), credentials: { token: 'token-1' } };
      const registered = await api.call('PUT', '/v1/applications/acme/webhook', body);
      expect(registered.body.warnings).toEqual([
        'The name receiver.example could not be looked up just now. ' +
          'It is registered all the same and looked up again before each attempt.',
      ]);
      const verified = await api.call('PUT', '/v1/applications/acme/webhook', { ...body, verify: true });
      expect(verified.status).toBe(503);
      expect(verified.body.detail).toMatch(/^The test delivery could not be sent by a fault of the sender/);
      for (const answer of [registered, verified])
        expect(answer.text).not.toMatch(/name server|DNS|127\.0\.0\.1/);
    } finally {
      await api.stop();
      await outbound.close();
    }
  });
});

it('asks the name servers of the setting DNS_SERVERS, at registration and before each attempt', async () => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'entrega-names-'));
  const standalone = await StandaloneProcess.start({
    databaseUrl: database.url,
    dataDir,
    env: { DNS_SERVERS: names.address, ALLOW_PRIVATE_CIDRS: `${PUBLIC}/32` },
  });
  try {
    zone.set('receiver.example', { addresses: [PUBLIC] });
    const application = { id: 'acme', name: 'acme', contract: 'tf-fiscal' };
    expect(await standalone.call('POST', '/v1/applications', application)).toMatchObject({ status: 201 });
    const webhook = { url: urlOf('receiver.example'), credentials: { token: 'token-1' } };
    expect(await standalone.call('PUT', '/v1/applications/acme/webhook', webhook)).toMatchObject({
      status: 201,
      body: { warnings: [] },
    });
    const publish = (protocolo: string) =>
      standalone.call('POST', '/v1/events', {
        application: 'acme',
        type: 'cte.event.registered',
        data: { event_code: '110180', n_seq: '1', protocolo },
      });
    const attempted = (outcome: string) =>
      until(() =>
        standalone.lines.find((line) => line['msg'] === 'delivery.attempted' && line['outcome'] === outcome),
      );

    await publish('1');
    await attempted('success');
    expect(receiver.requests).toHaveLength(1);
    // The kept-alive connection goes to the address that was checked; a new one is checked anew.
    for (const socket of receiver.openSockets) socket.end();
    await until(() => receiver.openSockets.length === 0);
    zone.set('receiver.example', { addresses: [INNER] });
    await publish('2');
    await attempted('address_forbidden');
    expect(receiver.connectionCount).toBe(1);
  } finally {
    await standalone.end('SIGTERM');
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
});
