import { expect, it } from '@jest/globals';
import { parseBusySeconds, parseProcessStat, readProcess } from './process-stat.js';

it('reads a process whose name holds spaces and parentheses', () => {
  const text =
    '4711 (io worker (0) ) x) S 4700 4711 4711 0 -1 4194560 100 0 0 0 250 50 30 7 20 0 1 0 88123 4096 10';
  expect(parseProcessStat(text)).toEqual({
    pid: 4711,
    parentPid: 4700,
    cpuSeconds: 3,
    reapedCpuSeconds: 0.37,
    startTicks: 88123,
  });
});

it('finds itself, and nothing where there is no process', () => {
  expect(readProcess(process.pid)).toMatchObject({ pid: process.pid, parentPid: process.ppid });
  expect(readProcess(2 ** 22 + 1)).toBeNull();
});

it('counts neither idle time nor waiting for disks as busy', () => {
  const text = 'cpu  100 20 300 99999 5555 7 3 0 0 0\ncpu0 50 10 150 50000 2777 3 1 0 0 0\n';
  expect(parseBusySeconds(text)).toBe(4.3);
});
