import { readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '#domain/start-error.js';
import { giveTo, type Account } from './account.js';

/** Held for as long as this object lives; the kernel lets go of it however the process ends. */
export interface ClusterLock {
  release(): void;
}

/**
 * Makes this process the only one that runs on the cluster. The lock is SQLite's on an empty database file:
 * the one lock that Node offers which the kernel drops with the process, so that neither a `kill -9` nor a
 * reused process id needs any guessing at the next start.
 *
 * @throws {StartError} when another process holds it
 */
export async function lockCluster(path: string, account: Account | null): Promise<ClusterLock> {
  const holderFile = `${path}.pid`;
  const database = new DatabaseSync(path);
  try {
    // The journal stays in memory because nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new StartError(
      `entrega already runs on this DATA_DIR${await holder(holderFile)}. Stop it, or set another DATA_DIR and PORT.`,
      { cause },
    );
  }
  await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 });
  for (const file of [path, holderFile]) await giveTo(account, file);
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

const SQLITE_BUSY = 5;

async function holder(holderFile: string): Promise<string> {
  try {
    return ` (process ${(await readFile(holderFile, 'utf8')).trim()})`;
  } catch {
    return '';
  }
}
