import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcesses } from '../measure/process-stat.js';
import { onlyChildOf } from '../measure/process-tree.js';
import type { CaretakerProcess } from './caretaker-process.js';
import { removeDataDir } from './data-dir-removal.js';
import type { Platform } from './platform.js';
import { type ProductBuild, ProductProcess } from './product-process.js';

/** `npm start` with an empty `DATA_DIR`: one process and its own PostgreSQL, with the settings it gives it. */
export async function startStandalone(build: ProductBuild, caretaker: CaretakerProcess): Promise<Platform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrega-bench-'));
  caretaker.minds({ dataDir });
  const folder = await mkdtemp(join(tmpdir(), 'entrega-bench-log-'));
  caretaker.minds({ folder });
  const adminKey = randomBytes(24).toString('hex');
  const standalone = await ProductProcess.start({
    build,
    role: 'standalone',
    env: { DATA_DIR: dataDir, ADMIN_KEY: adminKey, ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' },
    folder,
  });
  caretaker.minds({ process: standalone.pid });
  const postmaster = onlyChildOf(standalone.pid, readProcesses());
  return {
    publishOrigin: standalone.url,
    adminOrigin: standalone.url,
    adminKey,
    trees: {
      standalone: { root: standalone.pid, without: [postmaster] },
      postgresql: { root: postmaster, without: [] },
    },
    end: async () => {
      await standalone.end();
      await removeDataDir(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
    lastWords: () => standalone.lastWords(),
  };
}
