import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '#domain/start-error.js';
import { canEnter, chooseAccount, giveTo, type Account } from './account.js';
import { SYSTEM_DIR } from './system-dir.js';

/** Where the cluster of a `DATA_DIR` lies, and as whom PostgreSQL runs on it. */
export interface ClusterPlace {
  readonly account: Account | null;
  /** Holds the data directory and what belongs to it; entered by the account and root alone. */
  readonly home: string;
  /** False when PostgreSQL cannot enter `DATA_DIR` and the cluster lies under `SYSTEM_DIR`. */
  readonly insideDataDir: boolean;
}

/** The file in `DATA_DIR` that says where the cluster lies when it is elsewhere. */
const RECORD = 'postgres.location';

/** Decides on the place at the first start, finds it again at every later one, and makes the folder. */
export async function placeCluster(dataDir: string): Promise<ClusterPlace> {
  const inside = join(dataDir, 'postgres');
  const outside = (await recordedPlace(dataDir)) ?? join(SYSTEM_DIR, shortHash(dataDir));
  const home = (await isInside(dataDir, inside)) ? inside : outside;
  const account = await chooseAccount(home);
  try {
    if (home === outside) {
      await mkdir(SYSTEM_DIR, { recursive: true });
      await chmod(SYSTEM_DIR, 0o755);
    }
    await makePrivateFolder(home, account);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      `The folder of the embedded database, ${home}, cannot be used (${(cause as Error).message}). ` +
        'Set DATA_DIR elsewhere, or DATABASE_URL.',
      { cause },
    );
  }
  return { account, home, insideDataDir: home === inside };
}

async function isInside(dataDir: string, inside: string): Promise<boolean> {
  if (await exists(join(inside, 'data'))) return true;
  return (await recordedPlace(dataDir)) === null && canEnter(await chooseAccount(inside), dataDir);
}

/** Where `DATA_DIR` says its cluster lies; null when it says nothing. */
export async function recordedPlace(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(join(dataDir, RECORD), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function recordPlace(dataDir: string, home: string): Promise<void> {
  await writeFile(join(dataDir, RECORD), `${home}\n`, { mode: 0o600 });
}

/**
 * A folder for the server's socket. The one beside the data, unless the path is too long for a socket or has
 * characters that mean something to PostgreSQL's settings; then a short one among the temporary files, which
 * holds nothing but the socket.
 */
export async function makeSocketDir({ account, home }: ClusterPlace): Promise<string> {
  const beside = join(home, 'socket');
  const fits = Buffer.byteLength(beside) <= 80 && /^[\w./-]+$/.test(beside);
  const socketDir = fits ? beside : join('/tmp', `entrega-${shortHash(home)}`);
  await makePrivateFolder(socketDir, account);
  return socketDir;
}

/** Mode 700 and the account's. Somebody else's folder under that name is refused. */
async function makePrivateFolder(path: string, account: Account | null): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
    await giveTo(account, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = account?.uid ?? process.getuid?.();
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new StartError(
      `${path} must be a folder of mode 700 that belongs to uid ${owner}. Remove or correct it.`,
    );
  }
}

function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}

export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
