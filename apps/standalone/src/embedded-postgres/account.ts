import { spawnSync } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { StartError } from '#domain/start-error.js';

/** The system account that PostgreSQL runs as when that is not our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Who PostgreSQL runs as. It refuses to be root, so a root process lends it the account that owns the data;
 * before there are any, `postgres` where the machine has one, else `nobody`. Null: our own account.
 */
export async function chooseAccount(clusterDir: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(clusterDir).catch(() => null);
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account === null) {
    throw new StartError(
      'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody. ' +
        'Run as an ordinary user, or set DATABASE_URL.',
    );
  }
  return account;
}

function lookUp(name: string): Account | null {
  const [uid, gid] = ['-u', '-g'].map((option) => {
    const { status, stdout } = spawnSync('id', [option, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : NaN;
  });
  return uid && gid ? { uid, gid } : null;
}

/** Tried, not computed from modes: access lists, mounts and every folder above count as well. */
export function canEnter(account: Account | null, directory: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...account, cwd: '/' });
  return status === 0;
}

/** Hands a file or folder that we made to the account. */
export async function giveTo(account: Account | null, path: string): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid);
}
