import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundClient, type OutboundClientOptions } from '../src/outbound-client.js';
import type { OutboundRequest } from '../src/outbound-result.js';
import { NameServer, type ZoneAnswer } from '../../../test/receivers/name-server.js';
import { RawReceiver, response } from '../../../test/receivers/raw-receiver.js';

const zone = new Map<string, ZoneAnswer>();
let nameServer: NameServer;
let receiver: RawReceiver;
let folder: string;
const clients: OutboundClient[] = [];

beforeEach(async () => {
  zone.clear();
  nameServer = await NameServer.start((name) => zone.get(name) ?? 'no-such-name');
  receiver = await RawReceiver.start((socket) => socket.write(response('200 OK', 'ok')));
  folder = await mkdtemp(join(tmpdir(), 'entrega-hosts-'));
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await Promise.all([nameServer.stop(), receiver.stop(), rm(folder, { recursive: true })]);
});

function client(
  allowPrivateCidrs = ['127.0.0.0/8'],
  resolver: OutboundClientOptions['resolver'] = {},
): OutboundClient {
  const made = new OutboundClient({
    allowPrivateCidrs,
    resolver: { dnsServers: [nameServer.address], hostsFile: join(folder, 'hosts'), ...resolver },
  });
  clients.push(made);
  return made;
}

function to(host: string, rest: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url: `http://${host}:${receiver.port}/`,
    headers: [],
    body: Buffer.from('{}'),
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    ...rest,
  };
}

describe('the address guard at dial time (TF-03)', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
  ])('does not dial %s', async (host) => {
    const result = await client([]).post(to(host));
    expect(result).toMatchObject({
      kind: 'failed',
      outcome: 'address_forbidden',
      error: { code: 'ADDRESS_FORBIDDEN', message: expect.stringContaining('ALLOW_PRIVATE_CIDRS') },
      connection: 'none',
    });
    expect(await client([]).checkDestination(to(host).url)).toMatchObject({ verdict: 'forbidden' });
    expect(receiver.connectionCount).toBe(0);
  });

  it('says which address, which class and which setting (lessons: S#793)', async () => {
    zone.set('inside.example', { addresses: ['10.20.30.40'] });
    const result = await client().post(to('inside.example'));
    expect(result).toMatchObject({
      error: {
        message:
          'inside.example stands for 10.20.30.40, which is not to be dialled (private). ' +
          'If it is meant, add its range to the setting ALLOW_PRIVATE_CIDRS.',
      },
    });
  });

  it('dials the address that was checked, and refuses a name that changes its mind (rebinding)', async () => {
    const ours = client(['127.0.0.1/32']);
    zone.set('rebinding.example', { addresses: ['127.0.0.1'] });
    expect(await ours.checkDestination(to('rebinding.example').url)).toEqual({
      verdict: 'allowed',
      address: '127.0.0.1',
    });
    zone.set('rebinding.example', { addresses: ['127.0.0.2'] });
    expect(await ours.post(to('rebinding.example'))).toMatchObject({ outcome: 'address_forbidden' });
    expect(receiver.connectionCount).toBe(0);
  });

  it('asks once per dial: the answer that was checked is the one that is dialled', async () => {
    const ours = client(['127.0.0.1/32']);
    let asked = 0;
    const flipping = await NameServer.start(() => ({ addresses: [++asked <= 2 ? '127.0.0.1' : '10.0.0.1'] }));
    const flipped = client(['127.0.0.1/32'], { dnsServers: [flipping.address] });
    expect(await flipped.post(to('flip.example'))).toMatchObject({
      outcome: 'success',
      remoteAddress: '127.0.0.1',
    });
    expect(flipping.questions).toEqual(expect.arrayContaining(['flip.example A', 'flip.example AAAA']));
    expect(flipping.questions).toHaveLength(2);
    await flipping.stop();
    expect(await ours.checkDestination('http://10.0.0.1/')).toMatchObject({ verdict: 'forbidden' });
  });

  it.each([
    [['127.0.0.1', '10.0.0.1']],
    [['10.0.0.1', '127.0.0.1']],
    [['127.0.0.1', 'fd00::1']],
    [['127.0.0.1', '64:ff9b::a00:1']],
  ])('refuses %j: one forbidden address among the answers refuses them all', async (addresses) => {
    zone.set('mixed.example', { addresses });
    const ours = client();
    expect(await ours.post(to('mixed.example'))).toMatchObject({ outcome: 'address_forbidden' });
    expect(await ours.checkDestination(to('mixed.example').url)).toMatchObject({ verdict: 'forbidden' });
    expect(receiver.connectionCount).toBe(0);
  });

  it('tries every checked address', async () => {
    zone.set('two.example', { addresses: ['127.0.0.9', '127.0.0.8', '127.0.0.1'] });
    expect(await client().post(to('two.example'))).toMatchObject({
      outcome: 'success',
      remoteAddress: '127.0.0.1',
    });
    expect(receiver.requests[0]?.head).toContain(`host: two.example:${receiver.port}\r\n`);
  });

  it.each(['', 'nowhere', 'ftp://127.0.0.1/', 'http://[::1', 'http://256.0.0.1/'])(
    'reports %j as no destination at all',
    async (url) => {
      expect(await client().checkDestination(url)).toMatchObject({ verdict: 'forbidden' });
    },
  );
});

