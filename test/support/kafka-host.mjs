/*
 * Runs one Kafka of the tests in a process apart, and ends it when standard input ends, however the tests
 * ended. A Ctrl-C does not reach it, for it is started in a session of its own.
 *
 * Prints the brokers when Kafka answers. Then each line of standard input is a command, done before the next
 * one is read, and answered by a line: `ok`, or what went wrong. The argument is a folder to remove at the end,
 * or what its secure listener asks for, as JSON.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { KafkaBroker } from '../../scripts/kafka-broker.mjs';
import { KafkaUnavailable } from '../../scripts/kafka-distribution.mjs';

const argument = process.argv[2] ?? '';
const secure = argument.startsWith('{') ? JSON.parse(argument) : undefined;
const input = createInterface({ input: process.stdin });
// From here on, or an end that comes while the broker starts would go unseen.
const commands = input[Symbol.asyncIterator]();
// Nobody may be left to read the answers; the broker must be ended all the same.
process.stdout.on('error', () => undefined);
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @type {KafkaBroker | undefined} */
let broker;
try {
  broker = await KafkaBroker.create({ secure, say: (message) => console.error(message) });
  await broker.start();
  say(secure ? broker.secureBrokers : broker.brokers);
  for await (const command of commands) {
    await obey(broker, command).then(
      () => say('ok'),
      (error) => say(error.message),
    );
  }
} catch (error) {
  console.error(error instanceof KafkaUnavailable ? error.message : error);
  process.exitCode = 1;
} finally {
  input.close();
  await broker?.remove();
  if (secure === undefined && argument !== '') await rm(argument, { recursive: true, force: true });
}

async function obey(broker, command) {
  switch (command) {
    case 'start':
      return broker.start();
    case 'stop':
      return broker.stop();
    case 'kill':
      return broker.kill();
    case 'pause':
      return broker.pause();
    case 'resume':
      return broker.resume();
    default:
      throw new Error(`There is no command ${command}.`);
  }
}
