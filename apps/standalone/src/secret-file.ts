import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '#domain/start-error.js';

/**
 * Reads the secret kept in `path`, or generates it and keeps it there (mode 600). What is returned is on disk
 * already: a secret that encrypted something must never be lost by a crash.
 *
 * @throws {StartError} when other users can read the file or one of them owns it, or when it is empty
 */
export async function readOrCreateSecretFile(path: string, generate: () => string): Promise<string> {
  return (await readSecretFile(path)) ?? (await createSecretFile(path, generate()));
}

/**
 * The secret in `path`, without the line end; null when there is no such file.
 *
 * @throws {StartError} as {@link readOrCreateSecretFile}
 */
export async function readSecretFile(path: string): Promise<string | null> {
  let content: string;
  try {
    const { mode, uid } = await stat(path);
    if (!(await isOwn(uid, path))) {
      throw new StartError(
        `${path} belongs to another user (uid ${uid}), who can read and change it. Run: chown ${process.getuid!()} '${path}'`,
      );
    }
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8);
      throw new StartError(`${path} has mode ${octal}: others can read it. Run: chmod 600 '${path}'`);
    }
    content = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const secret = content.trim();
  if (secret === '') throw new StartError(`${path} is empty. Restore it from a backup or remove it.`);
  return secret;
}

/** Root may keep its files in a folder that it lends to the account of PostgreSQL, and then that account has them. */
async function isOwn(uid: number, path: string): Promise<boolean> {
  const ownUid = process.getuid?.() ?? uid;
  if (uid === ownUid) return true;
  return ownUid === 0 && uid === (await stat(dirname(path))).uid;
}

async function createSecretFile(path: string, secret: string): Promise<string> {
  // Written aside and linked into place: a crash leaves the whole secret or none, and of two processes
  // that start together the first link decides.
  const aside = `${path}.${randomUUID()}`;
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(aside, path);
    return secret;
  } catch (error) {
    const winner = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readSecretFile(path) : null;
    if (winner === null) throw error;
    return winner;
  } finally {
    await rm(aside, { force: true });
  }
}
