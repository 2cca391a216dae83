import { loadCliConfig } from '#config/cli-config.js';
import type { Arguments } from './command-line.js';
import { readCommandLine } from './command-line.js';
import type { Command } from './command.js';
import { EXIT_CODES, type ExitCode } from './exit-code.js';
import { failureReport } from './failure-report.js';
import { Output } from './output.js';
import { Session } from './session.js';
import type { Terminal } from './terminal.js';

/** Help is read in lines that the eye finds back from, however wide the window is. */
const WIDEST_HELP = 110;

/** One run of the command line. Throws for faults of ours alone. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const request = await readCommandLine(args, Math.min(terminal.out.columns ?? 100, WIDEST_HELP));
  const remarks = new Output(terminal.out, terminal.err, false);
  switch (request.kind) {
    case 'text':
      terminal.out.write(`${request.text}\n`);
      return EXIT_CODES.done;
    case 'wrong':
      remarks.remark(`${request.message}\n${request.help} says how.`);
      return EXIT_CODES.wrongUsage;
    case 'run':
      return runCommand(request.command, request.args, terminal);
  }
}

async function runCommand(command: Command, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const output = new Output(terminal.out, terminal.err, args.json);
  try {
    const config = loadCliConfig({ url: args.url, keyFile: args['key-file'] }, terminal.env);
    const session = new Session(config, terminal, output, args.yes === true);
    return (await command.run(session, args as never)) ?? EXIT_CODES.done;
  } catch (error) {
    if (terminal.interrupted.aborted) return EXIT_CODES.interrupted;
    const report = failureReport(error);
    if (report === null) throw error;
    output.remark(report.text);
    return report.exitCode;
  }
}
