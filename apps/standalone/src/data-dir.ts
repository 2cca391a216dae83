import { chmod, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { StartError } from '#domain/start-error.js';

/**
 * Creates `DATA_DIR` (mode 700) or checks the one that is there, and returns its real path. It holds the keys
 * that decrypt everything else, so one that other users can look into is refused; an empty one is closed.
 *
 * @throws {StartError} when the folder cannot be made or used, with the cure
 */
export async function openDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code;
    throw new StartError(
      `DATA_DIR ${path} cannot be created (${reason}). Set DATA_DIR to a folder you own.`,
      {
        cause,
      },
    );
  }

  const directory = await realpath(path);
  const { uid, mode } = await stat(directory);
  const ownUid = process.getuid?.();
  if (ownUid !== 0 && uid !== ownUid) {
    throw new StartError(
      `DATA_DIR ${directory} belongs to another user (uid ${uid}). Run as that user or set DATA_DIR to a folder you own.`,
    );
  }
  if ((mode & 0o077) !== 0) {
    if ((await readdir(directory)).length > 0) {
      const octal = (mode & 0o777).toString(8);
      throw new StartError(
        `DATA_DIR ${directory} has mode ${octal}: other users could read the keys in it. Run: chmod 700 '${directory}'`,
      );
    }
    await chmod(directory, 0o700);
  }
  return directory;
}
