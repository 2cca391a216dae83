import { readFileSync } from 'node:fs';
import { monotonicMs } from './monotonic.js';
import { parseBusySeconds, readProcesses } from './process-stat.js';
import { cpuSecondsOf, type ProcessTree } from './process-tree.js';

/** CPU time used in a window, in seconds. */
export interface CpuUse {
  readonly byTree: Readonly<Record<string, number>>;
  /** By everything on this machine that is not of the bench. */
  readonly others: number;
  /** Length of the window. */
  readonly wallSeconds: number;
}

interface Reading {
  readonly byTree: Readonly<Record<string, number>>;
  readonly machine: number;
  readonly atMs: number;
}

/** Counts CPU time from its opening on, by tree. */
export class CpuWindow {
  private constructor(
    private readonly trees: Readonly<Record<string, ProcessTree>>,
    private readonly opening: Reading,
  ) {}

  static open(trees: Readonly<Record<string, ProcessTree>>): CpuWindow {
    return new CpuWindow(trees, read(trees));
  }

  /** What was used up to now. */
  close(): CpuUse {
    const closing = read(this.trees);
    const byTree = Object.fromEntries(
      Object.keys(this.trees).map((name) => [name, closing.byTree[name]! - this.opening.byTree[name]!]),
    );
    const ours = Object.values(byTree).reduce((sum, one) => sum + one, 0);
    return {
      byTree,
      // The machine's count goes by ticks and is less exact than that of processes.
      others: Math.max(0, closing.machine - this.opening.machine - ours),
      wallSeconds: (closing.atMs - this.opening.atMs) / 1_000,
    };
  }
}

function read(trees: Readonly<Record<string, ProcessTree>>): Reading {
  const processes = readProcesses();
  const { user, system } = process.cpuUsage();
  return {
    byTree: Object.fromEntries(
      Object.entries(trees).map(([name, tree]) => [name, cpuSecondsOf(tree, processes)]),
    ),
    machine: parseBusySeconds(readFileSync('/proc/stat', 'utf8')) - (user + system) / 1e6,
    atMs: monotonicMs(),
  };
}
