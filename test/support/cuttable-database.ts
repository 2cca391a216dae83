import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A way to the test database that a test can cut: connections break and new ones are refused, as when the
 * server is gone, while other tests go on using it.
 */
export class CuttableDatabase {
  private server: Server | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly folder: string,
    private readonly target: string,
    readonly url: string,
  ) {}

  /** @param url of a test database, which names the folder of the server's socket */
  static async inFrontOf(url: string): Promise<CuttableDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'entrega-cut-'));
    const cuttable = new URL(url);
    const target = join(cuttable.searchParams.get('host') ?? '', SOCKET_NAME);
    cuttable.searchParams.set('host', folder);
    const database = new CuttableDatabase(folder, target, cuttable.href);
    await database.mend();
    return database;
  }

  async mend(): Promise<void> {
    const server = createServer((caller) => {
      const upstream = connect(this.target);
      for (const socket of [caller, upstream]) {
        this.sockets.add(socket);
        socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
      }
      caller.pipe(upstream).pipe(caller);
    });
    await new Promise<void>((resolve) => server.listen(join(this.folder, SOCKET_NAME), resolve));
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

  async remove(): Promise<void> {
    await this.cut();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const SOCKET_NAME = '.s.PGSQL.5432';
