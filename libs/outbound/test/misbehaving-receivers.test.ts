import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboundClient } from '../src/outbound-client.js';
import type { OutboundRequest } from '../src/outbound-result.js';
import { RawReceiver, response, type Behaviour } from '../../../test/receivers/raw-receiver.js';
import { until } from '../../../test/support/until.js';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function receiver(behave: Behaviour): Promise<RawReceiver> {
  const started = await RawReceiver.start(behave);
  ended.push(() => started.stop());
  return started;
}

function client(): OutboundClient {
  const made = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
  ended.unshift(() => made.close());
  return made;
}

function to(url: string, rest: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url,
    headers: [],
    body: Buffer.from('{}'),
    connectTimeoutMs: 1_500,
    responseTimeoutMs: 1_500,
    ...rest,
  };
}

describe('response bodies (lessons: O#974)', () => {
  it.each(['200 OK', '500 Oops'])(
    'reads 16 KiB of a huge body after a %s and drops the connection',
    async (status) => {
      let written = 0;
      const there = await receiver((socket) => {
        socket.write(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n`);
        const chunk = `1000\r\n${'z'.repeat(4096)}\r\n`;
        const more = () => {
          while (!socket.destroyed && written < 1e9) {
            written += 4096;
            if (!socket.write(chunk)) return;
          }
        };
        socket.on('drain', more);
        more();
      });
      const result = await client().post(to(there.url()));
      expect(result).toMatchObject({
        kind: 'answered',
        httpStatus: Number(status.slice(0, 3)),
        responseSummary: 'z'.repeat(1_024),
      });
      await until(() => there.openSockets.length === 0);
      expect(written).toBeLessThan(32 * 1024 * 1024);
    },
  );

  it('keeps the connection after a body of exactly 16 KiB', async () => {
    const there = await receiver((socket) => socket.write(response('200 OK', 'y'.repeat(16 * 1024))));
    const ours = client();
    await ours.post(to(there.url()));
    expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'success', connection: 'reused' });
    expect(there.connectionCount).toBe(1);
  });

  it.each<[string, Behaviour]>([
    ['is cut short', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf')],
    [
      'is reset',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf', () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
    ],
    [
      'has a broken chunk',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n'),
    ],
    ['has no length', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhalf')],
    ['comes by HTTP/1.0', (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nhalf')],
  ])('is delivered by 2xx headers although the body %s (TF-32)', async (_what, behave) => {
    const there = await receiver(behave);
    expect(await client().post(to(there.url()))).toMatchObject({
      kind: 'answered',
      outcome: 'success',
      responseSummary: 'half',
    });
  });

  it('takes bytes that are not UTF-8 as data', async () => {
    const there = await receiver((socket) =>
      socket.write(
        Buffer.concat([
          Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'),
          Buffer.from([0xff, 0x00, 0xc3, 0x28]),
        ]),
      ),
    );
    expect(await client().post(to(there.url()))).toMatchObject({
      outcome: 'success',
      responseSummary: '\ufffd\ufffd\ufffd(',
    });
  });
});

describe('anything a receiver answers is data (lessons: H f8c1659f)', () => {
  it('takes non-ASCII header bytes', async () => {
    const there = await receiver((socket) =>
      socket.write(
        Buffer.from(
          'HTTP/1.1 200 Tudo certo \xe7\r\nX-Nome: jo\xe3o\r\nX-\xfc: y\r\nContent-Length: 0\r\n\r\n',
          'latin1',
        ),
      ),
    );
    const result = await client().post(to(there.url()));
    // A header name may hold only tokens: that one response is not HTTP.
    expect(result).toMatchObject({
      kind: 'failed',
      outcome: 'protocol',
      error: { code: 'RESPONSE_NOT_HTTP' },
    });

    const value = await receiver((socket) =>
      socket.write(
        Buffer.from(
          'HTTP/1.1 200 Tudo certo \xe7\r\nX-Nome: jo\xe3o\r\n__proto__: a\r\nContent-Length: 0\r\n\r\n',
          'latin1',
        ),
      ),
    );
    expect(await client().post(to(value.url()))).toMatchObject({
      kind: 'answered',
      outcome: 'success',
      responseHeaders: [
        ['X-Nome', 'joão'],
        ['__proto__', 'a'],
        ['Content-Length', '0'],
      ],
    });
  });

  it.each<[string, string]>([
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['102 twice', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'],
    ['an unasked 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 with a header, then 103', 'HTTP/1.1 100\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('skips %s', async (_what, interim) => {
    for (const pieces of [1, interim.length]) {
      const there = await receiver((socket) => {
        const bytes = interim + response('200 OK', 'ok', 'X-Final: yes');
        if (pieces === 1) return void socket.write(bytes);
        socket.setNoDelay(true);
        let index = 0;
        const timer = setInterval(() => {
          socket.write(bytes.slice(index, index + 11));
          index += 11;
          if (index >= bytes.length) clearInterval(timer);
        }, 1);
      });
      const ours = client();
      for (const connection of ['new', 'reused']) {
        expect(await ours.post(to(there.url()))).toMatchObject({
          outcome: 'success',
          httpStatus: 200,
          responseSummary: 'ok',
          connection,
        });
      }
    }
  });

  it('waits no longer for interim responses without end', async () => {
    const there = await receiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await client().post(to(there.url(), { responseTimeoutMs: 150 }))).toMatchObject({
      outcome: 'timeout',
      error: { code: 'RESPONSE_TIMEOUT' },
    });
  });

  it.each<[string, string, string]>([
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'RESPONSE_NOT_HTTP'],
    ['is HTTP/2', '\x00\x00\x12\x04\x00\x00\x00\x00\x00', 'RESPONSE_NOT_HTTP'],
    [
      'switches protocols unasked',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      'RESPONSE_NOT_HTTP',
    ],
    [
      'has two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n',
      'RESPONSE_NOT_HTTP',
    ],
    [
      'breaks off in a header',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nbroken\u0001 \r\n\r\n',
      'RESPONSE_NOT_HTTP',
    ],
    [
      'has 20 KiB of headers',
      `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      'RESPONSE_HEADERS_TOO_LARGE',
    ],
  ])('fails with outcome protocol when the answer %s', async (_what, answer, code) => {
    const there = await receiver((socket) => socket.write(Buffer.from(answer, 'latin1')));
    expect(await client().post(to(there.url()))).toMatchObject({
      kind: 'failed',
      outcome: 'protocol',
      error: { code },
    });
  });

  it('shows what came instead of a response', async () => {
    const there = await receiver((socket) => socket.write('220 mail.example ESMTP\r\n'));
    expect(await client().post(to(there.url()))).toMatchObject({
      responseSummary: '220 mail.example ESMTP  ',
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['in the same packet', (socket) => socket.write(`${response('200 OK', 'ok')}garbage and more`)],
    [
      'a moment later',
      (socket) => {
        socket.write(response('200 OK', 'ok'));
        setTimeout(() => socket.write(response('500 Unasked')), 10);
      },
    ],
  ])(
    'drops a connection that says more than its response, %s, and gives no later attempt that answer',
    async (_when, behave) => {
      const there = await receiver(behave);
      const ours = client();
      expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'success', responseSummary: 'ok' });
      await until(() => there.openSockets.length === 0);
      expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'success', connection: 'new' });
    },
  );
});

