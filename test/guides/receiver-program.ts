import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../support/free-port.js';
import { markedBlock } from '../support/marked-block.js';
import { until } from '../support/until.js';

const PAGE = 'docs/guides/verify-as-a-receiver.md';

/** How a program is run by the ending of its name, and what brings the language. */
const LANGUAGES: Readonly<Record<string, { command: readonly string[]; cure: string }>> = {
  mjs: { command: [process.execPath], cure: 'Node' },
  py: { command: ['python3', '-B'], cure: 'apt-get install -y python3' },
  java: { command: ['java', '-XX:TieredStopAtLevel=1'], cure: 'apt-get install -y default-jdk-headless' },
};

function languageOf(name: string) {
  return LANGUAGES[name.slice(name.lastIndexOf('.') + 1)]!;
}

/** Null where the program can be run, else what would have to be installed. A runtime of Java does not compile. */
export function missingFor(name: string): string | null {
  const { command, cure } = languageOf(name);
  const probe = command[0] === 'java' ? 'javac' : command[0]!;
  return spawnSync(probe, ['--version']).status === 0 ? null : cure;
}

/** A receiver of the guide, started as its page says. */
export class ReceiverProgram {
  /** Ids that it says it has stored. */
  readonly stored: string[] = [];
  private ready = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line === 'ready') this.ready = true;
      if (line.startsWith('stored ')) this.stored.push(line.slice('stored '.length));
    });
  }

  /** @param env its settings, but for the port */
  static async start(
    name: string,
    env: Readonly<Record<string, string>>,
    port?: number,
  ): Promise<ReceiverProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'entrega-receiver-'));
    const file = join(folder, name);
    await writeFile(file, markedBlock(PAGE, `receiver: ${name}`));
    const [command, ...options] = languageOf(name).command as [string, ...string[]];
    port ??= await freePort();
    const child = spawn(command, [...options, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env, PORT: String(port) },
    });
    const program = new ReceiverProgram(child, folder, port);
    await until(() => program.ready || child.exitCode !== null, { timeoutMs: 20_000 });
    if (child.exitCode !== null)
      throw new Error(`${name} ended with ${child.exitCode}; its output is above.`);
    return program;
  }

  /** Delivers, and returns the status of the answer. */
  async receive(headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${this.port}/hook`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  async stop(): Promise<void> {
    this.child.kill();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true });
  }
}
