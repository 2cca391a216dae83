import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { Announcement, ReferenceReceiver, Transport } from '#transport/transport.js';
import { until } from '../support/until.js';

/** One transport as two processes see it: the same object where they are one. */
export interface Connected {
  /** Of a process that accepts events. */
  readonly sender: Transport;
  /** Of a worker. */
  readonly receiver: Transport;
  /** What came out where announcements end, for these topics. */
  announced(topics: readonly string[]): Promise<readonly Announcement[]>;
  close(): Promise<void>;
}

/** A receiver that collects, and takes as long as it is told to. */
export class CollectingReceiver implements ReferenceReceiver {
  readonly received: DeliveryReference[] = [];
  room = true;

  receive(references: readonly DeliveryReference[]): void {
    this.received.push(...references);
  }

  hasRoom(): boolean {
    return this.room;
  }
}

/** References with ids as large as ids get, in this order. */
export function referencesOf(endpoints: readonly number[], each: number): DeliveryReference[] {
  return Array.from({ length: each }, (_, round) =>
    endpoints.map((endpointId) => ({
      deliveryId: 2 ** 52 + endpointId * 100_000 + round,
      endpointId: 2 ** 51 + endpointId,
      token: 1_760_000_000_000 + round,
    })),
  ).flat();
}

/** What every transport promises, run unchanged over each. */
export function describeTransport(name: string, connect: () => Promise<Connected>): void {
  const patience = { timeoutMs: 20_000 };

  describe(`${name} as a transport`, () => {
    let transport: Connected;
    let receiver: CollectingReceiver;
    let end: () => Promise<void>;

    beforeEach(async () => {
      transport = await connect();
      receiver = new CollectingReceiver();
      end = await transport.receiver.receiveReferences(receiver);
      await until(() => transport.sender.connected && transport.receiver.connected, patience);
    }, 60_000);
    afterEach(() => transport.close());

    const deliveryIds = (references: readonly DeliveryReference[]) =>
      references.map(({ deliveryId }) => deliveryId).sort();

    it('hands on each reference once, as it was sent, those of an endpoint in order', async () => {
      const references = referencesOf([1, 2, 3, 4, 5], 200);
      expect(await transport.sender.sendReferences(references.slice(0, 10))).toEqual([]);
      expect(await transport.sender.sendReferences(references.slice(10))).toEqual([]);
      await until(() => receiver.received.length >= references.length, patience);
      for (const endpointId of new Set(references.map((reference) => reference.endpointId))) {
        const of = (list: readonly DeliveryReference[]) =>
          list.filter((reference) => reference.endpointId === endpointId);
        expect(of(receiver.received)).toEqual(of(references));
      }
    });

    it('hands on nothing while the receiver has no room, and loses nothing by that', async () => {
      receiver.room = false;
      const references = referencesOf([1, 2, 3], 50);
      const unsent = await transport.sender.sendReferences(references);
      expect(receiver.received).toEqual([]);
      receiver.room = true;
      expect(await transport.sender.sendReferences(unsent)).toEqual([]);
      await until(() => receiver.received.length >= references.length, patience);
      expect(deliveryIds(receiver.received)).toEqual(deliveryIds(references));
    });

    it('hands on nothing once the receiver has ended it', async () => {
      await end();
      await transport.sender.sendReferences(referencesOf([1], 10));
      const second = new CollectingReceiver();
      const endSecond = await transport.receiver.receiveReferences(second);
      await until(() => transport.sender.connected && transport.receiver.connected, patience);
      await transport.sender.sendReferences(referencesOf([2], 10));
      await until(() => second.received.length >= 10, patience);
      expect(receiver.received).toEqual([]);
      await endSecond();
    });

    it('refuses a second worker', () => {
      expect(() => transport.receiver.receiveReferences(new CollectingReceiver())).toThrow('worker already');
    });

    it('announces each under its topic and key, those of one key in order', async () => {
      const topics = ['dead-letters.v1', 'operator-events.v1'];
      const announcements = Array.from({ length: 40 }, (_, index) => ({
        topic: topics[index % 2]!,
        key: `key-${index % 5}`,
        payload: { index, text: 'ação "é" \u2028', nested: { list: [1, null] } },
      }));
      await transport.sender.announce(announcements);
      const announced = await until(async () => {
        const all = await transport.announced(topics);
        return all.length >= announcements.length && all;
      }, patience);
      const byKey = (list: readonly Announcement[]) =>
        Object.groupBy(list, ({ topic, key }) => `${topic} ${key}`);
      expect(byKey(announced)).toEqual(byKey(announcements));
    });

    it('returns everything unsent after its end, and ends at once when told again', async () => {
      await transport.sender.close();
      const references = referencesOf([1], 3);
      expect(await transport.sender.sendReferences(references)).toEqual(references);
      await transport.sender.close();
    });
  });
}
