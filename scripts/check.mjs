/*
 * `npm run check`: everything about the code that can be told without running it. The steps run side by side,
 * the longest first; each prints one line, and its output when it objects. Exits non-zero when any did.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each runs as `node <args>`. */
const STEPS = [
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types of the console',
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/console/tsconfig.json'],
  },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'] },
  {
    name: 'import arrows and cycles',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--output-type=err-long',
      'apps',
      'bench',
      'libs',
      'migrations',
      'test',
    ],
  },
  {
    name: 'figures in README.md',
    args: ['--import=./test/support/source-loader.mjs', 'bench/readme.ts', '--check'],
  },
];

const waiting = [...STEPS];
let objections = 0;

async function work() {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const started = performance.now();
    const { exitCode, output } = await run(step);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`);
    if (exitCode === 0) continue;
    objections += 1;
    console.log(output.trimEnd());
  }
}

function run({ args }) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, output })));
}

await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
if (objections > 0) {
  console.log(`${objections} of ${STEPS.length} checks failed. \`npm run format\` corrects the format.`);
  process.exitCode = 1;
}
