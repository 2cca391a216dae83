import type { Readable, Writable } from 'node:stream';
import type { Environment } from '#config/read-settings.js';

/** Where text goes: a terminal with its width, or a file or pipe. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What a run of the command line has to do with the world. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Data and nothing else. */
  readonly out: TextStream;
  /** Everything else. */
  readonly err: TextStream;
  /** Instead of the environment of the process. */
  readonly env?: Environment;
  /** Ctrl-C. */
  readonly interrupted: AbortSignal;
}

/** Whether there is somebody who can be asked. */
export function isInteractive({ input, err }: Terminal): boolean {
  return input.isTTY === true && err.isTTY === true;
}
