import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { markedBlock } from '../support/marked-block.js';
import type { ReceivedDelivery, ReceiverConfiguration } from './cortecloud-verifier.js';

const SCRIPT = fileURLToPath(new URL('./cortecloud_verifier.py', import.meta.url));

/**
 * The Cortecloud receiver in Python that the guide offers for copying, one child process for any number of deliveries.
 * Questions are answered in the order asked, a line each.
 */
export class CortecloudPythonVerifier {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting: {
    resolve: (accepted: boolean) => void;
    reject: (error: Error) => void;
  }[] = [];
  private readonly closed: Promise<void>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'entrega-receiver-'));

  constructor() {
    const program = join(this.folder, 'cortecloud_receiver.py');
    writeFileSync(
      program,
      markedBlock('docs/guides/verify-as-a-receiver.md', 'receiver: cortecloud_receiver.py'),
    );
    this.child = spawn('python3', ['-B', SCRIPT, program], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const { accepted } = JSON.parse(line) as { accepted: boolean };
      this.waiting.shift()?.resolve(accepted);
    });
    this.closed = new Promise((resolve) => {
      this.child.once('close', (code) => {
        const error = new Error(`The Python verifier ended with ${code}; its error output says why.`);
        for (const { reject } of this.waiting.splice(0)) reject(error);
        resolve();
      });
    });
    // A child that ended is told by `close`; the write that failed on it says no more.
    this.child.stdin.on('error', () => undefined);
    this.child.once('error', () => undefined);
  }

  accepts(
    { rawHeaders, body }: ReceivedDelivery,
    { url, secrets, ownKey }: ReceiverConfiguration,
  ): Promise<boolean> {
    const headers: Record<string, string> = {};
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers[rawHeaders[at]?.toLowerCase() ?? ''] = rawHeaders[at + 1] ?? '';
    }
    const question = { url, secrets, ownKey: ownKey ?? null, headers, body: body.toString('base64') };
    return new Promise((resolve, reject) => {
      if (this.child.exitCode !== null) return reject(new Error('The Python verifier has ended.'));
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${JSON.stringify(question)}\n`);
    });
  }

  /** Resolves when the child has ended. */
  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.closed;
    rmSync(this.folder, { recursive: true });
  }
}
