import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.js';

const BACKLOG = 1;
/** The kernel completes one connection more than the backlog says. */
const QUEUED = BACKLOG + 1;
const FILLERS = 8;

export interface NeverAccepting {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * A process that listens and is stopped, and whose queue of connections is full: whoever connects hears nothing
 * at all. Listens on every address of 127.0.0.0/8.
 */
export async function startNeverAccepting(): Promise<NeverAccepting> {
  const listener = spawn(process.execPath, [
    '-e',
    `const server = require('node:net').createServer();
     const options = { port: 0, host: '0.0.0.0', backlog: ${BACKLOG} };
     server.listen(options, () => console.log(server.address().port));`,
  ]);
  const [line] = (await once(listener.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  listener.kill('SIGSTOP');
  const fillers = Array.from({ length: FILLERS }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const open = () => fillers.filter((filler) => filler.readyState === 'open').length;
  await until(() => open() === QUEUED, { describe: 'a full queue of connections' });
  // The kernel answers on loopback at once or not at all: who waits now is not let in.
  await sleep(20);
  if (open() !== QUEUED) throw new Error(`${open()} connections were let in, not ${QUEUED}.`);
  return {
    port,
    stop: async () => {
      for (const filler of fillers) filler.destroy();
      listener.kill('SIGKILL');
      await once(listener, 'close');
    },
  };
}
