/** What a process must end, in the words of its log. */
interface Resource {
  readonly name: string;
  readonly end: () => Promise<void>;
}

export interface LifecycleLog {
  info(message: string): void;
  error(error: unknown, message: string): void;
}

/** Longer than the worker's 12 s and the server's; reached only by a bug. */
const STOP_LIMIT_MS = 30_000;

/**
 * Starts a process and ends it cleanly, once, on SIGTERM or SIGINT: what was opened last ends first, an error in
 * one step does not keep the others from ending. npm and the terminal each send a signal, so a repeated one
 * changes nothing. A signal during the start ends what is there when the step under way is done.
 */
export class ProcessLifecycle {
  private readonly resources: Resource[] = [];
  private stopping: Promise<void> | undefined;
  private stopRequested = false;
  private started = false;

  constructor(private readonly log: LifecycleLog) {}

  /** Registers what ends before everything registered earlier. */
  onStop(name: string, end: () => Promise<void>): void {
    this.resources.push({ name, end });
  }

  /** Runs `start`; the process then lives until a signal, and exits with 0 after a clean end, else with 1. */
  async run(start: () => Promise<void>): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.request(signal));
    try {
      await start();
      this.started = true;
    } catch (error) {
      this.log.error(error, 'The start failed.');
      process.exitCode = 1;
      this.stopRequested = true;
    }
    if (this.stopRequested) await this.stop();
  }

  /** Something that the process cannot do without is gone for good: it ends like on a signal, but with 1. */
  fail(error: Error): void {
    if (this.stopRequested) return;
    this.stopRequested = true;
    process.exitCode = 1;
    this.log.error(error, 'The process cannot go on.');
    if (this.started) void this.stop();
  }

  private request(signal: string): void {
    if (this.stopRequested) return;
    this.stopRequested = true;
    this.log.info(`${signal}: stopping. What is in flight is finished first.`);
    if (this.started) void this.stop();
  }

  private stop(): Promise<void> {
    this.stopping ??= this.endAll();
    return this.stopping;
  }

  private async endAll(): Promise<void> {
    const limit = setTimeout(() => {
      this.log.error(new Error(`Stopping took longer than ${STOP_LIMIT_MS} ms.`), 'The stop was cut off.');
      process.exit(1);
    }, STOP_LIMIT_MS);
    for (const { name, end } of this.resources.reverse()) {
      try {
        await end();
      } catch (error) {
        this.log.error(error, `${name} did not end cleanly.`);
        process.exitCode = 1;
      }
    }
    clearTimeout(limit);
    this.log.info('Stopped.');
    process.exit();
  }
}
