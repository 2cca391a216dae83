import { ForkedProcess } from './forked-process.js';
import type { Load, LoaderCommand, LoaderReport, Publications } from './loader-messages.js';

/** The loader as the bench sees it. */
export class LoaderProcess {
  private constructor(private readonly process: ForkedProcess<LoaderCommand, LoaderReport>) {}

  static async start(): Promise<LoaderProcess> {
    const [process] = await ForkedProcess.start<LoaderCommand, LoaderReport>(
      'loader',
      new URL('./loader.ts', import.meta.url),
    );
    return new LoaderProcess(process);
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Resolves when every publish has been answered. */
  publish(load: Omit<Load, 'kind'>): Promise<Publications> {
    const published = this.process.next('published');
    this.process.send({ kind: 'load', ...load });
    return published;
  }

  end(): Promise<void> {
    return this.process.end();
  }
}
