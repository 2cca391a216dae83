import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';
import { readProcesses } from '../measure/process-stat.js';
import { onlyChildOf } from '../measure/process-tree.js';
import { startTestKafka } from '../../test/support/kafka.js';
import type { CaretakerProcess } from './caretaker-process.js';
import { removeDataDir } from './data-dir-removal.js';
import type { Platform } from './platform.js';
import { type ProductBuild, ProductProcess } from './product-process.js';

const QUIET = { info: () => undefined, warn: () => undefined };

/**
 * One ingest, one worker and one admin over a Kafka and over the PostgreSQL that `npm start` would run, with the
 * settings it gives it.
 */
export async function startRoles(build: ProductBuild, caretaker: CaretakerProcess): Promise<Platform> {
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
    const kafka = await startTestKafka();
    ends.push(() => kafka.remove());
    const adminKey = randomBytes(24).toString('hex');
    const env = {
      DATABASE_URL: postgres.databaseUrl,
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_REPLICATION: '1',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    await migrate(build, env.DATABASE_URL);
    const start = async (role: 'ingest' | 'worker' | 'admin', roleEnv: Record<string, string>) => {
      const started = await ProductProcess.start({ build, role, env: { ...env, ...roleEnv }, folder });
      caretaker.minds({ process: started.pid });
      ends.push(() => started.end());
      return started;
    };
    const privateNetworks = { ALLOW_PRIVATE_CIDRS: '127.0.0.0/8' };
    const worker = await start('worker', privateNetworks);
    const ingest = await start('ingest', { ADMIN_KEY: adminKey });
    const admin = await start('admin', { ADMIN_KEY: adminKey, ...privateNetworks });
    return {
      publishOrigin: ingest.url,
      adminOrigin: admin.url,
      adminKey,
      trees: {
        ingest: { root: ingest.pid, without: [] },
        worker: { root: worker.pid, without: [] },
        admin: { root: admin.pid, without: [] },
        postgresql: { root: postgres.pid, without: [] },
        kafka: { root: onlyChildOf(kafka.hostPid, readProcesses()), without: [] },
      },
      end: endAll,
      lastWords: async () =>
        (await Promise.all([ingest, worker, admin].map((role) => role.lastWords()))).join('\n'),
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}

async function migrate({ checkout }: ProductBuild, databaseUrl: string): Promise<void> {
  await promisify(execFile)(
    join(checkout, 'node_modules/.bin/node'),
    ['dist/apps/standalone/src/migrate.js'],
    { cwd: checkout, env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl } },
  );
}
