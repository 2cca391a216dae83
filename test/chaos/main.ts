/*
 * The plug-pulling suite: `npm run test:chaos -- --seed 7 --minutes 10`. Needs what the tests need: Java, for a
 * Kafka of its own. Exits non-zero when anything was lost, or is not as it should be.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chaosReport } from './chaos-report.js';
import { runChaos } from './chaos-run.js';
import { LONG, QUICK } from './profiles.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '220' },
    quick: { type: 'boolean', default: false },
    'no-faults': { type: 'boolean', default: false },
  },
});
const [seed, minutes, eventsPerSecond] = [values.seed, values.minutes, values.rate].map(Number);
if (!Number.isInteger(seed) || !(minutes! > 0 && minutes! <= 120) || !(eventsPerSecond! > 0)) {
  console.error(
    'Usage: npm run test:chaos -- [--seed N] [--minutes 0.1 to 120] [--rate EVENTS/S] [--quick] [--no-faults]',
  );
  process.exit(2);
}

console.log(`Seed ${seed}, ${minutes} minutes, ${eventsPerSecond} events/s.`);
const result = await runChaos({
  seed: seed!,
  loadMs: minutes! * 60_000,
  eventsPerSecond: eventsPerSecond!,
  ...(values.quick ? QUICK : LONG),
  ...(values['no-faults'] && { meanGapMs: Infinity }),
  say: (line) => console.log(line),
});
const flags = [...(values.quick ? ['--quick'] : []), ...(values['no-faults'] ? ['--no-faults'] : [])];
const again = ['--seed', seed, '--minutes', minutes, '--rate', eventsPerSecond, ...flags].join(' ');
console.log(`\n${chaosReport(result, again)}`);
process.exitCode = result.objections.length === 0 ? 0 : 1;
