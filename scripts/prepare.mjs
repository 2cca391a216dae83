#!/usr/bin/env node
/*
 * Makes a checkout ready to run: installs the packages when they are not those of package-lock.json, and
 * compiles when a source is newer than dist/. Runs before everything else, on whatever Node the machine has,
 * so it uses Node's own modules only. With nothing to do it must not be noticed (under 150 ms).
 *
 *   node scripts/prepare.mjs                  install and build, as far as needed
 *   node scripts/prepare.mjs --install-only   for tests and checks, which read the sources
 *   node scripts/prepare.mjs --build          build in any case
 */
const OLDEST_NODE = 20;
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `Node ${process.versions.node} is too old to install entrega: it needs ${OLDEST_NODE} or newer. ` +
      'Install a current Node from https://nodejs.org; entrega then brings the exact one it runs on.',
  );
  process.exit(1);
}

const { spawn } = await import('node:child_process');
const { createHash } = await import('node:crypto');
const fs = await import('node:fs');
const { join, relative } = await import('node:path');
const { setTimeout: sleep } = await import('node:timers/promises');
const { fileURLToPath } = await import('node:url');

const root = fileURLToPath(new URL('..', import.meta.url));
const pinnedNode = join(root, 'node_modules/.bin/node');
const buildStamp = join(root, 'dist/.sources');

class StepFailed extends Error {}

/** The command that is running, to be ended with us. */
let running = null;

const installOnly = process.argv.includes('--install-only');
const buildAlways = process.argv.includes('--build');

try {
  if (!isInstalled() || (!installOnly && (buildAlways || !isBuilt()))) {
    await withLock(async () => {
      if (!isInstalled()) await install();
      if (!installOnly && (buildAlways || !isBuilt())) await build();
    });
  }
} catch (error) {
  console.error(error instanceof StepFailed ? error.message : error);
  process.exitCode = 1;
}

/** True when node_modules holds what package-lock.json asks for, whoever installed it. */
function isInstalled() {
  const installed = readLock('node_modules/.package-lock.json');
  if (installed === null || !fs.existsSync(pinnedNode)) return false;
  const wanted = readLock('package-lock.json')?.packages ?? {};
  const unexpected = Object.keys(installed.packages).some((path) => !(path in wanted));
  return (
    !unexpected && Object.entries(wanted).every(([path, entry]) => matches(entry, path, installed.packages))
  );
}

function matches(entry, path, installed) {
  if (path === '') return true;
  const found = installed[path];
  // An optional package for another platform is in the lock file and nowhere else.
  if (found === undefined) return entry.optional === true;
  return found.version === entry.version && found.integrity === entry.integrity;
}

function readLock(path) {
  try {
    return JSON.parse(fs.readFileSync(join(root, path), 'utf8'));
  } catch {
    return null;
  }
}

async function install() {
  const npmScript = process.env.npm_execpath;
  const npm = npmScript?.endsWith('npm-cli.js') ? [process.execPath, npmScript] : ['npm'];
  // Node itself is fetched by an install script, so a setting that forbids them all is overruled here.
  const options = ['ci', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
  await step('Installing packages', [...npm, ...options]);
  if (!fs.existsSync(pinnedNode)) {
    throw new StepFailed(
      'npm did not install Node. Remove node_modules and run: npm ci --ignore-scripts=false',
    );
  }
}

/** True when dist/ was compiled from exactly the sources that are there now. */
function isBuilt() {
  try {
    return fs.readFileSync(buildStamp, 'utf8') === sourcesFingerprint();
  } catch {
    return false;
  }
}

/** Names, sizes and times of everything that the compilers read. */
function sourcesFingerprint() {
  const hash = createHash('sha256');
  const files = [
    'package.json',
    'package-lock.json',
    'nest-cli.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'apps/console/tsconfig.json',
  ];
  for (const folder of ['apps', 'libs', 'migrations']) {
    for (const entry of fs.readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (/(?<!\.test)\.tsx?$|\.(css|html|svg)$/.test(entry.name)) files.push(relative(root, path));
    }
  }
  for (const file of files.sort()) {
    const { size, mtimeMs } = fs.statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function build() {
  const fingerprint = sourcesFingerprint();
  // From nothing each time: what was compiled from a file that is gone must not stay.
  fs.rmSync(join(root, 'dist'), { recursive: true, force: true });
  await step('Compiling', [pinnedNode, 'node_modules/@nestjs/cli/bin/nest.js', 'build', 'standalone']);
  // Vite builds for what NODE_ENV says; for anything but production half again as large.
  const vite = [pinnedNode, 'node_modules/vite/bin/vite.js', 'build', 'apps/console'];
  await step('Building the console', vite, { NODE_ENV: 'production' });
  fs.writeFileSync(buildStamp, fingerprint);
}

/** Runs one command, showing that it goes on; its output only when it fails. */
async function step(title, [command, ...args], env = {}) {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const terminal = process.stdout.isTTY;
  if (!terminal) console.log(`${title} …`);
  const progress = setInterval(
    () =>
      terminal ? process.stdout.write(`\r${title} … ${elapsed()}`) : console.log(`${title} … ${elapsed()}`),
    terminal ? 200 : 10_000,
  );

  let output = '';
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = child;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearInterval(progress);
  if (terminal) process.stdout.write('\r');
  if (outcome !== 0) throw new StepFailed(`${title} failed (${outcome}):\n${output.trim()}`);
  console.log(`${title}: done in ${elapsed()}.`);
}

/** One process at a time: three roles started together in a fresh clone would install over each other. */
async function withLock(work) {
  const lockFile = join(root, '.prepare.lock');
  let announced = false;
  for (;;) {
    try {
      fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(readText(lockFile));
    if (holder > 0 && !isAlive(holder)) {
      fs.rmSync(lockFile, { force: true });
      continue;
    }
    if (!announced) console.log(`Waiting for process ${holder}, which installs or compiles here.`);
    announced = true;
    await sleep(200);
  }
  const release = () => fs.rmSync(lockFile, { force: true });
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      running?.kill(signal);
      process.exit(1);
    });
  }
  await work();
}

function readText(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
