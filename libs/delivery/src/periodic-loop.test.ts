import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLogger } from '#observability/logger.js';
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
  const loop = new PeriodicLoop({ name: 'test', intervalMs: 0, logger, round });
  loop.start();
  for (let turn = 0; rounds < outcomes.length && turn < 100_000; turn++) await setImmediate();
  await loop.stop();
  expect(told).toEqual(['loop.failed', 'loop.recovered', 'loop.failed', 'loop.recovered']);
  const ended = rounds;
  await setImmediate();
  expect(rounds).toBe(ended);
});