describe('connections that break', () => {
  it('is refused: outcome connect', async () => {
    const gone = await receiver(() => {});
    const url = gone.url();
    await gone.stop();
    expect(await client().post(to(url))).toMatchObject({
      kind: 'failed',
      outcome: 'connect',
      error: {
        code: 'CONNECTION_REFUSED',
        message: expect.stringContaining(`127.0.0.1:${new URL(url).port} refused`),
      },
      remoteAddress: '127.0.0.1',
      connection: 'none',
      responseSummary: '',
    });
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['resets', 'CONNECTION_RESET', (socket) => socket.resetAndDestroy()],
    ['closes', 'CONNECTION_CLOSED', (socket) => socket.end()],
    ['closes within the headers', 'CONNECTION_CLOSED', (socket) => socket.end('HTTP/1.1 200 OK\r\nX-Half')],
  ])(
    'a fresh connection that the receiver %s is a failure, tried once: outcome reset',
    async (_what, code, behave) => {
      const there = await receiver(behave);
      expect(await client().post(to(there.url()))).toMatchObject({
        kind: 'failed',
        outcome: 'reset',
        error: { code },
        connection: 'new',
      });
      expect(there.requests).toHaveLength(1);
    },
  );

  it('is a failure when the receiver resets in the midst of the request: outcome reset', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.resetAndDestroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    const body = Buffer.alloc(32 * 1024 * 1024);
    const startedAt = performance.now();
    expect(await client().post(to(`http://127.0.0.1:${port}/`, { body }))).toMatchObject({
      kind: 'failed',
      outcome: 'reset',
      error: { code: 'CONNECTION_RESET' },
      connection: 'new',
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => socket.destroy()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])(
    'repeats at once on a fresh connection when a kept-alive one is %s before any response byte',
    async (_how, end) => {
      const there = await receiver((socket, request) => {
        if (request.onConnection === 1) socket.write(response('200 OK', 'ok'));
        else end(socket);
      });
      const ours = client();
      await Promise.all([1, 2, 3].map(() => ours.post(to(there.url()))));
      const body = Buffer.from('{"again":1}');
      const result = await ours.post(to(there.url(), { body }));
      expect(result).toMatchObject({ kind: 'answered', outcome: 'success', connection: 'reused-then-new' });
      // Not on another kept-alive connection, which may be as stale as the first.
      expect(there.connectionCount).toBe(4);
      expect(there.requests.slice(3).map((request) => request.body.toString())).toEqual([
        '{"again":1}',
        '{"again":1}',
      ]);
    },
  );

  it('repeats once only', async () => {
    const there = await receiver((socket, request) => {
      if (request.connection === 1 && request.onConnection === 1) socket.write(response('200 OK', 'ok'));
      else socket.resetAndDestroy();
    });
    const ours = client();
    await ours.post(to(there.url()));
    expect(await ours.post(to(there.url()))).toMatchObject({
      kind: 'failed',
      outcome: 'reset',
      connection: 'reused-then-new',
    });
    expect(there.requests).toHaveLength(3);
  });

  it('does not repeat once a byte of the response has come', async () => {
    const there = await receiver((socket, request) => {
      if (request.onConnection === 1) socket.write(response('200 OK', 'ok'));
      else socket.write('H', () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
    const ours = client();
    await ours.post(to(there.url()));
    expect(await ours.post(to(there.url()))).toMatchObject({ outcome: 'reset', connection: 'reused' });
    expect(there.requests).toHaveLength(2);
  });

  it('does not repeat when the connect deadline, which pays for it, is used up', async () => {
    const there = await receiver((socket, request) => {
      if (request.onConnection === 1) socket.write(response('200 OK', 'ok'));
      else setTimeout(() => socket.resetAndDestroy(), 200);
    });
    const ours = client();
    await ours.post(to(there.url()));
    expect(await ours.post(to(there.url(), { connectTimeoutMs: 100 }))).toMatchObject({
      outcome: 'reset',
      connection: 'reused',
    });
    expect(there.requests).toHaveLength(2);
  });

  it('reports the refusal when the receiver went away between two attempts', async () => {
    const there = await receiver((socket, request) => {
      if (request.onConnection === 1) return void socket.write(response('200 OK', 'ok'));
      void there.stop();
    });
    const ours = client();
    await ours.post(to(there.url()));
    expect(await ours.post(to(there.url()))).toMatchObject({
      outcome: 'connect',
      error: { code: 'CONNECTION_REFUSED' },
      connection: 'reused-then-new',
    });
  });
});
