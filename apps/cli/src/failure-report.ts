import { ApiProblem, ApiUnreachable } from '#client/api-problem.js';
import { ConfigError } from '#config/read-settings.js';
import { EXIT_CODES, type ExitCode } from './exit-code.js';
import { WrongUsage } from './wrong-usage.js';

export interface FailureReport {
  readonly exitCode: ExitCode;
  /** What, which value, and what to do. Not escaped yet. */
  readonly text: string;
}

/** What to say of an error, and how to end; null for one that is a fault of ours. */
export function failureReport(error: unknown): FailureReport | null {
  if (error instanceof ApiProblem) return { exitCode: EXIT_CODES.refused, text: problemText(error) };
  if (error instanceof ApiUnreachable) {
    const cure = 'Is it running (npm start)? --url or ENTREGA_URL says where it is.';
    return {
      exitCode: EXIT_CODES.unreachable,
      text: `Could not reach the API at ${error.url}: ${error.reason}.\n${cure}`,
    };
  }
  if (error instanceof WrongUsage || error instanceof ConfigError) {
    return { exitCode: EXIT_CODES.wrongUsage, text: error.message };
  }
  return null;
}

function problemText(problem: ApiProblem): string {
  const { status, code, title, detail, errors, retryAfterSeconds, requestId } = problem;
  // Where the detail repeats the faults, they are said once.
  const listed = errors.some(({ message }) => detail.includes(message));
  return [
    `${listed ? title : detail} (${status} ${code})`,
    ...errors.map(({ pointer, parameter, message }) => `  ${parameter ?? pointer ?? 'body'}: ${message}`),
    ...(status === 401 ? ['Is the key of ENTREGA_KEY, ENTREGA_KEY_FILE or --key-file one of this API?'] : []),
    ...(retryAfterSeconds === null ? [] : [`Try again in ${retryAfterSeconds} s.`]),
    // Refusals are not logged.
    ...(requestId === null || status < 500
      ? []
      : [`Request ${requestId}: the log of the server says more under this id.`]),
  ].join('\n');
}
