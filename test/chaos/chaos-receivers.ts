import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ChaosApplication } from './applications.js';

/** What a receiver may answer instead of a response; by no means all a 2xx. */
export const GARBAGE = [
  'no-http',
  'reset',
  'endless-body',
  'odd-headers',
  'redirect',
  'half-a-header',
] as const;
export type Garbage = (typeof GARBAGE)[number];

export interface Receipt {
  /** By the monotonic clock of this process. */
  readonly atMs: number;
  /** A 2xx was sent, so the event must not come again, but for a fault. */
  readonly acknowledged: boolean;
}

/** The endpoints of all applications, on one port, a path each: what came, when, and what it was answered. */
export class ChaosReceivers {
  /** By application, then by event. */
  readonly receipts = new Map<string, Map<string, Receipt[]>>();
  /** Requests that name no event of ours: none may come. */
  strangers = 0;
  acknowledged = 0;
  private readonly garbage = new Map<string, Garbage>();
  private readonly healed = new Set<string>();
  private readonly manners: ReadonlyMap<string, ChaosApplication>;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    applications: readonly ChaosApplication[],
  ) {
    this.manners = new Map(applications.map((application) => [application.id, application]));
    for (const { id } of applications) this.receipts.set(id, new Map());
  }

  static async start(applications: readonly ChaosApplication[]): Promise<ChaosReceivers> {
    const server = createServer();
    const receivers = new ChaosReceivers(server, applications);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.on('error', () => undefined).resume();
      request.once('end', () => receivers.take(request, response));
    });
    server.on('connection', (socket: Socket) => {
      receivers.sockets.add(socket);
      socket.on('close', () => receivers.sockets.delete(socket)).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  urlOf(application: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${application}`;
  }

  /** It answers garbage, or again what its manner is (null). */
  setGarbage(application: string, garbage: Garbage | null): void {
    if (garbage === null) this.garbage.delete(application);
    else this.garbage.set(application, garbage);
  }

  /** A refusing one acknowledges, or refuses again. */
  setHealed(application: string, healed: boolean): void {
    if (healed) this.healed.add(application);
    else this.healed.delete(application);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const application = this.manners.get((request.url ?? '').slice(1));
    const event = request.headers['x-tffiscal-event-id'];
    if (!application || typeof event !== 'string') {
      this.strangers++;
      response.writeHead(404).end();
      return;
    }
    const acknowledged = this.answer(application, response);
    if (acknowledged) this.acknowledged++;
    const events = this.receipts.get(application.id)!;
    const receipt = { atMs: performance.now(), acknowledged };
    const before = events.get(event);
    if (before) before.push(receipt);
    else events.set(event, [receipt]);
  }

  /** Returns whether it was a 2xx. */
  private answer({ id, manner }: ChaosApplication, response: ServerResponse): boolean {
    const garbage = this.garbage.get(id);
    if (garbage !== undefined) {
      answerGarbage(garbage, response);
      return false;
    }
    if (manner === 'hanging') return false;
    if (manner === 'refusing' && !this.healed.has(id)) {
      response.writeHead(500).end('no');
      return false;
    }
    response.writeHead(200).end('ok');
    return true;
  }
}

const ENDLESS_CHUNK = Buffer.alloc(16 * 1024, 'x');

/** None of it is a complete 2xx. */
function answerGarbage(garbage: Garbage, response: ServerResponse): void {
  const { socket } = response;
  switch (garbage) {
    case 'no-http':
      socket?.end(Buffer.from([0, 255, 254, 13, 10, 7, 200, 13, 10, 13, 10]));
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'endless-body': {
      response.writeHead(500);
      const more = () => {
        while (!response.destroyed && response.write(ENDLESS_CHUNK));
      };
      response.on('drain', more).on('error', () => undefined);
      more();
      return;
    }
    case 'odd-headers':
      socket?.end(
        Buffer.from(
          'HTTP/1.1 503 \xff\xfe\r\nRetry-After: tomorrow\r\nX-\xe9: \x01\r\n\r\n\x00\x01',
          'latin1',
        ),
      );
      return;
    case 'redirect':
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
      return;
    case 'half-a-header':
      socket?.write('HTTP/1.1 200 OK\r\nContent-Le');
      return;
  }
}
