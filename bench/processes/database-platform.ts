import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';
import { Database } from '#storage/database.js';
import { applyMigrations } from '#storage/migrate.js';
import type { CaretakerProcess } from './caretaker-process.js';
import { removeDataDir } from './data-dir-removal.js';
import type { Platform } from './platform.js';
import { type ProductBuild, ProductProcess } from './product-process.js';

export interface DatabasePlatform extends Platform {
  /** To the product's database, for what the HTTP interface cannot do. */
  readonly database: Database;
}

export interface DatabasePlatformOptions {
  /** What the database holds before the product starts. */
  readonly fill?: (database: Database, encryptionKey: Buffer) => Promise<void>;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** The limit of descriptors that the product runs under; this process's own when absent. */
  readonly descriptorLimit?: number;
}

const QUIET = { info: () => undefined, warn: () => undefined };

/** The all-in-one process over the PostgreSQL that it would run itself, which the bench has a way into as well. */
export async function startOnDatabase(
  build: ProductBuild,
  caretaker: CaretakerProcess,
  { fill, env = {}, descriptorLimit }: DatabasePlatformOptions,
): Promise<DatabasePlatform> {
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
    const encryptionKey = randomBytes(32);
    await fill?.(database, encryptionKey);
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
        ...env,
      },
      folder,
      ...(descriptorLimit !== undefined && { descriptorLimit }),
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
