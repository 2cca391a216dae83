import { describe, expect, it } from '@jest/globals';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { EndpointQueues, type EndpointRoom } from './endpoint-queues.js';

const HORIZON_MS = 10_000;
const PLACES = 2_000;
const QUICK = { durationMs: 1, success: true, answered: true };
const SLOW = { durationMs: 9_000, success: true, answered: true };
const REFUSED = { durationMs: 1, success: false, answered: true };
const TIMED_OUT = { durationMs: 10_000, success: false, answered: false };

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

/** Queues what the endpoint takes, and no more than `most`. */
function fillUp(queues: EndpointQueues, endpointId: number, most = PLACES): number {
  let count = 0;
  while (count < most && queues.offer(reference(endpointId)) === 'queued') count++;
  return count;
}

/** An endpoint whose contract was read by an attempt that ended like that. Nothing else may wait yet. */
function known(queues: EndpointQueues, endpointId: number, concurrency: number, ended = QUICK): void {
  filled(queues, endpointId, 1);
  const [first] = queues.takeStartable(1);
  expect(first!.endpointId).toBe(endpointId);
  queues.allows(endpointId, concurrency);
  queues.finished(first!, ended);
  queues.release(first!);
}

function countOf(references: readonly DeliveryReference[], endpointId: number): number {
  return references.filter((one) => one.endpointId === endpointId).length;
}

