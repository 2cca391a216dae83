import { ForkedProcess } from './forked-process.js';
import type { RawSend, RawSenderReport } from './raw-sender-messages.js';

/** The raw sender as the bench sees it. */
export class RawSenderProcess {
  private constructor(private readonly process: ForkedProcess<RawSend, RawSenderReport>) {}

  static async start(): Promise<RawSenderProcess> {
    const [process] = await ForkedProcess.start<RawSend, RawSenderReport>(
      'raw sender',
      new URL('./raw-sender.ts', import.meta.url),
    );
    return new RawSenderProcess(process);
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Resolves with the time of the first request when every one was answered. */
  async send(command: Omit<RawSend, 'kind'>): Promise<number> {
    const sent = this.process.next('sent');
    this.process.send({ kind: 'send', ...command });
    return (await sent).startedAtMs;
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