describe('names', () => {
  it('means loopback by localhost, and of its two addresses those that are allowed', async () => {
    const ours = client(['127.0.0.0/8']);
    expect(await ours.post(to('localhost'))).toMatchObject({
      outcome: 'success',
      remoteAddress: '127.0.0.1',
    });
    expect(nameServer.questions).toEqual([]);
  });

  it('reads the hosts file first, and again when it has changed', async () => {
    const hosts = join(folder, 'hosts');
    const ours = client();
    expect(await ours.post(to('named.example'))).toMatchObject({ outcome: 'dns' });
    await writeFile(
      hosts,
      '# comment\n127.0.0.1\tother NAMED.example # trailing\nnot-an-address named.example\n',
    );
    nameServer.questions.length = 0;
    expect(await ours.post(to('named.example'))).toMatchObject({
      outcome: 'success',
      remoteAddress: '127.0.0.1',
    });
    expect(nameServer.questions).toEqual([]);
    await writeFile(hosts, '10.0.0.7 named.example\n');
    expect(await ours.checkDestination(to('named.example').url)).toMatchObject({
      verdict: 'forbidden',
      address: '10.0.0.7',
    });
  });

  it("takes a name that does not resolve as the receiver's: outcome dns with its code (lessons: S#2204)", async () => {
    const ours = client();
    expect(await ours.post(to('nowhere.example'))).toMatchObject({
      kind: 'failed',
      outcome: 'dns',
      error: { code: 'DNS_NOT_FOUND', message: expect.stringContaining('nowhere.example') },
      remoteAddress: null,
      connection: 'none',
    });
    expect(await ours.checkDestination(to('nowhere.example').url)).toMatchObject({
      verdict: 'unresolved',
      message: expect.stringContaining('nowhere.example'),
    });
  });

  it('takes a name with neither A nor AAAA as one that does not resolve', async () => {
    zone.set('empty.example', { addresses: [] });
    expect(await client().post(to('empty.example'))).toMatchObject({
      outcome: 'dns',
      error: { code: 'DNS_NOT_FOUND' },
    });
  });

  it('refuses a name with hundreds of addresses, which would cost time to judge and memory to keep', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `127.1.1.${index}`);
    zone.set('many.example', { addresses: many(100), ttlSeconds: 20 });
    zone.set('too-many.example', { addresses: many(101), ttlSeconds: 20 });
    const ours = client();
    expect(await ours.checkDestination(to('many.example').url)).toMatchObject({ verdict: 'allowed' });
    expect(await ours.post(to('too-many.example'))).toMatchObject({
      kind: 'failed',
      outcome: 'dns',
      error: {
        code: 'DNS_TOO_MANY_ADDRESSES',
        message:
          'The name too-many.example has 101 addresses. A receiver may have 100. Check its A and AAAA records.',
      },
    });
  });

  it('waits for a silent name server no longer than the connect deadline: outcome dns', async () => {
    zone.set('silent.example', 'silent');
    expect(await client().post(to('silent.example', { connectTimeoutMs: 150 }))).toMatchObject({
      outcome: 'dns',
      error: { code: 'DNS_TIMEOUT' },
    });
  });

  it('shares one lookup among attempts, and keeps the answer for its time to live', async () => {
    zone.set('busy.example', { addresses: ['127.0.0.1'], ttlSeconds: 20 });
    const ours = client();
    await Promise.all(Array.from({ length: 20 }, () => ours.post(to('busy.example'))));
    await ours.checkDestination(to('busy.example').url);
    expect(receiver.requests).toHaveLength(20);
    expect(nameServer.questions).toHaveLength(2);
  });

  it('does not keep an answer whose time to live is 0', async () => {
    zone.set('fleeting.example', { addresses: ['127.0.0.1'], ttlSeconds: 0 });
    const ours = client();
    await ours.checkDestination(to('fleeting.example').url);
    await ours.checkDestination(to('fleeting.example').url);
    expect(nameServer.questions).toHaveLength(4);
  });
});

