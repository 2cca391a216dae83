import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A request as it came over the wire. */
export interface RawRequest {
  /** From the request line to the blank line, byte for byte. */
  readonly head: string;
  readonly body: Buffer;
  /** Which connection brought it, from 1. */
  readonly connection: number;
  /** Which request of that connection it is, from 1. */
  readonly onConnection: number;
}

/** What to do once a request is complete. */
export type Behaviour = (socket: Socket, request: RawRequest) => void;

/** An HTTP/1.1 response with a length, and any further header lines as given. */
export function response(status: string, body = '', ...headerLines: string[]): string {
  const head = [`HTTP/1.1 ${status}`, ...headerLines, `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * A receiver that records raw bytes and answers with raw bytes, so that it can misbehave in any way. Listens on
 * 127.0.0.1 (or `host`), on a port of the system's choice.
 */
export class RawReceiver {
  readonly requests: RawRequest[] = [];
  connectionCount = 0;
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  private constructor(
    private readonly behave: Behaviour,
    private readonly host: string,
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start(
    behave: Behaviour,
    options: { host?: string; tls?: TlsOptions; port?: number } = {},
  ): Promise<RawReceiver> {
    const receiver = new RawReceiver(behave, options.host ?? '127.0.0.1', options.tls ? 'https' : 'http');
    const accept = (socket: Socket) => receiver.accept(socket);
    receiver.server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
    // A client that refuses our certificate ends the handshake; that is what such a test wants.
    receiver.server.on('tlsClientError', () => {});
    receiver.server.listen(options.port ?? 0, receiver.host);
    await once(receiver.server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/', hostname = this.host.includes(':') ? `[${this.host}]` : this.host): string {
    return `${this.scheme}://${hostname}:${this.port}${path}`;
  }

  get openSockets(): readonly Socket[] {
    return [...this.sockets];
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    const connection = ++this.connectionCount;
    let onConnection = 0;
    let unread: Buffer = Buffer.alloc(0);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // Resets are part of what these tests provoke.
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (;;) {
        const headEnd = unread.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        const head = unread.toString('latin1', 0, headEnd + 4);
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
        if (unread.length < headEnd + 4 + length) return;
        const body = unread.subarray(headEnd + 4, headEnd + 4 + length);
        unread = unread.subarray(headEnd + 4 + length);
        const request = { head, body, connection, onConnection: ++onConnection };
        this.requests.push(request);
        this.behave(socket, request);
      }
    });
  }
}
