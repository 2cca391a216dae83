import { type ChaosResult, seconds } from './chaos-run.js';
import { countBy } from './verdict.js';

/**
 * What a run came to, as a table for people, and how to run it again.
 *
 * @param again the arguments that it was run with, seed included
 */
export function chaosReport(result: ChaosResult, again: string): string {
  const { verdict, faults, objections } = result;
  const repeatsByKind: Record<string, number> = {};
  let mostRepeats = 0;
  for (const [{ kind }, count] of verdict.repeatsByFault) {
    repeatsByKind[kind] = (repeatsByKind[kind] ?? 0) + count;
    mostRepeats = Math.max(mostRepeats, count);
  }
  const faultRows = Object.entries(countBy(faults.map(({ kind }) => kind)))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, count]) => [`  ${kind}`, `${count}`, `${repeatsByKind[kind] ?? 0} repeats`]);
  const gap = verdict.longestGap;
  const during = gap
    ? faults.filter(
        ({ beganAtMs, endedAtMs }) => beganAtMs < gap.fromMs + gap.ms && endedAtMs > gap.fromMs - 1_000,
      )
    : [];
  const rows = [
    ['load', `${result.seconds} s`, ''],
    ['faults', `${faults.length}`, ''],
    ...faultRows,
    ['events accepted', `${verdict.events}`, `${Math.round(verdict.events / result.seconds)}/s`],
    ...Object.entries(verdict.deliveriesByState).map(([state, count]) => [`  ${state}`, `${count}`, '']),
    ['lost', `${verdict.lostCount}`, ''],
    ['publishes repeated by producers', `${result.repeatedPublishes}`, ''],
    [
      'repeats',
      `${verdict.repeats}`,
      `${verdict.unexplainedCount} unexplained, ${verdict.lateAnswers} answered after the timeout, ${mostRepeats} at most by one fault (bound: ${verdict.boundPerWorker} per worker hit)`,
    ],
    ['dead letters, all announced', `${result.deadLetters}`, ''],
    [
      'longest gap at a healthy endpoint',
      gap ? seconds(gap.ms) : '-',
      gap
        ? `${gap.application}${during.length > 0 ? `, during ${during.map(({ kind }) => kind).join(', ')}` : ''}`
        : '',
    ],
    ...result.memory.map(({ name, rssKb, peakKb }) => [
      `memory of ${name}`,
      `${Math.round(rssKb / 1_024)} MiB`,
      `at most ${Math.round(peakKb / 1_024)} MiB`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  return [
    ...rows.map(([name, value, remark]) =>
      `${name!.padEnd(width)}  ${value!.padStart(9)}  ${remark}`.trimEnd(),
    ),
    '',
    ...(objections.length === 0
      ? ['It held.']
      : ['IT DID NOT HOLD:', ...objections.map((line) => `- ${line}`)]),
    `Again: npm run test:chaos -- ${again}`,
  ].join('\n');
}
