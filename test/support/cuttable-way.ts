import {
  connect,
  createServer,
  type ListenOptions,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';

/** A way to a server that a test can cut: connections break and new ones are refused, as when the server is gone. */
export class CuttableWay {
  private server: Server | null = null;
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly from: ListenOptions,
    private readonly to: NetConnectOpts,
  ) {}

  async mend(): Promise<void> {
    const server = createServer((caller) => {
      const upstream = connect(this.to);
      for (const socket of [caller, upstream]) {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
      }
      caller.pipe(upstream).pipe(caller);
    });
    await new Promise<void>((resolve) => server.listen(this.from, resolve));
    this.server = server;
  }

  async cut(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
