import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { EntregaClient } from '#client/entrega-client.js';
import type { CliConfig } from '#config/cli-config.js';
import type { Output } from './output.js';
import { shownText } from './shown-text.js';
import { isInteractive, type Terminal } from './terminal.js';
import { WrongUsage } from './wrong-usage.js';

/** What a command works with. */
export class Session {
  readonly client: EntregaClient;

  /** @throws {WrongUsage} without a key */
  constructor(
    config: CliConfig,
    readonly terminal: Terminal,
    readonly output: Output,
    private readonly yes: boolean,
  ) {
    if (config.key === null) throw new WrongUsage(withoutKey(config.dataDir));
    // Somebody waits for the answer: that the database is away is said after seconds.
    this.client = new EntregaClient({ url: config.url, key: config.key, maxRetries: 1 });
  }

  /** Aborted by Ctrl-C. */
  get interrupted(): AbortSignal {
    return this.terminal.interrupted;
  }

  /**
   * Asks before something is done that cannot be undone by the next command.
   *
   * @throws {WrongUsage} where there is nobody to ask and `--yes` was not given
   */
  async agreed(question: string): Promise<boolean> {
    if (this.yes) return true;
    if (!isInteractive(this.terminal)) {
      throw new WrongUsage('There is no terminal to ask on. Give --yes to do it without being asked.');
    }
    const { input, err, interrupted } = this.terminal;
    const lines = createInterface({ input, output: err });
    // In raw mode Ctrl-C is a key, which readline reports instead of the process.
    const ended = new AbortController();
    lines.once('SIGINT', () => ended.abort());
    lines.once('close', () => ended.abort());
    try {
      const signal = AbortSignal.any([ended.signal, interrupted]);
      const answer = await lines.question(`${shownText(question)} [y/N] `, { signal });
      if (/^y(es)?$/i.test(answer.trim())) return true;
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error;
      err.write('\n');
    } finally {
      lines.close();
    }
    this.output.remark('Nothing was done.');
    return false;
  }
}

function withoutKey(dataDir: string): string {
  const message = 'No API key is set. Set ENTREGA_KEY or ENTREGA_KEY_FILE, or give --key-file PATH.';
  const generated = join(dataDir, 'admin.key');
  try {
    accessSync(generated, constants.R_OK);
  } catch {
    return message;
  }
  return `${message}\nnpm start left an admin key here: export ENTREGA_KEY_FILE='${generated}'`;
}
