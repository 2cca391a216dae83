import { readdirSync } from 'node:fs';

const LOOK_INTERVAL_MS = 100;

/** Watches how many descriptors a process has open. */
export class OpenDescriptors {
  /** The most that were seen. */
  most = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.look(), LOOK_INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.look();
  }

  private look(): void {
    this.most = Math.max(this.most, readdirSync(`/proc/${this.pid}/fd`).length);
  }
}
