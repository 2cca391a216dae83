import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readProcess } from '../measure/process-stat.js';
import type { Legacy } from './caretaker.js';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Sees to it that nothing outlives the bench, even when that is killed. */
export class CaretakerProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(): CaretakerProcess {
    const loader = file('../../test/support/source-loader.mjs');
    const child = spawn(process.execPath, ['--import', loader, file('./caretaker.ts')], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    return new CaretakerProcess(child);
  }

  minds(
    what: { readonly process: number } | { readonly dataDir: string } | { readonly folder: string },
  ): void {
    if ('process' in what) {
      const found = readProcess(what.process);
      if (found) this.tell({ kind: 'process', pid: found.pid, startTicks: found.startTicks });
    } else if ('dataDir' in what) this.tell({ kind: 'data-dir', path: what.dataDir });
    else this.tell({ kind: 'folder', path: what.folder });
  }

  /** Returns when nothing is left. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.stdin!.end();
    await exit;
  }

  private tell(legacy: Legacy): void {
    this.child.stdin!.write(`${JSON.stringify(legacy)}\n`);
  }
}
