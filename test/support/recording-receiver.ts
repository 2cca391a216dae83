import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TlsIdentity } from './tls.js';

/** One delivery as it came in: exact header names in the order received, exact body bytes. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly at: Date;
}

/** How to answer: a status, or nothing at all. */
export type Answer =
  { status: number; headers?: Record<string, string>; body?: string; delayMs?: number } | 'hang';

export interface ReceiverOptions {
  /** Makes it an https receiver. */
  readonly tls?: TlsIdentity;
  /** One of the system's choice where it is absent. */
  readonly port?: number;
}

/** An endpoint as a receiver would run it, on loopback. It is the only thing that tests fake. */
export class RecordingReceiver {
  readonly received: Received[] = [];
  /** Requests being answered, and the most there were at once. */
  open = 0;
  mostOpen = 0;
  /** Decides the answer, now or later; change it at any time. */
  answer: (received: Received, index: number) => Answer | Promise<Answer> = () => ({ status: 200 });
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start({ tls, port = 0 }: ReceiverOptions = {}): Promise<RecordingReceiver> {
    const server = tls ? createHttpsServer(tls) : createServer();
    const receiver = new RecordingReceiver(server, tls ? 'https' : 'http');
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      receiver.take(request, response),
    );
    server.on('connection', (socket: Socket) => {
      receiver.sockets.add(socket);
      socket.on('close', () => receiver.sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return this.urlOf('/hook');
  }

  /** @param target path and query, exactly as the request shall name them */
  urlOf(target: string, host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}${target}`;
  }

  /** Values of one header over all deliveries received, in order. */
  headerValues(name: string): string[] {
    return this.received.map((received) => headerOf(received, name) ?? '');
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.on('close', () => this.open--);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const received: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: pairs(request.rawHeaders),
        body: Buffer.concat(chunks),
        at: new Date(),
      };
      this.received.push(received);
      void this.respond(response, this.answer(received, this.received.length - 1));
    });
  }

  private async respond(response: ServerResponse, decided: Answer | Promise<Answer>): Promise<void> {
    const answer = await decided;
    if (answer === 'hang') return;
    if (answer.delayMs !== undefined) await sleep(answer.delayMs);
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  }
}

export function headerOf(received: Pick<Received, 'headers'>, name: string): string | undefined {
  return received.headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index]!,
    rawHeaders[2 * index + 1]!,
  ]);
}
