/* `npm run bench`; bench/arguments.ts says what it takes. Exits with 1 when something broke or an event was lost. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CaretakerProcess } from './processes/caretaker-process.js';
import { LoaderProcess } from './processes/loader-process.js';
import { ReceiverProcess } from './processes/receiver-process.js';
import { readArguments } from './arguments.js';
import { type BenchResult, toJson } from './report/bench-result.js';
import { describeMachine, revisionOf } from './report/machine.js';
import { LATEST, writeFigures } from './report/readme.js';
import { reportOf } from './report/report.js';
import { withShareOfCeiling } from './report/share-of-ceiling.js';
import { judge } from './report/verdict.js';
import type { BenchContext, Row } from './scenarios/scenario.js';

const { profile, build, scenarios, wants, jsonFile, isFull } = readArguments(process.argv.slice(2));
const startedAt = new Date();
const elapsed = () => (Date.now() - startedAt.getTime()) / 1_000;
const say = (line: string) => console.log(`${elapsed().toFixed(0).padStart(5)} s  ${line}`);
const machine = describeMachine(build.checkout);
const played: Row[] = [];
const failures: { scenario: string; message: string }[] = [];

const caretaker = CaretakerProcess.start();
try {
  const [receiver, loader] = await Promise.all([ReceiverProcess.start(), LoaderProcess.start()]);
  let rounds = 0;
  const context: BenchContext = {
    profile,
    build,
    receiver,
    loader,
    caretaker,
    nextRound: () => ++rounds,
    say,
    record: (row) => void played.push(row),
  };
  for (const scenario of scenarios) {
    const wanted = new Set(scenario.rows.filter(wants));
    if (wanted.size === 0) continue;
    await scenario.run(context, wanted).catch((error: Error) => {
      say(`${scenario.name} broke off: ${error.stack}`);
      failures.push({ scenario: scenario.name, message: error.message });
    });
  }
  await Promise.all([receiver.end(), loader.end()]);
} finally {
  await caretaker.end();
}

const rows = withShareOfCeiling(played);
const result: BenchResult = {
  startedAt: startedAt.toISOString(),
  seconds: Math.round(elapsed()),
  machine,
  revision: revisionOf(build.checkout),
  profile,
  rows,
  verdicts: judge(rows),
  failures,
};
const isForReadme = isFull && failures.length === 0;
const file = isForReadme ? LATEST : jsonFile;
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, toJson(result));
if (isForReadme) writeFigures();
console.log(`\n${reportOf(result)}\n\nWritten to ${file} after ${result.seconds} s.`);
process.exitCode = failures.length === 0 ? 0 : 1;
