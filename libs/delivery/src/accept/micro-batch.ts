import { setTimeout as sleep } from 'node:timers/promises';

/** What limits one batch, and how soon another may follow it. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
  /** From the start of one batch to that of the next, at least: the price of a batch is then shared by more items. */
  readonly intervalMs: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A lane: items that arrive while a batch is under way share the next one, so the batch grows with the load and
 * a lone item waits for nobody but a batch that began just before. One batch at a time; each item's promise settles with its batch.
 */
export class MicroBatchLane<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private waitingBytes = 0;
  private running = false;
  private lastBatchAtMs = -Infinity;

  /**
   * @param run takes a batch without two equal keys, resolves to one result per item in order
   * @param keyOf items with equal keys never share a batch: the later one waits for the next
   */
  constructor(
    private readonly limits: BatchLimits,
    private readonly keyOf: (item: Item) => string,
    private readonly bytesOf: (item: Item) => number,
    private readonly run: (items: Item[]) => Promise<Result[]>,
  ) {}

  /** Items that wait for a batch. */
  get depth(): number {
    return this.waiting.length;
  }

  /** What they weigh. */
  get depthBytes(): number {
    return this.waitingBytes;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.waitingBytes += this.bytesOf(item);
      if (!this.running) {
        this.running = true;
        setImmediate(() => void this.drain());
      }
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const sinceLastMs = performance.now() - this.lastBatchAtMs;
      if (sinceLastMs < this.limits.intervalMs) await sleep(Math.ceil(this.limits.intervalMs - sinceLastMs));
      this.lastBatchAtMs = performance.now();
      const batch = this.takeBatch();
      try {
        const results = await this.run(batch.map((entry) => entry.item));
        batch.forEach((entry, index) => entry.resolve(results[index]!));
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.running = false;
  }

  private takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    const keys = new Set<string>();
    let bytes = 0;
    let index = 0;
    for (; index < this.waiting.length && batch.length < this.limits.items; index++) {
      const entry = this.waiting[index]!;
      const key = this.keyOf(entry.item);
      const entryBytes = this.bytesOf(entry.item);
      if (keys.has(key)) {
        later.push(entry);
        continue;
      }
      if (batch.length > 0 && bytes + entryBytes > this.limits.bytes) break;
      keys.add(key);
      bytes += entryBytes;
      batch.push(entry);
    }
    this.waiting = [...later, ...this.waiting.slice(index)];
    this.waitingBytes -= bytes;
    return batch;
  }
}
