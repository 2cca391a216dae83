import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as bytes: nothing that a client library would put right is put right. */
export interface RawRequest {
  readonly method: string;
  /** What stands between the method and the version. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly elapsedMs: number;
}

/**
 * Sends a request on a connection of its own and reads until it is closed; a request should ask for that.
 *
 * @throws when nothing, or what is no HTTP, is answered within `timeoutMs`
 */
export async function exchange(port: number, request: RawRequest, timeoutMs: number): Promise<RawAnswer> {
  const started = performance.now();
  const socket = connect(port, '127.0.0.1');
  const timer = setTimeout(() => socket.destroy(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    const lines = [
      `${request.method} ${request.target} HTTP/1.1`,
      ...request.headers.map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ];
    socket.write(Buffer.concat([Buffer.from(lines.join('\r\n')), request.body ?? Buffer.alloc(0)]));
    const answer = (await buffer(socket)).toString('utf8');
    return { ...parsed(answer), elapsedMs: performance.now() - started };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

function parsed(answer: string): Omit<RawAnswer, 'elapsedMs'> {
  const text = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (end === -1 || status === undefined)
    throw new Error(`This is no answer: ${JSON.stringify(answer.slice(0, 200))}`);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(status), headers: new Map(headers), body: text.slice(end + 4) };
}
