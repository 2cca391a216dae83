import { describe, expect, it } from '@jest/globals';
import { MicroBatchLane } from './micro-batch.js';

interface Item {
  key: string;
  bytes: number;
}

function laneOf(run: (items: Item[]) => Promise<string[]>, limits = { items: 3, bytes: 100, intervalMs: 0 }) {
  return new MicroBatchLane<Item, string>(
    limits,
    (item) => item.key,
    (item) => item.bytes,
    run,
  );
}

const keysOf = (items: Item[]) => Promise.resolve(items.map((item) => item.key));

describe('MicroBatchLane', () => {
  it('lets what arrives together share a batch, bounded in items and bytes', async () => {
    const batches: string[][] = [];
    const lane = laneOf((items) => {
      batches.push(items.map((item) => item.key));
      return keysOf(items);
    });
    const add = (key: string, bytes: number) => lane.add({ key, bytes });
    await Promise.all([add('a', 10), add('b', 10), add('c', 10), add('d', 60), add('e', 60), add('f', 500)]);
    expect(batches).toEqual([['a', 'b', 'c'], ['d'], ['e'], ['f']]);
  });

  it('never puts one key twice into a batch, and keeps the order of the others', async () => {
    const batches: string[][] = [];
    const lane = laneOf((items) => {
      batches.push(items.map((item) => item.key));
      return keysOf(items);
    });
    await Promise.all(['a', 'a', 'b', 'a'].map((key) => lane.add({ key, bytes: 1 })));
    expect(batches).toEqual([['a', 'b'], ['a'], ['a']]);
  });

  it('fails the batch that failed and no other', async () => {
    let runs = 0;
    const lane = laneOf((items) => (++runs === 1 ? Promise.reject(new Error('first')) : keysOf(items)));
    const settled = await Promise.allSettled(['a', 'b', 'c', 'd'].map((key) => lane.add({ key, bytes: 1 })));
    expect(settled.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
    await expect(lane.add({ key: 'e', bytes: 1 })).resolves.toBe('e');
    expect(lane.depth).toBe(0);
    expect(lane.depthBytes).toBe(0);
  });

  it('starts a lone batch at once and the next one no sooner than the interval after it', async () => {
    const startedAtMs: number[] = [];
    const lane = laneOf(
      (items) => {
        startedAtMs.push(performance.now());
        return keysOf(items);
      },
      { items: 3, bytes: 100, intervalMs: 30 },
    );
    const addedAtMs = performance.now();
    await lane.add({ key: 'a', bytes: 1 });
    await Promise.all(['b', 'c'].map((key) => lane.add({ key, bytes: 1 })));
    const [first, second] = startedAtMs as [number, number];
    expect(startedAtMs).toHaveLength(2);
    expect(first - addedAtMs).toBeLessThan(20);
    expect(second - first).toBeGreaterThanOrEqual(29);
  });
});
