/*
 * A server is known by its data directory alone, for whoever started it may be dead: `postmaster.pid` names
 * the process. Its word counts only while that process lives and its command line names the directory,
 * because ids are reused after a reboot and inside containers.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { socketPath } from './server-settings.js';

export type PostmasterStatus = 'starting' | 'ready' | 'stopping';

export interface Postmaster {
  readonly pid: number;
  readonly status: PostmasterStatus;
  /** Where its socket lies. */
  readonly socketDir: string;
}

/** The living server of the data directory, or null. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const lines = await readPidFile(clusterDir);
  const pid = Number(lines?.[0]);
  if (!Number.isInteger(pid) || !isPostmaster(pid, clusterDir)) return null;
  const status = lines?.[7]?.trim();
  return {
    pid,
    status: status === 'ready' || status === 'stopping' ? status : 'starting',
    socketDir: lines?.[4]?.trim() ?? '',
  };
}

/** True while `pid` is a server of the data directory. False for a zombie, which has no command line. */
export function isPostmaster(pid: number, clusterDir: string): boolean {
  if (!existsSync('/proc/self/cmdline')) {
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.trim().endsWith(`/postgres -D ${clusterDir}`);
  }
  try {
    const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return program?.endsWith('/postgres') === true && args.includes(clusterDir);
  } catch {
    return false;
  }
}

/**
 * Ends the server: fast shutdown (sessions cut off, everything committed kept, a checkpoint), and when that
 * takes longer than `timeoutMs` an immediate one, after which the next start recovers from the WAL.
 */
export async function stopPostmaster(pid: number, clusterDir: string, timeoutMs: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    if (!isPostmaster(pid, clusterDir)) return;
    process.kill(pid, signal);
    if (await hasEnded(pid, clusterDir, patienceMs)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) did not end.`);
}

/** PostgreSQL itself kills what is left of its processes after 5 s. */
const IMMEDIATE_SHUTDOWN_MS = 6_000;

async function hasEnded(pid: number, clusterDir: string, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (isPostmaster(pid, clusterDir)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

/**
 * Removes what a dead server left and the next one would stumble over. Call only when `findPostmaster` found
 * none. PostgreSQL clears these files itself unless their process id is in use again by a process of the same
 * account; then it refuses to start.
 */
export async function clearStaleLocks(clusterDir: string, socketDir: string): Promise<void> {
  const lines = await readPidFile(clusterDir);
  if (lines !== null) {
    // Only the id is replaced, by one that no system gives out: the file also names the shared memory by
    // which a starting server notices that processes of the dead one still work on the data.
    await writeFile(pidFile(clusterDir), [NO_PROCESS, ...lines.slice(1)].join('\n'));
  }
  await rm(socketPath(socketDir), { force: true });
  await rm(`${socketPath(socketDir)}.lock`, { force: true });
}

/** Above Linux's largest process id (2^22) and far above macOS's. */
const NO_PROCESS = String(2 ** 22 + 1);

async function readPidFile(clusterDir: string): Promise<string[] | null> {
  try {
    return (await readFile(pidFile(clusterDir), 'utf8')).split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function pidFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}
