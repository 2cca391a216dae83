import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CuttableWay } from './cuttable-way.js';

/**
 * A way to the test database that a test can cut: connections break and new ones are refused, as when the
 * server is gone, while other tests go on using it.
 */
export class CuttableDatabase {
  private constructor(
    private readonly folder: string,
    private readonly way: CuttableWay,
    readonly url: string,
  ) {}

  /** @param url of a test database, which names the folder of the server's socket */
  static async inFrontOf(url: string): Promise<CuttableDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'entrega-cut-'));
    const cuttable = new URL(url);
    const target = join(cuttable.searchParams.get('host') ?? '', SOCKET_NAME);
    cuttable.searchParams.set('host', folder);
    const way = new CuttableWay({ path: join(folder, SOCKET_NAME) }, { path: target });
    await way.mend();
    return new CuttableDatabase(folder, way, cuttable.href);
  }

  mend(): Promise<void> {
    return this.way.mend();
  }

  cut(): Promise<void> {
    return this.way.cut();
  }

  async remove(): Promise<void> {
    await this.cut();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const SOCKET_NAME = '.s.PGSQL.5432';