describe('the slots', () => {
  it('run one attempt of a new endpoint until it answers, then at once as many as its contract allows (CC-40)', () => {
    const queues = newQueues(100, HORIZON_MS);
    filled(queues, 1, 20);
    const [first] = queues.takeStartable(100);
    expect(queues.allows(1, 5)).toBe(true);
    expect(queues.takeStartable(100)).toHaveLength(0);
    queues.finished(first!, QUICK);
    expect(queues.takeStartable(100)).toHaveLength(5);
    expect(queues.takeStartable(100)).toHaveLength(0);
  });

  it('take any answer of a new endpoint for one', () => {
    const queues = newQueues(100, HORIZON_MS);
    known(queues, 1, 5, REFUSED);
    filled(queues, 1, 20);
    expect(queues.takeStartable(100)).toHaveLength(5);
  });

  it('say so when the contract allows less than what was taken, and take it back as the next', () => {
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

  it('try one at a time after a timeout, until it succeeds', () => {
    const queues = newQueues(100, HORIZON_MS);
    known(queues, 1, 10);
    filled(queues, 1, 8);
    const [slow] = queues.takeStartable(1);
    queues.finished(slow!, TIMED_OUT);
    const [next] = queues.takeStartable(100);
    expect(queues.takeStartable(100)).toHaveLength(0);
    queues.finished(next!, REFUSED);
    const [afterNext] = queues.takeStartable(100);
    expect(queues.takeStartable(100)).toHaveLength(0);
    queues.finished(afterNext!, QUICK);
    expect(queues.takeStartable(100)).toHaveLength(5);
  });

  it('give each endpoint its turn, and there are never more attempts than slots', () => {
    const queues = newQueues(4, HORIZON_MS);
    for (const endpointId of [1, 2, 3]) known(queues, endpointId, 10);
    for (const endpointId of [1, 2, 3]) filled(queues, endpointId, 4);
    const taken = queues.takeStartable(100);
    expect(taken.map((one) => one.endpointId)).toEqual([1, 2, 3, 1]);
    expect(queues.running).toBe(4);
  });

  it('go to whoever runs fewest', () => {
    const queues = newQueues(100, HORIZON_MS);
    for (const endpointId of [1, 2]) known(queues, endpointId, 10);
    filled(queues, 1, 9);
    queues.takeStartable(3);
    filled(queues, 2, 9);
    expect(queues.takeStartable(4).map((one) => one.endpointId)).toEqual([2, 2, 2, 1]);
  });

  it('try a new endpoint before those that do not answer', () => {
    const queues = newQueues(1, HORIZON_MS);
    for (const endpointId of [1, 2]) known(queues, endpointId, 10, TIMED_OUT);
    for (const endpointId of [1, 2, 3]) filled(queues, endpointId, 1);
    expect(queues.takeStartable(100).map((one) => one.endpointId)).toEqual([3]);
  });

  it.each([
    ['refuse', REFUSED, 10],
    ['answer after 9 s', SLOW, 10],
    ['do not answer', TIMED_OUT, 1],
  ])('keep a quarter for others when many endpoints %s', (_, ended, each) => {
    const queues = newQueues(512, HORIZON_MS);
    known(queues, 1_000, 10);
    for (let endpointId = 1; endpointId <= 600; endpointId++) known(queues, endpointId, 10, ended);
    for (let endpointId = 1; endpointId <= 600; endpointId++) fillUp(queues, endpointId, each);
    expect(queues.takeStartable(1_000)).toHaveLength(384);
    filled(queues, 1_000, 10);
    expect(queues.takeStartable(1_000)).toHaveLength(8);
  });

  it('keep a quarter for others when many endpoints are new and hang', () => {
    const queues = newQueues(512, HORIZON_MS);
    known(queues, 1_000, 10);
    for (let endpointId = 1; endpointId <= 600; endpointId++) filled(queues, endpointId, 1);
    expect(queues.takeStartable(1_000)).toHaveLength(384);
    filled(queues, 1_000, 10);
    expect(queues.takeStartable(1_000)).toHaveLength(8);
  });

  it('give slow endpoints all that their contract allows while there are enough', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (const endpointId of [1, 2]) known(queues, endpointId, 10, SLOW);
    for (const endpointId of [1, 2]) filled(queues, endpointId, 12);
    const taken = queues.takeStartable(100);
    expect([countOf(taken, 1), countOf(taken, 2)]).toEqual([10, 10]);
  });

  it('leave some to the others when fifty quick endpoints begin to hang at once', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (let endpointId = 1; endpointId <= 100; endpointId++) known(queues, endpointId, 10);
    for (let endpointId = 1; endpointId <= 50; endpointId++) filled(queues, endpointId, 15);
    const hanging = queues.takeStartable(1_000);
    expect(countOf(hanging, 1)).toBe(8);
    expect(hanging).toHaveLength(400);
    for (let endpointId = 51; endpointId <= 100; endpointId++) filled(queues, endpointId, 1);
    expect(queues.takeStartable(1_000)).toHaveLength(50);
  });

  it('leave one to each of the others when three hundred quick endpoints begin to hang at once', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (let endpointId = 1; endpointId <= 310; endpointId++) known(queues, endpointId, 10);
    for (let endpointId = 1; endpointId <= 300; endpointId++) filled(queues, endpointId, 3);
    queues.takeStartable(1_000);
    for (let endpointId = 301; endpointId <= 310; endpointId++) filled(queues, endpointId, 1);
    expect(queues.takeStartable(1_000)).toHaveLength(10);
  });

  it('hold an endpoint to be no longer quick once nothing of it has ended for a second', () => {
    let now = 0;
    const queues = newQueues(8, HORIZON_MS, () => now);
    for (const endpointId of [1, 2]) known(queues, endpointId, 10);
    filled(queues, 1, 10);
    queues.takeStartable(5);
    now += 1_001;
    expect(queues.takeStartable(100)).toHaveLength(1);
    filled(queues, 2, 10);
    expect(queues.takeStartable(100)).toHaveLength(2);
  });

  it('hold it to be quick again with its next success', () => {
    let now = 0;
    const queues = newQueues(8, HORIZON_MS, () => now);
    known(queues, 1, 10);
    filled(queues, 1, 10);
    const [first] = queues.takeStartable(5);
    now += 1_001;
    expect(queues.takeStartable(100)).toHaveLength(1);
    queues.finished(first!, QUICK);
    expect(queues.takeStartable(100)).toHaveLength(2);
  });

  it('let failing endpoints run beside healthy ones that would take every slot', () => {
    const queues = newQueues(8, HORIZON_MS);
    known(queues, 1, 20, REFUSED);
    known(queues, 2, 20);
    filled(queues, 1, 10);
    filled(queues, 2, 10);
    expect(countOf(queues.takeStartable(100), 1)).toBeGreaterThanOrEqual(3);
  });
});

