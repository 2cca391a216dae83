import { ForkedProcess } from './forked-process.js';
import type { UnwellReceiverCommand, UnwellReceiverReport } from './unwell-receiver-messages.js';

/** The receiver of those that are not well, as the bench sees it. */
export class UnwellReceiverProcess {
  private constructor(
    private readonly process: ForkedProcess<UnwellReceiverCommand, UnwellReceiverReport>,
    private readonly port: number,
    /** `address:port` of a name server that says nothing. */
    readonly nameServer: string,
  ) {}

  static async start(): Promise<UnwellReceiverProcess> {
    const [process, ready] = await ForkedProcess.start<UnwellReceiverCommand, UnwellReceiverReport>(
      'unwell receiver',
      new URL('./unwell-receiver.ts', import.meta.url),
    );
    if (ready.kind !== 'ready') throw new Error(`The unwell receiver began with ${ready.kind}.`);
    return new UnwellReceiverProcess(process, ready.port, ready.nameServer);
  }

  /**
   * The origin, and the path that its webhook begins with, of one that hangs, answers after 9 s, or does as it is
   * told by {@link turn}. Each number has a host of its own.
   */
  urlOf(ailment: 'hanging' | 'slow' | 'turning', number: number): string {
    return `http://127.1.${number >> 8}.${number & 255}:${this.port}/${ailment}`;
  }

  async turn(to: 'well' | 'hanging'): Promise<void> {
    const turned = this.process.next('turned');
    this.process.send({ kind: 'turn', to });
    await turned;
  }

  /** Ends every attempt that hangs. */
  async drop(): Promise<void> {
    const dropped = this.process.next('dropped');
    this.process.send({ kind: 'drop' });
    await dropped;
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
