import type { DeafReceiverReport } from './deaf-receiver.js';
import { ForkedProcess } from './forked-process.js';

/** A receiver to which connections cannot be made, on every address of 127.0.0.0/8. */
export class DeafReceiverProcess {
  private constructor(
    private readonly process: ForkedProcess<never, DeafReceiverReport>,
    readonly port: number,
  ) {}

  static async start(): Promise<DeafReceiverProcess> {
    const [started, ready] = await ForkedProcess.start<never, DeafReceiverReport>(
      'deaf receiver',
      new URL('./deaf-receiver.ts', import.meta.url),
    );
    process.kill(started.pid, 'SIGSTOP');
    return new DeafReceiverProcess(started, ready.port);
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
