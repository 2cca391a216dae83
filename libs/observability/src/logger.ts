import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface LoggerOptions {
  /** The process's role (`ingest`, `standalone`), on every line. */
  readonly role: string;
  readonly level: LogLevel;
  readonly format: LogFormat;
}

/**
 * The logger of a process: one line per record to standard output, as JSON for machines or in colours for a
 * person at a terminal. Secrets and bodies are never given to it, so it has none to hide.
 *
 * @param destination where lines go instead of standard output
 */
export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  const settings = {
    level: options.level,
    base: { role: options.role },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return pino(
    settings,
    options.format === 'pretty' ? prettyLines(destination) : (destination ?? pino.destination(1)),
  );
}

/** `12:04:31 INFO  Listening on http://127.0.0.1:8080`, with further members below the line. */
function prettyLines(destination?: DestinationStream): DestinationStream {
  return pretty({
    colorize: destination === undefined && process.stdout.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'role,context',
    destination: destination ?? 1,
    // Nothing is lost when the process ends right after a line.
    sync: true,
  });
}
