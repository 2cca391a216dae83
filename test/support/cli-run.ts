import { PassThrough } from 'node:stream';
import { runCli } from '#apps/cli/src/run-cli.js';
import type { Environment } from '#config/read-settings.js';

export interface CliRunOptions {
  readonly env?: Environment;
  /** What comes in on standard input. */
  readonly input?: string;
  /** A terminal so many columns wide, with somebody at it. */
  readonly columns?: number;
  readonly interrupted?: AbortSignal;
  /** Called with all that was written to standard error so far. */
  readonly onErr?: (text: string, type: (keys: string) => void) => void;
  /** Called with all that was written to standard output so far. */
  readonly onOut?: (text: string) => void;
}

export interface CliRun {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** The command line as `npx entrega` runs it, in this process. */
export async function cliRun(args: readonly string[], options: CliRunOptions = {}): Promise<CliRun> {
  const { columns, input, interrupted = new AbortController().signal } = options;
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const standardInput = Object.assign(new PassThrough(), terminal, { setRawMode: () => undefined });
  if (columns === undefined) standardInput.end(input);
  const out = new PassThrough();
  const err = new PassThrough();
  const texts = { out: '', err: '' };
  out.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
    options.onOut?.(texts.out);
  });
  err.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
    options.onErr?.(texts.err, (keys) => void standardInput.write(keys));
  });
  const exitCode = await runCli(args, {
    input: standardInput,
    out: Object.assign(out, terminal),
    err: Object.assign(err, terminal),
    env: options.env ?? {},
    interrupted,
  });
  for (const stream of [out, err]) stream.end();
  await Promise.all([out, err].map((stream) => new Promise((resolve) => stream.once('end', resolve))));
  return { exitCode, ...texts };
}
