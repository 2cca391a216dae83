/*
 * `npm test`: every test. Those of outages take minutes, in which they mostly wait: they run beside all others, in a
 * Jest of their own, and are reported after them. With arguments one Jest gets these. The last line is the count of
 * tests. Exits non-zero when any failed.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
const OUTAGES = 'test/(chaos/|transport/kafka-outages)';
const COUNTS = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;

const given = process.argv.slice(2);
if (given.length > 0) {
  const { exitCode } = await run(given, (text) => process.stdout.write(text));
  process.exitCode = exitCode;
} else {
  let report = '';
  const runs = await Promise.all([
    run([`--testPathIgnorePatterns=${OUTAGES}`], (text) => process.stdout.write(text)),
    run([`--testPathPatterns=${OUTAGES}`], (text) => (report += text)),
  ]);
  process.stdout.write(report);
  const [passed, failed, skipped] = [1, 2, 3].map((group) =>
    runs.reduce((sum, { counts }) => sum + Number(counts?.[group] ?? 0), 0),
  );
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = runs.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
}

/**
 * @param {string[]} args
 * @param {(text: string) => void} show gets all that it says
 */
function run(args, show) {
  const colors = process.stdout.isTTY ? ['--colors'] : [];
  const child = spawn(process.execPath, [...JEST, ...colors, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lastLine = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      lastLine = text.trim().split('\n').at(-1) || lastLine;
      show(text);
    });
  // A terminal's Ctrl-C reaches it by itself.
  process.once('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ exitCode: code ?? 1, counts: COUNTS.exec(lastLine) })),
  );
}
