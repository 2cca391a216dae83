import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const loader = fileURLToPath(new URL('../../test/support/source-loader.mjs', import.meta.url));

/**
 * A process of the bench's own that takes commands and answers with reports. It ends with the bench, however that
 * ends: its channel closes then.
 */
export class ForkedProcess<Command extends object, Report extends { readonly kind: string }> {
  private readonly waiting = new Map<string, PromiseWithResolvers<Report>>();
  private failure: Error | undefined;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    child.on('message', (report: Report) => this.take(report));
    child.once('exit', (code, signal) =>
      this.fail(new Error(`The ${this.name} ended by itself (${signal ?? code}); its output is above.`)),
    );
  }

  /** @param entry of the process, as a URL; it says `ready` when it can take commands */
  static async start<Command extends object, Report extends { readonly kind: string }>(
    name: string,
    entry: URL,
  ): Promise<[ForkedProcess<Command, Report>, Report]> {
    const child = fork(fileURLToPath(entry), {
      execArgv: ['--import', loader],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const started = new ForkedProcess<Command, Report>(name, child);
    return [started, await started.next('ready')];
  }

  get pid(): number {
    return this.child.pid!;
  }

  send(command: Command): void {
    this.child.send(command);
  }

  /** The next report of that kind. Rejects when the process ends before. */
  next<Kind extends Report['kind']>(kind: Kind): Promise<Extract<Report, { kind: Kind }>> {
    if (this.failure) return Promise.reject(this.failure);
    const wanted = this.waiting.get(kind) ?? Promise.withResolvers<Report>();
    this.waiting.set(kind, wanted);
    return wanted.promise as Promise<Extract<Report, { kind: Kind }>>;
  }

  async end(): Promise<void> {
    this.failure ??= new Error(`The ${this.name} was ended.`);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }

  private take(report: Report): void {
    this.waiting.get(report.kind)?.resolve(report);
    this.waiting.delete(report.kind);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const wanted of this.waiting.values()) wanted.reject(this.failure);
    this.waiting.clear();
  }
}
