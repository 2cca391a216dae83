import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recordedPlace } from '#apps/standalone/src/embedded-postgres/cluster-place.js';
import { findPostmaster, stopPostmaster } from '#apps/standalone/src/embedded-postgres/postmaster.js';

const DATABASE_STOP_MS = 5_000;

/** Ends the database of a temporary `DATA_DIR`, where it still runs, and removes both, wherever the database lies. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const home = (await recordedPlace(dataDir)) ?? join(dataDir, 'postgres');
  const cluster = join(home, 'data');
  const running = await findPostmaster(cluster);
  if (running !== null) await stopPostmaster(running.pid, cluster, DATABASE_STOP_MS);
  for (const folder of [home, dataDir]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
