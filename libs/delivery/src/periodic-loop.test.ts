import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLogger } from '#observability/logger.js';
import { LoopMetrics } from '#observability/metrics/loop-metrics.js';
import { Registry } from 'prom-client';
import { PeriodicLoop } from './periodic-loop.js';

it('a loop goes on after any error, and tells of each trouble once, at its beginning and its end (lessons: outpost#881)', async () => {
  const told: string[] = [];
  const logger = createLogger(
    { role: 'test', level: 'info', format: 'json' },
    { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const outcomes = ['bad', 'bad', 'bad', 'good', 'good', 'bad', 'good'];
  let rounds = 0;
  const round = async () => {
    if (outcomes[rounds++] === 'bad') throw new Error('the database is away');
    return Infinity;
  };
  const metrics = new LoopMetrics(new Registry());
  const loop = new PeriodicLoop({ name: 'outbox', intervalMs: 0, logger, metrics, round });
  loop.start();
  for (let turn = 0; rounds < outcomes.length && turn < 100_000; turn++) await setImmediate();
  await loop.stop();
  expect(told).toEqual(['loop.failed', 'loop.recovered', 'loop.failed', 'loop.recovered']);
  const ended = rounds;
  await setImmediate();
  expect(rounds).toBe(ended);
});

it('a dear loop rests for a multiple of what each round took, also of one that failed', async () => {
  const logger = createLogger({ role: 'test', level: 'silent', format: 'json' });
  const times: { from: number; until: number }[] = [];
  const round = async () => {
    const from = performance.now();
    while (performance.now() < from + 10) await setImmediate();
    times.push({ from, until: performance.now() });
    if (times.length === 1) throw new Error('too slow');
    return 0;
  };
  const rest = { perRound: 4, longestMs: 60_000 };
  const metrics = new LoopMetrics(new Registry());
  const loop = new PeriodicLoop({ name: 'stats', intervalMs: 0, rest, logger, metrics, round });
  loop.start();
  while (times.length < 3) await setImmediate();
  await loop.stop();
  for (const [index, { from }] of times.slice(1).entries()) {
    const before = times[index]!;
    expect(from - before.until).toBeGreaterThanOrEqual((before.until - before.from) * rest.perRound - 2);
  }
});
