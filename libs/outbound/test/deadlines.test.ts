import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboundClient } from '../src/outbound-client.js';
import type { OutboundRequest } from '../src/outbound-result.js';
import { startNeverAccepting } from '../../../test/receivers/never-accepting.js';
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

/** Writes one byte, then the next once some time has passed, until the socket is gone. */
function drip(socket: Socket, text: string): void {
  let index = 0;
  const timer = setInterval(() => socket.write(text[index++ % text.length] ?? ''), 20);
  socket.on('close', () => clearInterval(timer));
}

describe('deadlines (TF-32, lessons: one deadline over everything)', () => {
  it('cuts a receiver that never answers, after the response deadline', async () => {
    const there = await receiver(() => {});
    const result = await client().post(to(there.url(), { responseTimeoutMs: 150 }));
    expect(result).toMatchObject({
      kind: 'failed',
      outcome: 'timeout',
      httpStatus: null,
      error: { code: 'RESPONSE_TIMEOUT', message: expect.stringContaining(`127.0.0.1:${there.port}`) },
      remoteAddress: '127.0.0.1',
      connection: 'new',
    });
    expect(result.kind === 'failed' && result.durationMs).toBeGreaterThanOrEqual(145);
    expect(result.kind === 'failed' && result.durationMs).toBeLessThan(600);
    await until(() => there.openSockets.length === 0);
  });

  it('cuts response headers that drip a byte at a time', async () => {
    const there = await receiver((socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    );
    const result = await client().post(to(there.url(), { responseTimeoutMs: 200 }));
    expect(result).toMatchObject({ kind: 'failed', outcome: 'timeout', error: { code: 'RESPONSE_TIMEOUT' } });
    await until(() => there.openSockets.length === 0);
  });

  it('is delivered by 2xx headers in time although the body drips, and cuts the body at the deadline', async () => {
    const there = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      drip(socket, 'x');
    });
    const startedAt = performance.now();
    const result = await client().post(to(there.url(), { responseTimeoutMs: 200 }));
    expect(performance.now() - startedAt).toBeLessThan(700);
    expect(result).toMatchObject({
      kind: 'answered',
      outcome: 'success',
      responseSummary: expect.stringMatching(/^x+$/),
    });
    await until(() => there.openSockets.length === 0);
  });

  it('counts 2xx headers just before the deadline', async () => {
    const there = await receiver((socket) => setTimeout(() => socket.write(response('200 OK')), 250));
    expect(await client().post(to(there.url(), { responseTimeoutMs: 400 }))).toMatchObject({
      outcome: 'success',
    });
  });

  it('does not blame a receiver whose answer lay unread while this process was busy', async () => {
    const answering = spawn(process.execPath, [
      '-e',
      `const server = require('node:http').createServer((request, response) => response.end('ok'));
       server.listen(0, '127.0.0.1', () => console.log(server.address().port));`,
    ]);
    ended.push(async () => {
      answering.kill();
      await once(answering, 'close');
    });
    const [port] = (await once(answering.stdout, 'data')) as [Buffer];
    const ours = client();
    const url = `http://127.0.0.1:${Number(port.toString())}/`;
    await ours.post(to(url));
    const result = ours.post(to(url, { responseTimeoutMs: 60 }));
    // The request leaves in the next turn of the event loop; then nothing runs until past the deadline.
    setImmediate(() =>
      setImmediate(() => {
        for (const busyUntil = performance.now() + 300; performance.now() < busyUntil;);
      }),
    );
    expect(await result).toMatchObject({ kind: 'answered', outcome: 'success', connection: 'reused' });
  });

  it('gives the connect deadline to a receiver that never accepts, apart from the response deadline', async () => {
    const { port, stop } = await startNeverAccepting();
    ended.push(stop);
    const result = await client().post(to(`http://127.0.0.1:${port}/`, { connectTimeoutMs: 150 }));
    expect(result).toMatchObject({
      kind: 'failed',
      outcome: 'timeout',
      error: { code: 'CONNECT_TIMEOUT', message: expect.stringContaining('within 150 ms') },
      connection: 'none',
    });
    expect(result.kind === 'failed' && result.durationMs).toBeLessThan(700);
  });

  it('starts the response deadline when the request is sent, not when the connection is begun', async () => {
    const there = await receiver((socket) => setTimeout(() => socket.write(response('200 OK')), 200));
    const result = await client().post(to(there.url(), { connectTimeoutMs: 100, responseTimeoutMs: 1_000 }));
    expect(result).toMatchObject({ outcome: 'success' });
  });

  it('ends an attempt whose receiver accepts and does not read, within both deadlines', async () => {
    const there = await receiver(() => {});
    const ours = client();
    const posting = ours.post(
      to(there.url(), {
        body: Buffer.alloc(32 * 1024 * 1024),
        connectTimeoutMs: 200,
        responseTimeoutMs: 200,
      }),
    );
    await until(() => there.openSockets.length === 1, { intervalMs: 1 });
    there.openSockets[0]?.pause();
    const result = await posting;
    expect(result).toMatchObject({ kind: 'failed', outcome: 'timeout', error: { code: 'RESPONSE_TIMEOUT' } });
    expect(result.kind === 'failed' && result.durationMs).toBeLessThan(1_000);
  });
});
