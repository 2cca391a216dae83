import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TlsOptions } from 'node:tls';
import type { TestAuthority } from '../support/tls.js';
import { startNeverAccepting } from './never-accepting.js';
import { RawReceiver, response, type Behaviour } from './raw-receiver.js';

/** What comes of a delivery to it, as its attempt says. */
export interface HostileOutcome {
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
}

export interface RunningReceiver {
  readonly url: string;
  stop(): Promise<unknown>;
}

export interface HostileReceiver {
  readonly what: string;
  readonly expected: HostileOutcome;
  start(): Promise<RunningReceiver>;
}

const ok: HostileOutcome = { outcome: 'success', httpStatus: 200, errorCode: null };
const answered = (outcome: string, httpStatus: number): HostileOutcome => ({
  outcome,
  httpStatus,
  errorCode: null,
});
const failed = (outcome: string, errorCode: string): HostileOutcome => ({
  outcome,
  httpStatus: null,
  errorCode,
});
const silence = failed('timeout', 'RESPONSE_TIMEOUT');
const noHttp = failed('protocol', 'RESPONSE_NOT_HTTP');
const tooLarge = failed('protocol', 'RESPONSE_HEADERS_TOO_LARGE');

function raw(what: string, expected: HostileOutcome, behave: Behaviour): HostileReceiver {
  return {
    what,
    expected,
    start: async () => {
      const receiver = await RawReceiver.start(behave);
      return { url: receiver.url('/hook'), stop: () => receiver.stop() };
    },
  };
}

/** Sends this text, or these bytes. */
function says(what: string, expected: HostileOutcome, answer: string | Buffer): HostileReceiver {
  return raw(what, expected, (socket) => socket.write(answer));
}

