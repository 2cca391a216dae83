import { EXIT_CODES } from './exit-code.js';
import { runCli } from './run-cli.js';

const { stdin, stdout, stderr } = process;

// Whoever reads the data may have enough of it: `entrega deliveries list | head`.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT_CODES.done);
});

const interruption = new AbortController();
// A second Ctrl-C ends it on the spot.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  input: stdin,
  out: stdout,
  err: stderr,
  interrupted: interruption.signal,
});
