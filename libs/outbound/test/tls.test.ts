import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { OutboundClient } from '../src/outbound-client.js';
import type { OutboundRequest } from '../src/outbound-result.js';
import { RawReceiver, response } from '../../../test/receivers/raw-receiver.js';
import { whereInstalled } from '../../../test/support/where-installed.js';

const run = promisify(execFile);

interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A certificate signed by itself, which is thereby its own authority. `-1` day is over already. */
async function selfSigned(folder: string, names: string, days = 2): Promise<Identity> {
  const file = (name: string) => join(folder, name);
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    file('key.pem'),
  ];
  await run('openssl', ['req', '-new', ...key, '-subj', `/CN=${randomUUID()}`, '-out', file('request.pem')]);
  await writeFile(file('extensions'), `basicConstraints=CA:TRUE\nsubjectAltName=${names}\n`);
  const sign = ['-signkey', file('key.pem'), '-days', String(days), '-extfile', file('extensions')];
  await run('openssl', ['x509', '-req', '-in', file('request.pem'), ...sign, '-out', file('cert.pem')]);
  return { cert: await readFile(file('cert.pem'), 'utf8'), key: await readFile(file('key.pem'), 'utf8') };
}

whereInstalled('openssl').describe('https (certificates are verified)', () => {
  const systemAuthorities = getCACertificates('default');
  const ended: (() => Promise<unknown>)[] = [];
  let folder: string;
  let trusted: Identity;
  let otherName: Identity;
  let expired: Identity;
  let untrusted: Identity;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'entrega-tls-'));
    trusted = await selfSigned(folder, 'DNS:localhost,IP:127.0.0.1');
    otherName = await selfSigned(folder, 'DNS:elsewhere.example');
    expired = await selfSigned(folder, 'DNS:localhost', -1);
    untrusted = await selfSigned(folder, 'DNS:localhost');
    setDefaultCACertificates([...systemAuthorities, trusted.cert, otherName.cert, expired.cert]);
  });

  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  afterAll(async () => {
    setDefaultCACertificates(systemAuthorities);
    await rm(folder, { recursive: true });
  });

  function client(): OutboundClient {
    const made = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
    ended.unshift(() => made.close());
    return made;
  }

  async function receiver(identity: Identity): Promise<RawReceiver> {
    const started = await RawReceiver.start((socket) => socket.write(response('200 OK', 'ok')), {
      tls: identity,
    });
    ended.push(() => started.stop());
    return started;
  }

  function to(url: string, rest: Partial<OutboundRequest> = {}): OutboundRequest {
    return {
      url,
      headers: [],
      body: Buffer.from('{}'),
      connectTimeoutMs: 2_000,
      responseTimeoutMs: 2_000,
      ...rest,
    };
  }

  it.each(['localhost', 'localhost.', '127.0.0.1'])(
    'delivers to %s and reuses the connection',
    async (host) => {
      const there = await receiver(trusted);
      const ours = client();
      expect(await ours.post(to(there.url('/', host)))).toMatchObject({
        outcome: 'success',
        remoteAddress: '127.0.0.1',
      });
      expect(await ours.post(to(there.url('/', host)))).toMatchObject({
        outcome: 'success',
        connection: 'reused',
      });
      expect(there.connectionCount).toBe(1);
    },
  );

  it('names the host in the handshake, for receivers that share an address', async () => {
    const named: (string | false | null)[] = [];
    const there = await RawReceiver.start(
      (socket) => {
        named.push((socket as TLSSocket).servername);
        socket.write(response('200 OK', 'ok'));
      },
      { tls: trusted },
    );
    ended.push(() => there.stop());
    const ours = client();
    for (const host of ['localhost', 'localhost.', '127.0.0.1']) await ours.post(to(there.url('/', host)));
    expect(named).toEqual(['localhost', 'localhost', false]);
  });

  it('resumes the session of the connection before, which spares the receiver a full handshake', async () => {
    const resumed: boolean[] = [];
    const there = await RawReceiver.start(
      (socket) => {
        resumed.push((socket as TLSSocket).isSessionReused());
        socket.write(response('200 OK', 'ok', 'Connection: close'));
      },
      { tls: trusted },
    );
    ended.push(() => there.stop());
    const ours = client();
    for (let count = 0; count < 3; count++) await ours.post(to(there.url('/', 'localhost')));
    expect(resumed).toEqual([false, true, true]);
  });

  it('repeats on a fresh connection when a kept-alive one is closed', async () => {
    const there = await RawReceiver.start(
      (socket, request) => {
        if (request.onConnection === 1) socket.write(response('200 OK', 'ok'));
        else socket.end();
      },
      { tls: trusted },
    );
    ended.push(() => there.stop());
    const ours = client();
    await ours.post(to(there.url('/', 'localhost')));
    expect(await ours.post(to(there.url('/', 'localhost')))).toMatchObject({
      outcome: 'success',
      connection: 'reused-then-new',
    });
  });

  it.each<[string, () => Identity]>([
    ['CERTIFICATE_NAME_MISMATCH', () => otherName],
    ['CERTIFICATE_EXPIRED', () => expired],
    ['CERTIFICATE_UNTRUSTED', () => untrusted],
  ])('sends nothing and fails with %s: outcome tls', async (code, identity) => {
    const there = await receiver(identity());
    const result = await client().post(to(there.url('/', 'localhost')));
    expect(result).toMatchObject({ kind: 'failed', outcome: 'tls', error: { code }, connection: 'none' });
    expect(there.requests).toHaveLength(0);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)(
    'sends nothing to a receiver that speaks %s only: outcome tls',
    async (version) => {
      const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' };
      const there = await RawReceiver.start((socket) => socket.write(response('200 OK', 'ok')), {
        tls: { ...trusted, ...old },
      });
      ended.push(() => there.stop());
      // Somebody who still speaks it gets an answer there, so that it is the version that we refuse.
      const permissive = connectTls({ port: there.port, host: '127.0.0.1', ca: trusted.cert, ...old });
      await once(permissive, 'secureConnect');
      expect(permissive.getProtocol()).toBe(version);
      permissive.destroy();

      const result = await client().post(to(there.url('/', 'localhost')));
      expect(result).toMatchObject({
        kind: 'failed',
        outcome: 'tls',
        error: { code: 'TLS_HANDSHAKE_FAILED', message: expect.stringContaining('TLS 1.2 or newer') },
        connection: 'none',
      });
      expect(there.requests).toHaveLength(0);
    },
  );

  it('is a failed handshake when the port speaks no TLS: outcome tls', async () => {
    const plain = await RawReceiver.start(() => {});
    ended.push(() => plain.stop());
    const talking = createServer((socket) => socket.end('220 hello\r\n').on('error', () => {}));
    talking.listen(0, '127.0.0.1');
    await once(talking, 'listening');
    ended.push(async () => void talking.close());
    const url = `https://localhost:${(talking.address() as AddressInfo).port}/`;
    expect(await client().post(to(url))).toMatchObject({
      outcome: 'tls',
      error: { code: 'TLS_HANDSHAKE_FAILED' },
    });
  });

  it('gives the handshake the connect deadline: outcome timeout', async () => {
    const mute = await RawReceiver.start(() => {});
    ended.push(() => mute.stop());
    const url = `https://localhost:${mute.port}/`;
    expect(await client().post(to(url, { connectTimeoutMs: 150 }))).toMatchObject({
      outcome: 'timeout',
      error: { code: 'CONNECT_TIMEOUT', message: expect.stringContaining('TLS handshake') },
    });
  });
});
