import type { ProcessStat } from './process-stat.js';

/** A process and everything it started, but for the trees of `without`. */
export interface ProcessTree {
  readonly root: number;
  readonly without: readonly number[];
}

/** The living members of a tree. */
export function membersOf(tree: ProcessTree, processes: readonly ProcessStat[]): ProcessStat[] {
  const children = Map.groupBy(processes, (process) => process.parentPid);
  const members: ProcessStat[] = [];
  const visit = (process: ProcessStat) => {
    if (tree.without.includes(process.pid)) return;
    members.push(process);
    children.get(process.pid)?.forEach(visit);
  };
  processes.filter((process) => process.pid === tree.root).forEach(visit);
  return members;
}

/**
 * All CPU time that the tree has used so far, in seconds. What a member's ended children used is in it, so that a
 * PostgreSQL backend or an autovacuum worker that is gone still counts.
 */
export function cpuSecondsOf(tree: ProcessTree, processes: readonly ProcessStat[]): number {
  return membersOf(tree, processes).reduce(
    (sum, process) => sum + process.cpuSeconds + process.reapedCpuSeconds,
    0,
  );
}

/** The one child of a process: of the all-in-one process its PostgreSQL, of Kafka's host the broker. */
export function onlyChildOf(parentPid: number, processes: readonly ProcessStat[]): number {
  const children = processes.filter((process) => process.parentPid === parentPid);
  if (children.length !== 1)
    throw new Error(`Process ${parentPid} should have one child and has ${children.length}.`);
  return children[0]!.pid;
}
