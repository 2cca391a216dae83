#!/usr/bin/env node
/*
 * A real Kafka for a developer's machine, without Docker; the tests use the same one (test/support).
 *
 *   node scripts/kafka.mjs run      until Ctrl-C
 *   node scripts/kafka.mjs start    in the background, until `stop`
 *   node scripts/kafka.mjs stop     ends it and removes what it held
 *
 * Where KAFKA_BROKERS is set there is nothing to start.
 */
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaBroker } from './kafka-broker.mjs';
import { CACHE, KafkaUnavailable, run } from './kafka-distribution.mjs';

const RUNNING = join(CACHE, 'running.json');
const STOP_LIMIT_MS = 10_000;
const USAGE = 'Usage: node scripts/kafka.mjs run | start | stop';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const command = process.argv[2];
try {
  if (command === 'stop') await stop();
  else if (command !== 'run' && command !== 'start') fail(USAGE);
  else if (process.env.KAFKA_BROKERS)
    console.log(`KAFKA_BROKERS is set (${process.env.KAFKA_BROKERS}): nothing to start.`);
  else if (command === 'run') await runUntilStopped();
  else await start();
} catch (error) {
  if (!(error instanceof KafkaUnavailable)) throw error;
  fail(error.message);
}

async function runUntilStopped() {
  const signal = Promise.race(SIGNALS.map((name) => once(process, name)));
  const broker = await started();
  console.log(`export KAFKA_BROKERS=${broker.brokers}\nCtrl-C ends it.`);
  const alive = setInterval(() => undefined, 60_000);
  await signal;
  clearInterval(alive);
  await broker.stop();
  await broker.removeFolder();
}

async function start() {
  let interrupted = false;
  for (const name of SIGNALS) process.once(name, () => (interrupted = true));
  const known = await running();
  if (known !== null) {
    console.log(`It runs already.\nexport KAFKA_BROKERS=${known.brokers}`);
    return;
  }
  const broker = await started();
  if (interrupted) return broker.remove();
  await mkdir(dirname(RUNNING), { recursive: true });
  await writeFile(
    RUNNING,
    JSON.stringify({ pid: broker.pid, brokers: broker.brokers, folder: broker.folder }),
  );
  console.log(`export KAFKA_BROKERS=${broker.brokers}`);
}

async function stop() {
  const known = await running();
  if (known === null) {
    console.log('None that `start` started is running.');
    return;
  }
  process.kill(known.pid, 'SIGTERM');
  const deadline = performance.now() + STOP_LIMIT_MS;
  while ((await running()) !== null) {
    if (performance.now() > deadline) process.kill(known.pid, 'SIGKILL');
    await sleep(100);
  }
  // Only ever a folder of ours: the path comes from a file.
  if (dirname(known.folder) === tmpdir() && basename(known.folder).startsWith('entrega-kafka-'))
    await rm(known.folder, { recursive: true, force: true, maxRetries: 5 });
  await rm(RUNNING, { force: true });
}

async function started() {
  const broker = await KafkaBroker.create({ say: (message) => console.error(message) });
  console.error('Starting Kafka …');
  await broker.start().catch(async (error) => {
    await broker.removeFolder();
    throw error;
  });
  return broker;
}

/** What `start` started, as long as that process still is that broker. */
async function running() {
  let known;
  try {
    known = JSON.parse(await readFile(RUNNING, 'utf8'));
  } catch {
    return null;
  }
  const { failure, output } = await run('ps', ['-o', 'args=', '-p', String(known.pid)], 5_000);
  return failure === null && output.includes(known.folder) ? known : null;
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