/** Receivers over plain HTTP. */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  {
    what: 'never accepts the connection',
    expected: failed('timeout', 'CONNECT_TIMEOUT'),
    start: async () => {
      const { port, stop } = await startNeverAccepting();
      return { url: `http://127.0.0.1:${port}/hook`, stop };
    },
  },
  raw('accepts and says nothing', silence, () => {}),
  raw('drips its headers', silence, (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ', 'a')),
  raw('drips its body', ok, (socket) =>
    drip(socket, `HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n`, 'x'),
  ),
  raw('sends a body without end', ok, (socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n', 'z'.repeat(64 * 1024)),
  ),
  raw('sends an error page without end', answered('http_5xx', 500), (socket) =>
    flood(
      socket,
      'HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n',
      `400\r\n${'z'.repeat(1024)}\r\n`,
    ),
  ),
  says('sends a gzip bomb', ok, gzipBomb()),
  says('sends 103 first', ok, `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${response('200 OK')}`),
  says('sends 103 and no more', silence, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  raw('sends 103s without end', tooLarge, (socket) =>
    flood(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
  ),
  says('sends an unasked 100 first', ok, `HTTP/1.1 100 Continue\r\n\r\n${response('200 OK')}`),
  says('sends an unasked 100 and no more', silence, 'HTTP/1.1 100 Continue\r\n\r\n'),
  raw('closes short of its Content-Length', ok, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'),
  ),
  says('sends less than its Content-Length', ok, 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'),
  says('sends more than its Content-Length', ok, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nmore than two'),
  says(
    'sends a length beside chunks',
    noHttp,
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ),
  says('sends two lengths', noHttp, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'),
  says('sends a length that is none', noHttp, 'HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok'),
  says('sends garbage after its response', ok, `${response('200 OK', 'ok')}\x00garbage\r\n\r\nmore`),
  says('sends two responses', ok, `${response('200 OK')}${response('500 Smuggled')}`),
  raw('sends headers without end', tooLarge, (socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\n', `X-Filler: ${'a'.repeat(1_000)}\r\n`.repeat(50)),
  ),
  says('sends thousands of tiny headers', tooLarge, `HTTP/1.1 200 OK\r\n${'a:\r\n'.repeat(16_000)}\r\n`),
  raw('sends a status line without end', tooLarge, (socket) =>
    flood(socket, 'HTTP/1.1 200 ', 'a'.repeat(64 * 1024)),
  ),
  says(
    'sends bytes that are not ASCII in status line and headers',
    ok,
    Buffer.from(
      'HTTP/1.1 200 S\xed\xff\xfe\r\nX-Nome: jo\xe3o\x80\xff\r\nContent-Length: 0\r\n\r\n',
      'latin1',
    ),
  ),
  says('sends control bytes in its status line', ok, 'HTTP/1.1 200 \x1b[2J\x07\r\nContent-Length: 0\r\n\r\n'),
  says('sends NUL in a header', noHttp, 'HTTP/1.1 200 OK\r\nX-Nul: a\x00b\r\nContent-Length: 0\r\n\r\n'),
  says('sends a bare CR in a header', noHttp, 'HTTP/1.1 200 OK\r\nX-Cr: a\rb\r\nContent-Length: 0\r\n\r\n'),
  says(
    'sends control bytes as header name',
    noHttp,
    'HTTP/1.1 200 OK\r\n\x01\x7f: b\r\nContent-Length: 0\r\n\r\n',
  ),
  says('folds a header', noHttp, 'HTTP/1.1 200 OK\r\nX-Fold: a\r\n b\r\nContent-Length: 0\r\n\r\n'),
  says('says something that is no HTTP', noHttp, 'SSH-2.0-OpenSSH_9.6\r\n'),
  raw('closes a kept-alive connection as it is reused', ok, (socket, { onConnection }) => {
    if (onConnection === 1) socket.write(response('200 OK'));
    else socket.destroy();
  }),
  raw('answers with HTTP/1.0', ok, (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nolder')),
  says('has no content and sends some', answered('success', 204), 'HTTP/1.1 204 No Content\r\n\r\nbut still'),
  says(
    'has no content and sends its length',
    answered('success', 204),
    'HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\nbut still',
  ),
  raw('resets once it has the request', failed('reset', 'CONNECTION_RESET'), (socket) =>
    socket.resetAndDestroy(),
  ),
  raw('resets within its headers', failed('reset', 'CONNECTION_RESET'), (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nX-Ha', () => socket.resetAndDestroy()),
  ),
  raw('closes without an answer', failed('reset', 'CONNECTION_CLOSED'), (socket) => socket.end()),
  says('switches protocols', noHttp, 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
];

/** Receivers that send the delivery on to another place, which must never hear of it. */
export function redirectingReceivers(location: string): readonly HostileReceiver[] {
  return [301, 302, 303, 307, 308].map((status) =>
    says(
      `redirects with ${status}`,
      answered('http_3xx', status),
      response(`${status} Elsewhere`, '', `Location: ${location}`),
    ),
  );
}

/** Receivers over TLS, none of which may get the request. */
export const HOSTILE_TLS_RECEIVERS: readonly (Omit<HostileReceiver, 'start'> & {
  start(authority: TestAuthority): Promise<RunningReceiver>;
})[] = [
  {
    what: 'shows a certificate that has expired',
    expected: failed('tls', 'CERTIFICATE_EXPIRED'),
    start: async (authority) => secured(await authority.expiredIdentity()),
  },
  {
    what: 'shows a certificate that it signed itself',
    expected: failed('tls', 'CERTIFICATE_UNTRUSTED'),
    start: async (authority) => secured(await authority.selfSignedIdentity()),
  },
  {
    what: 'shows a certificate for another name',
    expected: failed('tls', 'CERTIFICATE_NAME_MISMATCH'),
    start: async (authority) => secured(await authority.identity('DNS:elsewhere.example')),
  },
  {
    what: 'speaks TLS 1.0 only',
    expected: failed('tls', 'TLS_HANDSHAKE_FAILED'),
    start: async (authority) =>
      secured({
        ...(await authority.identity()),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      }),
  },
  {
    what: 'speaks no TLS',
    expected: failed('tls', 'TLS_HANDSHAKE_FAILED'),
    start: () => plainly((socket) => socket.end('220 mail.example ESMTP\r\n')),
  },
  {
    what: 'resets within the handshake',
    expected: failed('tls', 'TLS_HANDSHAKE_FAILED'),
    start: () => plainly((socket) => socket.resetAndDestroy()),
  },
  {
    what: 'says nothing to the handshake',
    expected: failed('timeout', 'CONNECT_TIMEOUT'),
    start: () => plainly(() => {}),
  },
];

async function secured(tls: TlsOptions): Promise<RunningReceiver> {
  const receiver = await RawReceiver.start((socket) => socket.write(response('200 OK')), { tls });
  return { url: receiver.url('/hook', 'localhost'), stop: () => receiver.stop() };
}

/** Does this with whatever comes first of a handshake. */
async function plainly(act: (socket: Socket) => void): Promise<RunningReceiver> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => act(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/hook`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A byte at a time, ever again, until the socket is gone. */
function drip(socket: Socket, first: string, byte: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(byte), 20);
  socket.on('close', () => clearInterval(timer));
}

/** The same bytes ever again, as fast as they are read. */
function flood(socket: Socket, first: string, again: string): void {
  const bytes = Buffer.from(again);
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.write(first);
  socket.on('drain', more);
  more();
}

/** 16 KiB that would become 16 MiB. */
function gzipBomb(): Buffer {
  const body = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
