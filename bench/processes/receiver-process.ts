import { ForkedProcess } from './forked-process.js';
import type { Expectation, ReceiverCommand, ReceiverReport, Receipts } from './receiver-messages.js';

/** The receiver as the bench sees it. */
export class ReceiverProcess {
  private constructor(
    private readonly process: ForkedProcess<ReceiverCommand, ReceiverReport>,
    /** `http://127.0.0.2:40001` and so on, a hundred. */
    readonly origins: readonly string[],
    /** Where the running count is told. */
    readonly countPort: number,
  ) {}

  static async start(): Promise<ReceiverProcess> {
    const [process, ready] = await ForkedProcess.start<ReceiverCommand, ReceiverReport>(
      'receiver',
      new URL('./receiver.ts', import.meta.url),
    );
    if (ready.kind !== 'ready') throw new Error(`The receiver began with ${ready.kind}.`);
    return new ReceiverProcess(process, ready.origins, ready.countPort);
  }

  get pid(): number {
    return this.process.pid;
  }

  /**
   * Begins a round. The promise that it resolves with is kept when every delivery was acknowledged.
   */
  async expect(round: Omit<Expectation, 'kind'>): Promise<{ complete: Promise<unknown> }> {
    const complete = this.process.next('complete');
    complete.catch(() => undefined);
    this.process.send({ kind: 'expect', ...round });
    await this.process.next('expecting');
    return { complete };
  }

  async report(): Promise<Receipts> {
    const receipts = this.process.next('receipts');
    this.process.send({ kind: 'report' });
    return receipts;
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
