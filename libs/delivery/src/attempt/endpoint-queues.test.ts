import { describe, expect, it } from '@jest/globals';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { EndpointQueues } from './endpoint-queues.js';

const HORIZON_MS = 10_000;
const QUICK = { durationMs: 1, success: true, timedOut: false };
const REFUSED = { durationMs: 1, success: false, timedOut: false };
const TIMED_OUT = { durationMs: 10_000, success: false, timedOut: true };

let nextId = 1;

function newQueues(slots: number, horizonMs: number, monotonicMs: () => number = () => 0): EndpointQueues {
  return new EndpointQueues(slots, horizonMs, monotonicMs);
}

function reference(endpointId: number, token = 1): DeliveryReference {
  return { deliveryId: nextId++, endpointId, token };
}

function filled(queues: EndpointQueues, endpointId: number, count: number): DeliveryReference[] {
  const references = Array.from({ length: count }, () => reference(endpointId));
  for (const one of references) expect(queues.offer(one)).toBe('queued');
  return references;
}

/** An endpoint whose contract has been read: what it allows is known. */
function known(queues: EndpointQueues, endpointId: number, concurrency: number): void {
  const [first] = filled(queues, endpointId, 1);
  queues.takeStartable(1);
  queues.allows(endpointId, concurrency);
  queues.finished(first!, QUICK);
  queues.release(first!);
}

describe('EndpointQueues', () => {
  it('starts one attempt of an endpoint until its contract was read, then as many as that allows (CC-40)', () => {
    const queues = newQueues(100, HORIZON_MS);
    filled(queues, 1, 20);
    expect(queues.takeStartable(100)).toHaveLength(1);
    expect(queues.takeStartable(100)).toHaveLength(0);
    expect(queues.allows(1, 5)).toBe(true);
    expect(queues.takeStartable(100)).toHaveLength(4);
    expect(queues.takeStartable(100)).toHaveLength(0);
  });

  it('says so when the contract allows less than what was taken, and takes it back as the next', () => {
    const queues = newQueues(100, HORIZON_MS);
    known(queues, 1, 10);
    const [first] = filled(queues, 1, 10);
    const taken = queues.takeStartable(100);
    expect(taken).toHaveLength(10);
    expect(queues.allows(1, 9)).toBe(false);
    queues.putBack(first!);
    expect(queues.allows(1, 9)).toBe(true);
    expect(queues.running).toBe(9);
    queues.finished(taken[1]!, QUICK);
    expect(queues.takeStartable(100)).toEqual([first]);
  });

  it('tries one at a time after a timeout, until it succeeds', () => {
    const queues = newQueues(100, HORIZON_MS);
    known(queues, 1, 10);
    filled(queues, 1, 8);
    const [slow] = queues.takeStartable(1);
    queues.finished(slow!, TIMED_OUT);
    const [next] = queues.takeStartable(100);
    expect(queues.takeStartable(100)).toHaveLength(0);
    queues.finished(next!, QUICK);
    expect(queues.takeStartable(100)).toHaveLength(6);
  });

  it('gives each endpoint its turn and never more attempts than slots', () => {
    const queues = newQueues(4, HORIZON_MS);
    for (const endpointId of [1, 2, 3]) known(queues, endpointId, 10);
    for (const endpointId of [1, 2, 3]) filled(queues, endpointId, 4);
    const taken = queues.takeStartable(100);
    expect(taken.map((one) => one.endpointId)).toEqual([1, 2, 3, 1]);
    expect(queues.running).toBe(4);
  });

  it('keeps a quarter of the slots for endpoints that are not failing', () => {
    const queues = newQueues(8, HORIZON_MS);
    known(queues, 1, 20);
    known(queues, 2, 20);
    const [refused] = filled(queues, 1, 1);
    queues.takeStartable(1);
    queues.finished(refused!, REFUSED);
    queues.release(refused!);
    filled(queues, 1, 20);
    expect(queues.takeStartable(100)).toHaveLength(6);
    filled(queues, 2, 20);
    expect(queues.takeStartable(100).map((one) => one.endpointId)).toEqual([2, 2]);
  });

  it('lets failing endpoints run beside healthy ones that would take every slot', () => {
    const queues = newQueues(8, HORIZON_MS);
    known(queues, 1, 20);
    known(queues, 2, 20);
    const [refused] = filled(queues, 1, 1);
    queues.takeStartable(1);
    queues.finished(refused!, REFUSED);
    filled(queues, 1, 10);
    filled(queues, 2, 10);
    const endpoints = queues.takeStartable(100).map((one) => one.endpointId);
    expect(endpoints.filter((endpointId) => endpointId === 1).length).toBeGreaterThanOrEqual(3);
  });

  it('holds a delivery until its result is durable: a second reference is not queued', () => {
    const queues = newQueues(10, HORIZON_MS);
    const [one] = filled(queues, 1, 1);
    expect(queues.offer(one!)).toBe('held');
    queues.takeStartable(1);
    expect(queues.offer({ ...one!, token: 2 })).toBe('held');
    queues.finished(one!, QUICK);
    expect(queues.offer({ ...one!, token: 3 })).toBe('held');
    queues.release(one!);
    expect(queues.offer({ ...one!, token: 4 })).toBe('queued');
  });

  it('sends a waiting delivery under the newer of two tokens', () => {
    const queues = newQueues(10, HORIZON_MS);
    const [one] = filled(queues, 1, 1);
    expect(queues.offer({ ...one!, token: 9 })).toBe('held');
    expect(queues.takeStartable(1)).toEqual([{ ...one!, token: 9 }]);
  });

  it('holds what can start within the horizon and no more', () => {
    const queues = newQueues(100, 1_000);
    known(queues, 1, 5);
    // The mean of 100 ms, guessed at first, has learnt one attempt of 1 ms: 80.2 ms.
    const room = queues.roomFor(1);
    expect(room).toBe(Math.ceil((1_000 * 5) / 80.2));
    filled(queues, 1, room);
    expect(queues.offer(reference(1))).toBe('full');
    expect(queues.isLow(1)).toBe(false);
    queues.takeStartable(5);
    expect(queues.roomFor(1)).toBe(5);
  });

  it('holds in all what it lately finished within the horizon, and two thousand until it knows', () => {
    let now = 0;
    const queues = newQueues(1_000, 10_000, () => now);
    expect(queues.roomInAll).toBe(2_000);
    known(queues, 1, 1_000);
    for (let second = 0; second < 2; second++) {
      for (let finished = 0; finished < 500; finished++) {
        const [one] = filled(queues, 1, 1);
        queues.takeStartable(1);
        now += 2;
        queues.finished(one!, QUICK);
        queues.release(one!);
      }
    }
    expect(queues.roomInAll).toBeGreaterThan(4_900);
    expect(queues.roomInAll).toBeLessThan(5_200);
  });

  it('gives back all that waits, and keeps what runs', () => {
    const queues = newQueues(10, HORIZON_MS);
    known(queues, 1, 2);
    filled(queues, 1, 6);
    const running = queues.takeStartable(10);
    const waiting = queues.takeWaiting();
    expect(running).toHaveLength(2);
    expect(waiting).toHaveLength(4);
    expect(queues.waiting).toBe(0);
    expect(queues.takeStartable(10)).toHaveLength(0);
    expect(queues.running).toBe(2);
    expect(queues.offer(waiting[0]!)).toBe('queued');
  });
});
