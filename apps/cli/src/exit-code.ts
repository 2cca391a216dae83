/** How a command ended, for scripts; documented in `--help`. */
export const EXIT_CODES = {
  done: 0,
  refused: 1,
  wrongUsage: 2,
  unreachable: 3,
  failedAgain: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export const EXIT_CODE_MEANINGS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  done: 'done',
  refused: 'refused or failed: the API says why, or the question was answered with no',
  wrongUsage: 'wrong usage or settings; nothing was called',
  unreachable: 'no answer of the API',
  failedAgain: 'redelivered with --wait, and not delivered',
  interrupted: 'left with Ctrl-C; what was started goes on',
};