describe('the queues', () => {
  it('hold a delivery until its result is durable: a second reference is not queued', () => {
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

  it('send a waiting delivery under the newer of two tokens', () => {
    const queues = newQueues(10, HORIZON_MS);
    const [one] = filled(queues, 1, 1);
    expect(queues.offer({ ...one!, token: 9 })).toBe('held');
    expect(queues.takeStartable(1)).toEqual([{ ...one!, token: 9 }]);
  });

  it('hold what can start within the horizon and no more', () => {
    const queues = newQueues(100, 1_000);
    known(queues, 1, 5, { ...QUICK, durationMs: 80 });
    expect(fillUp(queues, 1)).toBe(Math.ceil((1_000 * 5) / 80));
    expect(queues.isLow(1)).toBe(false);
    queues.takeStartable(5);
    expect(fillUp(queues, 1)).toBe(5);
  });

  it('hold less of an endpoint the longer none of its attempts has ended', () => {
    let now = 0;
    const queues = newQueues(100, HORIZON_MS, () => now);
    known(queues, 1, 10);
    filled(queues, 1, 20);
    queues.takeStartable(100);
    now += 5_000;
    expect(fillUp(queues, 1)).toBe((HORIZON_MS * 10) / 5_000 - 10);
  });

  it('hold no more of one endpoint than there are places left for all others', () => {
    const queues = newQueues(100, HORIZON_MS);
    for (const endpointId of [1, 2]) known(queues, endpointId, 100);
    expect(fillUp(queues, 1)).toBe(PLACES / 2);
    expect(fillUp(queues, 2)).toBe(PLACES / 4);
  });

  it('leave half of the places to quick endpoints, however many others are sent references', () => {
    const queues = newQueues(512, HORIZON_MS);
    known(queues, 1_000, 10);
    for (let endpointId = 1; endpointId <= 200; endpointId++) known(queues, endpointId, 10, REFUSED);
    for (let endpointId = 1; endpointId <= 200; endpointId++) fillUp(queues, endpointId);
    expect(queues.hasRoom).toBe(true);
    expect(fillUp(queues, 1_000)).toBeGreaterThan(PLACES / 5);
    expect(queues.waiting).toBeLessThan(PLACES);
  });

  it('want no more references unasked once quick endpoints fill half of the places', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (const endpointId of [1, 2]) known(queues, endpointId, 100);
    filled(queues, 1, PLACES / 2 - 1);
    expect(queues.hasRoom).toBe(true);
    filled(queues, 2, 1);
    expect(queues.hasRoom).toBe(false);
  });

  it('want references again once what fills the places has begun to hang', () => {
    let now = 0;
    const queues = newQueues(512, HORIZON_MS, () => now);
    known(queues, 1, 10);
    fillUp(queues, 1);
    queues.takeStartable(1);
    expect(fillUp(queues, 1)).toBe(1);
    expect(queues.hasRoom).toBe(false);
    now += 1_001;
    expect(queues.offer(reference(1))).toBe('full');
    expect(queues.hasRoom).toBe(true);
  });

  it('take one reference of an endpoint that has none, however full the others are', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (let endpointId = 1; endpointId <= PLACES; endpointId++) filled(queues, endpointId, 1);
    expect(fillUp(queues, PLACES + 1)).toBe(1);
  });

  it('hold in all what was lately finished within the horizon', () => {
    let now = 0;
    const queues = newQueues(1_000, 10_000, () => now);
    for (const endpointId of [1, 2, 3, 4]) known(queues, endpointId, 1_000);
    for (let second = 0; second < 2; second++) {
      for (let finished = 0; finished < 500; finished++) {
        const [one] = filled(queues, 1, 1);
        queues.takeStartable(1);
        now += 2;
        queues.finished(one!, QUICK);
        queues.release(one!);
      }
    }
    // Some 5,000: of one endpoint a thousand at most, of the fourth as many as are left.
    expect([1, 2, 3].map((endpointId) => fillUp(queues, endpointId))).toEqual([1_000, 1_000, 1_000]);
    expect(Math.abs(fillUp(queues, 4) - 1_000)).toBeLessThan(100);
  });

  it('share what may be fetched evenly among those that are low', () => {
    const queues = newQueues(512, HORIZON_MS);
    for (const endpointId of [1, 2, 3]) known(queues, endpointId, 10);
    filled(queues, 2, 700);
    expect(queues.roomsFor([1, 2, 3, 4], { endpoints: 200, references: 90 })).toEqual([
      { endpointId: 1, room: 30 },
      { endpointId: 3, room: 30 },
      { endpointId: 4, room: 30 },
    ]);
    expect(queues.roomsFor([1, 2, 3, 4], { endpoints: 2, references: 90 })).toEqual([
      { endpointId: 1, room: 45 },
      { endpointId: 3, room: 45 },
    ]);
  });

  it('take what was fetched for room that is gone meanwhile', () => {
    const queues = newQueues(512, HORIZON_MS);
    known(queues, 1, 10);
    const [{ room }] = queues.roomsFor([1], { endpoints: 1, references: PLACES }) as [EndpointRoom];
    fillUp(queues, 1);
    expect(queues.offer(reference(1))).toBe('full');
    for (let count = 0; count < room; count++) expect(queues.offer(reference(1), true)).toBe('queued');
  });

  it('take all that they said there was room for', () => {
    const queues = newQueues(512, HORIZON_MS);
    const endpointIds = Array.from({ length: 150 }, (_, index) => index + 1);
    for (const endpointId of endpointIds) {
      if (endpointId % 3 > 0) known(queues, endpointId, 10, endpointId % 3 === 1 ? QUICK : REFUSED);
    }
    for (let passes = 0; passes < 5; passes++) {
      for (const { endpointId, room } of queues.roomsFor(endpointIds, {
        endpoints: 200,
        references: PLACES,
      })) {
        filled(queues, endpointId, room);
      }
    }
    expect(queues.waiting).toBeGreaterThan(PLACES * 0.9);
    expect(queues.waiting).toBeLessThanOrEqual(PLACES + 150);
  });

  it('give back all that waits, and keep what runs', () => {
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
