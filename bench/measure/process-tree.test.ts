import { describe, expect, it } from '@jest/globals';
import type { ProcessStat } from './process-stat.js';
import { cpuSecondsOf, membersOf, onlyChildOf } from './process-tree.js';

function process(pid: number, parentPid: number, cpuSeconds: number, reapedCpuSeconds = 0): ProcessStat {
  return { pid, parentPid, cpuSeconds, reapedCpuSeconds, startTicks: 0 };
}

/** The all-in-one process, its postmaster with two backends, and somebody else. */
const PROCESSES = [
  process(10, 1, 5, 1),
  process(20, 10, 0.5, 2),
  process(21, 20, 3),
  process(22, 20, 4, 0.25),
  process(30, 1, 100),
];

describe('the tree of a process', () => {
  it('holds what it started, and what that started', () => {
    const members = membersOf({ root: 10, without: [] }, PROCESSES);
    expect(members.map(({ pid }) => pid)).toEqual([10, 20, 21, 22]);
  });

  it('leaves out a whole tree that is counted apart', () => {
    expect(cpuSecondsOf({ root: 10, without: [20] }, PROCESSES)).toBe(6);
  });

  it('counts what ended children used, so that nothing is lost when a backend ends', () => {
    const before = cpuSecondsOf({ root: 20, without: [] }, PROCESSES);
    const afterItsEnd = [process(10, 1, 5, 1), process(20, 10, 0.5, 2 + 4 + 0.25), process(21, 20, 3)];
    expect(before).toBe(9.75);
    expect(cpuSecondsOf({ root: 20, without: [] }, afterItsEnd)).toBe(before);
  });
});

it('names the only child of a process and objects to none or several', () => {
  expect(onlyChildOf(10, PROCESSES)).toBe(20);
  expect(() => onlyChildOf(20, PROCESSES)).toThrow('Process 20 should have one child and has 2.');
  expect(() => onlyChildOf(30, PROCESSES)).toThrow('has 0');
});
