import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';
import { Database } from '#storage/database.js';
import { applyMigrations } from '#storage/migrate.js';
import { SecretBox } from '#storage/secret-box.js';
import type { CaretakerProcess } from '../processes/caretaker-process.js';
import { removeDataDir } from '../processes/data-dir-removal.js';
import type { Platform } from '../processes/platform.js';
import { type ProductBuild, ProductProcess } from '../processes/product-process.js';
import { writeHistory } from './history.js';

export interface GrowthPlatform extends Platform {
  /** To the product's database, for what the HTTP interface cannot do. */
  readonly database: Database;
}

/** Endpoints among which the history is spread. */
const ENDPOINTS = 5_000;
const QUIET = { info: () => undefined, warn: () => undefined };

/** The all-in-one process over the PostgreSQL that it would run itself, which already holds a month of deliveries. */
export async function startOnHistory(
  build: ProductBuild,
  caretaker: CaretakerProcess,
  deliveries: number,
  say: (line: string) => void,
): Promise<GrowthPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrega-bench-'));
  const folder = await mkdtemp(join(tmpdir(), 'entrega-bench-log-'));
  caretaker.minds({ dataDir });
  caretaker.minds({ folder });
  const ends = [() => rm(folder, { recursive: true, force: true }), () => removeDataDir(dataDir)];
  const endAll = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: QUIET });
    ends.push(() => postgres.stop());
    await applyMigrations(postgres.databaseUrl);
    const database = await Database.connect({
      url: postgres.databaseUrl,
      poolSize: 4,
      applicationName: 'entrega-bench',
      statementTimeoutMs: 0,
    });
    ends.push(() => database.close());
    const writing = performance.now();
    const encryptionKey = randomBytes(32);
    const credentials = new SecretBox([encryptionKey]).seal('endpoint-credentials', '{"token":"growth"}');
    await writeHistory(database, { deliveries, endpoints: ENDPOINTS, credentials, now: new Date() });
    say(`${deliveries} deliveries written in ${Math.round((performance.now() - writing) / 1_000)} s`);
    const adminKey = randomBytes(24).toString('hex');
    const standalone = await ProductProcess.start({
      build,
      role: 'standalone',
      env: {
        DATA_DIR: await mkdtemp(join(folder, 'data-')),
        DATABASE_URL: postgres.databaseUrl,
        ADMIN_KEY: adminKey,
        ENCRYPTION_KEY: encryptionKey.toString('base64'),
        ALLOW_PRIVATE_CIDRS: '127.0.0.0/8',
      },
      folder,
    });
    caretaker.minds({ process: standalone.pid });
    ends.push(() => standalone.end());
    return {
      publishOrigin: standalone.url,
      adminOrigin: standalone.url,
      adminKey,
      database,
      trees: {
        standalone: { root: standalone.pid, without: [] },
        postgresql: { root: postgres.pid, without: [] },
      },
      end: endAll,
      lastWords: () => standalone.lastWords(),
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}