describe('a resolver that fails for every name is our fault (design: Flow)', () => {
  it('is a fault when no name server listens', async () => {
    const closed = createSocket('udp4');
    closed.bind(0, '127.0.0.1');
    await once(closed, 'listening');
    const dnsServers = [`127.0.0.1:${closed.address().port}`];
    closed.close();
    await once(closed, 'close');
    const ours = client(['127.0.0.0/8'], { dnsServers });
    expect(await ours.post(to('any.example'))).toMatchObject({
      kind: 'fault',
      error: { code: 'DNS_UNAVAILABLE' },
    });
    expect(await ours.checkDestination(to('any.example').url)).toEqual({
      verdict: 'unresolved',
      // Whoever registers a URL is not told of this machine's name servers.
      message: 'The name any.example could not be looked up just now.',
    });
  });

  it('is a fault from the third name in a row that nobody answers for, and no longer once one is answered', async () => {
    for (const name of ['a.example', 'b.example', 'c.example']) zone.set(name, 'server-failure');
    const ours = client();
    expect(await ours.post(to('a.example'))).toMatchObject({
      kind: 'failed',
      outcome: 'dns',
      error: { code: 'DNS_FAILED' },
    });
    expect(await ours.post(to('a.example'))).toMatchObject({ kind: 'failed', outcome: 'dns' });
    expect(await ours.post(to('b.example'))).toMatchObject({ kind: 'failed', outcome: 'dns' });
    expect(await ours.post(to('c.example'))).toMatchObject({
      kind: 'fault',
      error: { code: 'DNS_UNAVAILABLE' },
    });
    expect(await ours.post(to('a.example'))).toMatchObject({ kind: 'fault' });
    expect(await ours.post(to('nowhere.example'))).toMatchObject({ kind: 'failed', outcome: 'dns' });
    expect(await ours.post(to('a.example'))).toMatchObject({ kind: 'failed', outcome: 'dns' });
  });

  it('asks again for a name that was good, so that three broken zones are not taken for a dead resolver', async () => {
    zone.set('good.example', { addresses: ['127.0.0.1'] });
    for (const name of ['a.example', 'b.example', 'c.example']) zone.set(name, 'server-failure');
    const ours = client();
    expect(await ours.post(to('good.example'))).toMatchObject({ outcome: 'success' });
    for (const name of ['a.example', 'b.example', 'c.example']) await ours.post(to(name));
    // The lookup for the good name ran before this one, on the same resolver.
    expect(await ours.post(to('a.example'))).toMatchObject({ kind: 'failed', outcome: 'dns' });
  });
});
