/*
 * Ends and removes what the bench leaves behind when it is killed. It is told of processes and folders by lines of
 * JSON, waits for the end of its input, and lives in a session of its own, so that a Ctrl-C does not reach it.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcess } from '../measure/process-stat.js';
import { removeDataDir } from './data-dir-removal.js';

export type Legacy =
  /** `startTicks` tells it from a later process with the same number. */
  | { readonly kind: 'process'; readonly pid: number; readonly startTicks: number }
  | { readonly kind: 'data-dir'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

const PATIENCE_MS = 15_000;
const LOOK_INTERVAL_MS = 50;

const legacies: Legacy[] = [];
for await (const line of createInterface({ input: process.stdin })) legacies.push(JSON.parse(line) as Legacy);
// Processes first, in the order of their start reversed: a database must not go before who uses it.
for (const legacy of legacies.reverse()) if (legacy.kind === 'process') await endProcess(legacy);
for (const legacy of legacies) {
  if (legacy.kind === 'data-dir') await removeDataDir(legacy.path);
  if (legacy.kind === 'folder') await rm(legacy.path, { recursive: true, force: true });
}

async function endProcess({ pid, startTicks }: Extract<Legacy, { kind: 'process' }>): Promise<void> {
  const lives = () => readProcess(pid)?.startTicks === startTicks;
  const deadline = performance.now() + PATIENCE_MS;
  if (lives()) process.kill(pid, 'SIGTERM');
  while (lives() && performance.now() < deadline) await sleep(LOOK_INTERVAL_MS);
  if (lives()) process.kill(pid, 'SIGKILL');
}
