import { readdirSync, readFileSync } from 'node:fs';

/** What `/proc/<pid>/stat` says about one process. Times are CPU time, user and system together. */
export interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  readonly cpuSeconds: number;
  /** Of children that ended and were waited for, with theirs. */
  readonly reapedCpuSeconds: number;
  /** When it started, in clock ticks since boot: with the pid it names a process for good. */
  readonly startTicks: number;
}

/** Linux counts in 1/100 s towards programs, whatever the kernel itself does (USER_HZ). */
const TICKS_PER_SECOND = 100;

/** @param text of `/proc/<pid>/stat`; the name in parentheses may hold spaces and parentheses itself */
export function parseProcessStat(text: string): ProcessStat {
  const afterName = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // proc_pid_stat(5) counts from 1, and the first field after the name is the third.
  const field = (number: number) => Number(afterName[number - 3]);
  return {
    pid: Number.parseInt(text, 10),
    parentPid: field(4),
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    reapedCpuSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
    startTicks: field(22),
  };
}

/** All processes of this machine. One that ends meanwhile is left out. */
export function readProcesses(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** CPU time in use since boot, of all cores, in seconds. @param text of `/proc/stat` */
export function parseBusySeconds(text: string): number {
  const [user, nice, system, _idle, _iowait, irq, softirq] = text
    .slice('cpu'.length, text.indexOf('\n'))
    .trim()
    .split(/\s+/)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) / TICKS_PER_SECOND;
}
