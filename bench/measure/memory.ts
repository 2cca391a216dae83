import { readFileSync } from 'node:fs';
import { readProcesses } from './process-stat.js';
import { membersOf, type ProcessTree } from './process-tree.js';

/**
 * Memory of a tree in MiB as proportional set size: what processes share, as PostgreSQL's do their buffers,
 * counts once in all.
 */
export function memoryMiBOf(tree: ProcessTree): number {
  const kibibytes = membersOf(tree, readProcesses()).map(({ pid }) => {
    try {
      return parsePss(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
      throw error;
    }
  });
  return kibibytes.reduce((sum, one) => sum + one, 0) / 1024;
}

/** In KiB. Empty for a process that has no memory any more. */
export function parsePss(smapsRollup: string): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(smapsRollup)?.[1] ?? 0);
}
