import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboundClient } from '../src/outbound-client.js';
import type { OutboundResult } from '../src/outbound-result.js';
import { RawReceiver } from '../../../test/receivers/raw-receiver.js';
import { until } from '../../../test/support/until.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** What this many attempts at once may add: some garbage that is not collected yet, and hardly anything held. */
const ATTEMPTS = 30;
const MEMORY_BOUND_BYTES = 24 * MIB;
const RESPONSE_TIMEOUT_MS = 3_000;

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

interface Flood {
  readonly what: string;
  /** Sent once. */
  readonly first: string | Buffer;
  /** Sent again and again, as fast as it is read. */
  readonly endless?: string | Buffer;
  readonly expected: object;
}

const TOO_LARGE = { kind: 'failed', outcome: 'protocol', error: { code: 'RESPONSE_HEADERS_TOO_LARGE' } };
const DELIVERED = { kind: 'answered', outcome: 'success', httpStatus: 200 };
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const tinyHeaders = 'a:\r\n'.repeat(16_000);

const FLOODS: readonly Flood[] = [
  {
    what: 'thousands of header lines of three characters',
    first: `HTTP/1.1 200 OK\r\n${tinyHeaders}Content-Length: 9\r\n\r\nx`,
    expected: TOO_LARGE,
  },
  {
    what: 'header lines without end',
    first: 'HTTP/1.1 200 OK\r\n',
    endless: `X-Filler: ${'a'.repeat(1_000)}\r\n`.repeat(60),
    expected: TOO_LARGE,
  },
  {
    what: 'a header without end',
    first: 'HTTP/1.1 200 OK\r\nX: ',
    endless: 'a'.repeat(64 * KIB),
    expected: TOO_LARGE,
  },
  {
    what: 'a status line without end',
    first: 'HTTP/1.1 200 ',
    endless: 'a'.repeat(64 * KIB),
    expected: TOO_LARGE,
  },
  {
    what: 'interim responses without end',
    first: '',
    endless: 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000),
    expected: TOO_LARGE,
  },
  {
    what: 'unasked 100s without end',
    first: '',
    endless: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000),
    expected: TOO_LARGE,
  },
  {
    what: 'a body without end',
    first: 'HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n',
    endless: 'z'.repeat(64 * KIB),
    expected: { ...DELIVERED, responseSummary: 'z'.repeat(1_024) },
  },
  {
    what: 'a chunk extension without end',
    first: `${CHUNKED}5;`,
    endless: 'x'.repeat(64 * KIB),
    expected: { ...DELIVERED, responseSummary: '' },
  },
  {
    what: 'chunks of one byte without end',
    first: CHUNKED,
    endless: '1\r\nx\r\n'.repeat(10_000),
    expected: { ...DELIVERED, responseSummary: expect.stringMatching(/^x+$/) },
  },
  {
    what: 'thousands of trailers',
    first: `${CHUNKED}2\r\nok\r\n0\r\n${tinyHeaders}`,
    expected: { ...DELIVERED, responseSummary: 'ok' },
  },
  {
    what: 'a gzip bomb',
    first: Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999999999\r\n\r\n'),
      gzipSync(Buffer.alloc(64 * MIB), { level: 9 }),
    ]),
    expected: { ...DELIVERED, responseSummary: expect.not.stringContaining('\0') },
  },
];

describe('a receiver that floods (lessons: O#974)', () => {
  it.each(FLOODS)(
    'with $what is cut off at once, and holds no memory',
    async ({ first, endless, expected }) => {
      const there = await flooding(Buffer.from(first), endless === undefined ? null : Buffer.from(endless));
      const client = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
      ended.unshift(() => client.close());
      const post = () =>
        client.post({
          url: there.url(),
          headers: [],
          body: Buffer.from('{}'),
          connectTimeoutMs: RESPONSE_TIMEOUT_MS,
          responseTimeoutMs: RESPONSE_TIMEOUT_MS,
        });
      const startedAt = performance.now();
      expect(await post()).toMatchObject(expected);
      // Well before the deadline: what is left of it would be spent on reading for nothing.
      expect(performance.now() - startedAt).toBeLessThan(RESPONSE_TIMEOUT_MS / 2);

      const before = memoryBytes();
      let most = before;
      const sampling = setInterval(() => (most = Math.max(most, memoryBytes())), 5);
      const results: OutboundResult[] = await Promise.all(Array.from({ length: ATTEMPTS }, post));
      clearInterval(sampling);
      most = Math.max(most, memoryBytes());
      for (const result of results) expect(result).toMatchObject(expected);
      expect(most - before).toBeLessThan(MEMORY_BOUND_BYTES);
      await until(() => there.openSockets.length === 0);
    },
  );

  it('is told from one that sends many headers, interim responses and chunks within reason', async () => {
    const headers = Array.from({ length: 200 }, (_, index) => `X-Header-${index}: ${'v'.repeat(40)}`);
    const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'.repeat(5);
    const body = 'line\n'.repeat(3_200);
    const chunks = body.match(/[^]{1,1000}/g)!.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const head = `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const there = await RawReceiver.start((socket) =>
      socket.write(`${interim}${head}${chunks.join('')}0\r\nX-Trailer: yes\r\n\r\n`),
    );
    ended.push(() => there.stop());
    const client = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
    ended.unshift(() => client.close());
    for (const connection of ['new', 'reused']) {
      const result = await client.post({
        url: there.url(),
        headers: [],
        body: Buffer.from('{}'),
        connectTimeoutMs: 1_000,
        responseTimeoutMs: 1_000,
      });
      expect(result).toMatchObject({ ...DELIVERED, connection });
    }
  });
});

async function flooding(first: Buffer, endless: Buffer | null): Promise<RawReceiver> {
  const there = await RawReceiver.start((socket: Socket) => {
    socket.write(first);
    if (endless === null) return;
    const more = () => {
      while (!socket.destroyed && socket.write(endless));
    };
    socket.on('drain', more);
    more();
  });
  ended.push(() => there.stop());
  return there;
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
