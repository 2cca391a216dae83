import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboundClient, type OutboundClientOptions } from '../src/outbound-client.js';
import type { OutboundRequest } from '../src/outbound-result.js';
import { RawReceiver, response, type Behaviour } from '../../../test/receivers/raw-receiver.js';
import { until } from '../../../test/support/until.js';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function receiver(behave: Behaviour, host = '127.0.0.1'): Promise<RawReceiver> {
  const started = await RawReceiver.start(behave, { host });
  ended.push(() => started.stop());
  return started;
}

function client(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const made = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8', '::1/128'], ...options });
  ended.unshift(() => made.close());
  return made;
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

const acknowledge: Behaviour = (socket) => socket.write(response('200 OK', 'ok'));

describe('the request on the wire', () => {
  it('sends header names in the given casing and order, once each, and the body byte for byte (TF-30, lessons: O#982)', async () => {
    const there = await receiver(acknowledge);
    const headers = [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['X-Tffiscal-Event', 'invoice.authorized'],
      ['X-Tffiscal-Event-Id', 'e-1'],
      ['x-TOKEN', 'tok en'],
      ['token', 'tok en'],
    ] as const;
    const body = Buffer.from('{"valor":1.10,"texto":"não"}');
    await client().post(to(there.url('/h%C3%A9/a?b=c&d=%20'), { headers, body }));

    const [request] = there.requests;
    const lines = request?.head.trimEnd().split('\r\n') ?? [];
    expect(lines[0]).toBe('POST /h%C3%A9/a?b=c&d=%20 HTTP/1.1');
    const sent = lines.slice(1);
    const ofHttp = /^(host|connection|content-length):/;
    expect(sent.filter((line) => !ofHttp.test(line))).toEqual(
      headers.map(([name, value]) => `${name}: ${value}`),
    );
    expect(sent.filter((line) => ofHttp.test(line)).sort()).toEqual([
      'connection: keep-alive',
      `content-length: ${body.length}`,
      `host: 127.0.0.1:${there.port}`,
    ]);
    expect(request?.body.equals(body)).toBe(true);
  });

  it('sends a content length of 0 for an empty body, and brackets in the host of an IPv6 address', async () => {
    const there = await receiver(acknowledge, '::1');
    const result = await client().post(to(there.url(), { body: Buffer.alloc(0) }));
    expect(result).toMatchObject({ kind: 'answered', outcome: 'success', remoteAddress: '::1' });
    expect(there.requests[0]?.head).toContain(`host: [::1]:${there.port}\r\n`);
    expect(there.requests[0]?.head).toContain('content-length: 0\r\n');
  });

  it('sends a body of 256 KiB to a receiver that reads it late', async () => {
    const there = await receiver(acknowledge);
    const body = Buffer.alloc(256 * 1024, 'x');
    const result = await client().post(to(there.url(), { body }));
    expect(result).toMatchObject({ kind: 'answered', outcome: 'success' });
    expect(there.requests[0]?.body.equals(body)).toBe(true);
  });

  it('is a fault of ours, without the value, when a header cannot be sent', async () => {
    const there = await receiver(acknowledge);
    const result = await client().post(to(there.url(), { headers: [['token', 'secret\r\nx: y']] }));
    expect(result).toMatchObject({ kind: 'fault', error: { code: 'REQUEST_NOT_SENT' } });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(there.requests).toHaveLength(0);
  });

  it.each(['', 'nowhere', 'ftp://127.0.0.1/', 'http://'])(
    'is a fault of ours when the URL is %j',
    async (url) => {
      expect(await client().post(to(url))).toMatchObject({ kind: 'fault', error: { code: 'INVALID_URL' } });
    },
  );
});

describe('what an answer means', () => {
  it.each([
    [200, 'success'],
    [201, 'success'],
    [204, 'success'],
    [299, 'success'],
    [304, 'http_3xx'],
    [401, 'http_auth'],
    [403, 'http_auth'],
    [404, 'http_4xx'],
    [429, 'http_429'],
    [500, 'http_5xx'],
    [503, 'http_5xx'],
    [600, 'protocol'],
  ])('takes %i as %s (TF-32)', async (status, outcome) => {
    const there = await receiver((socket) => socket.write(response(`${status} Whatever`)));
    const result = await client().post(to(there.url()));
    expect(result).toMatchObject({
      kind: 'answered',
      httpStatus: status,
      outcome,
      error: null,
      connection: 'new',
    });
  });

  it.each(['301', '302', '303', '307', '308'])(
    'does not follow a %s (TF-32, lessons: redirects)',
    async (status) => {
      const elsewhere = await receiver(acknowledge);
      const there = await receiver((socket) =>
        socket.write(response(`${status} Moved`, '', `Location: ${elsewhere.url()}`)),
      );
      expect(await client().post(to(there.url()))).toMatchObject({ kind: 'answered', outcome: 'http_3xx' });
      expect(elsewhere.connectionCount).toBe(0);
      expect(there.requests).toHaveLength(1);
    },
  );

  it('gives summary, headers and Retry-After back (TF-36)', async () => {
    const body = 'zu viel\n'.repeat(400);
    const there = await receiver((socket) =>
      socket.write(response('429 Too Many', body, 'retry-AFTER: 12', 'Retry-After: 99', 'X-Trace: a')),
    );
    const result = await client().post(to(there.url()));
    expect(result).toMatchObject({
      kind: 'answered',
      outcome: 'http_429',
      retryAfterMs: 12_000,
      remoteAddress: '127.0.0.1',
      responseSummary: 'zu viel '.repeat(128),
      responseHeaders: [
        ['retry-AFTER', '12'],
        ['Retry-After', '99'],
        ['X-Trace', 'a'],
        ['Content-Length', String(body.length)],
      ],
    });
  });

  it('asks for no compression and decompresses nothing', async () => {
    const there = await receiver((socket) =>
      socket.write(response('200 OK', 'not gzip', 'Content-Encoding: gzip')),
    );
    const result = await client().post(to(there.url()));
    expect(result).toMatchObject({ outcome: 'success', responseSummary: 'not gzip' });
    expect(there.requests[0]?.head.toLowerCase()).not.toContain('accept-encoding');
  });
});

describe('connections (lessons: O#1017)', () => {
  it('reuses one connection for attempts one after another', async () => {
    const there = await receiver(acknowledge);
    const ours = client();
    const uses: string[] = [];
    for (let count = 0; count < 20; count++) {
      const result = await ours.post(to(there.url()));
      uses.push(result.kind === 'fault' ? 'fault' : result.connection);
    }
    expect(uses).toEqual(['new', ...Array<string>(19).fill('reused')]);
    expect(there.connectionCount).toBe(1);
  });

  it('opens as many as run at once, and no more later', async () => {
    const there = await receiver(acknowledge);
    const ours = client();
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 40 }, () => ours.post(to(there.url()))));
    }
    expect(there.requests).toHaveLength(200);
    expect(there.connectionCount).toBe(40);
  });

  it('shares connections among the endpoints of an origin, whatever their paths', async () => {
    const there = await receiver(acknowledge);
    const ours = client();
    for (const path of ['/a', '/b', '/c?d']) await ours.post(to(there.url(path)));
    expect(there.connectionCount).toBe(1);
  });

  it.each([
    { maxIdleConnectionsPerOrigin: 2, maxIdleConnections: 100, kept: 8 },
    { maxIdleConnectionsPerOrigin: 2, maxIdleConnections: 5, kept: 5 },
  ])(
    'keeps idle connections within its bounds, per origin and in all: $kept of 24',
    async ({ kept, ...bounds }) => {
      const receivers = await Promise.all([1, 2, 3, 4].map(() => receiver(acknowledge)));
      const ours = client(bounds);
      const posts = receivers.flatMap((there) => Array.from({ length: 6 }, () => ours.post(to(there.url()))));
      await Promise.all(posts);
      expect(ours.stats).toEqual({ inFlight: 0, idleConnections: kept });
      await until(() => receivers.flatMap((there) => there.openSockets).length === kept);
      for (const there of receivers) expect(there.openSockets.length).toBeLessThanOrEqual(2);
    },
  );

  it('leaves nothing behind for 300 dead endpoints', async () => {
    const gone = await receiver(acknowledge);
    const port = gone.port;
    await gone.stop();
    const ours = client({ allowPrivateCidrs: ['127.0.0.0/8'] });
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        ours.post(to(`http://127.0.${index >> 8}.${index & 255}:${port}/`)),
      ),
    );
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['failed']));
    expect(ours.stats).toEqual({ inFlight: 0, idleConnections: 0 });
  });

  it('closes a connection that the receiver asks to close', async () => {
    const there = await receiver((socket) => socket.write(response('200 OK', 'ok', 'Connection: close')));
    const ours = client();
    for (let count = 0; count < 3; count++) {
      expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'success', connection: 'new' });
    }
    expect(there.connectionCount).toBe(3);
  });

  it('drops an idle connection that its receiver closes, unnoticed by the next attempt', async () => {
    const there = await receiver(acknowledge);
    const ours = client();
    await ours.post(to(there.url()));
    for (const socket of there.openSockets) socket.end();
    await until(() => ours.stats.idleConnections === 0);
    expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'success', connection: 'new' });
  });

  it('ends what runs as a fault, and every connection, when it is closed', async () => {
    const silent = await receiver(() => {});
    const there = await receiver(acknowledge);
    const ours = client();
    await ours.post(to(there.url()));
    const running = ours.post(to(silent.url()));
    await until(() => silent.requests.length === 1);
    await ours.close();
    expect(await running).toMatchObject({ kind: 'fault', error: { code: 'ABORTED' } });
    expect(await ours.post(to(there.url()))).toMatchObject({ kind: 'fault', error: { code: 'ABORTED' } });
    await until(() => silent.openSockets.length + there.openSockets.length === 0);
  });

  it('breaks off hundreds of attempts that share a signal, and only those', async () => {
    const silent = await receiver(() => {});
    const ours = client();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const shutDown = new AbortController();
    const other = new AbortController();
    const running = Array.from({ length: 200 }, () =>
      ours.post(to(silent.url(), { signal: shutDown.signal })),
    );
    const spared = ours.post(to(silent.url(), { signal: other.signal, responseTimeoutMs: 500 }));
    await until(() => silent.requests.length === 201);
    shutDown.abort();
    for (const result of await Promise.all(running)) {
      expect(result).toMatchObject({ kind: 'fault', error: { code: 'ABORTED' } });
    }
    expect(await spared).toMatchObject({ kind: 'failed', outcome: 'timeout' });
    expect(await ours.post(to(silent.url(), { signal: shutDown.signal }))).toMatchObject({ kind: 'fault' });
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
