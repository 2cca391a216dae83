import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cliRun, type CliRun, type CliRunOptions } from './cli-run.js';

const FOLDER = new URL('../../docs/runbooks/', import.meta.url);

/** Names of the pages, without their ending. */
export const RUNBOOK_PAGES = readdirSync(FOLDER)
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''));

/** What an operator has set before reading a page: see docs/runbooks/README.md. */
export interface OperatorShell {
  readonly ENTREGA_URL: string;
  readonly ENTREGA_KEY: string;
  /** The process in question. */
  readonly ENTREGA_OPS: string;
}

/** Words in capitals of a page, and what stands for them. */
export type Ids = Readonly<Record<string, string>>;

/** A page of docs/runbooks, whose commands are run as they are printed. */
export class RunbookPage {
  private readonly text: string;

  constructor(private readonly name: string) {
    this.text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
  }

  /** The lines of the block that the page begins with. */
  get firstCalls(): string[] {
    return linesOf(/```sh\n([^]*?)```/.exec(this.text)?.[1] ?? '');
  }

  /** The commands of `npx entrega` and the lines of blocks under `**Cure.**`, `**A or B.**` … */
  commandsOf(part: 'A or B' | 'Cure'): string[] {
    const [, behind = ''] = this.text.split(`**${part}.**`);
    const text = behind.split(/^\*\*/m)[0]!;
    return [...text.matchAll(/```sh\n([^]*?)```|`(npx entrega [^`]+)`/g)].flatMap(([, block, command]) =>
      block === undefined ? [command!.replaceAll(/\s+/g, ' ')] : linesOf(block),
    );
  }

  /** The one command of a part that begins so. */
  command(part: 'A or B' | 'Cure', beginning: string): string {
    const [found, ...others] = this.commandsOf(part).filter((line) => line.startsWith(beginning));
    if (found === undefined || others.length > 0)
      throw new Error(`Under ${part} ${this.name} has not exactly one ${beginning}.`);
    return found;
  }
}

/** At the desk of whoever is on call: runs what a page says. */
export class OperatorDesk {
  constructor(readonly shell: OperatorShell) {}

  /** Every call that the page begins with; rejects where one fails that must not. */
  async firstCalls(page: RunbookPage, ids: Ids = {}): Promise<string> {
    const said: string[] = [];
    for (const line of page.firstCalls) said.push((await this.run(line, ids)).out);
    return said.join('\n');
  }

  /** @throws where it does not end with 0 */
  async run(line: string, ids: Ids = {}): Promise<CliRun> {
    const run = await this.try(line, ids);
    if (run.exitCode !== 0) throw new Error(`${line} ended with ${run.exitCode}: ${run.out}${run.err}`);
    return run;
  }

  /** The command line in this process, at a terminal and answering yes to what it asks; anything else in a shell. */
  async try(line: string, ids: Ids = {}, options: CliRunOptions = {}): Promise<CliRun> {
    const filled = Object.entries(ids).reduce(
      (text, [word, id]) => text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), id),
      line,
    );
    const [, words] = /^npx entrega (.*)$/.exec(filled) ?? [];
    if (words === undefined) return this.inShell(filled);
    const run = await cliRun(wordsOf(words), {
      env: { ...this.shell },
      columns: 400,
      onErr: (text, type) => text.endsWith('[y/N] ') && type('y\r'),
      ...options,
    });
    return { ...run, out: run.out.replaceAll(/\u001b\[\d+m/g, '') };
  }

  private inShell(line: string): Promise<CliRun> {
    const shell = spawn('bash', ['-o', 'pipefail', '-c', line], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...this.shell },
    });
    const texts = { out: '', err: '' };
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    return new Promise((resolve, reject) => {
      shell.once('error', reject);
      shell.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, ...texts }));
    });
  }
}

/** As a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
}

function linesOf(block: string): string[] {
  return block.split('\n').filter((line) => line.trim() !== '');
}
