import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { Announcement, ReferenceReceiver, Transport } from '../transport.js';

/**
 * The transport of the all-in-one process: references go straight to the worker beside us, and announcements
 * to a sink, for there is nobody else to tell.
 */
export class InProcessTransport implements Transport {
  private receiver: ReferenceReceiver | undefined;

  /** @param sink where announcements end, e.g. the log */
  constructor(private readonly sink: (announcement: Announcement) => void) {}

  get connected(): boolean {
    return this.receiver !== undefined;
  }

  sendReferences(references: readonly DeliveryReference[]): Promise<readonly DeliveryReference[]> {
    if (!this.receiver?.hasRoom()) return Promise.resolve(references);
    this.receiver.receive(references);
    return Promise.resolve([]);
  }

  receiveReferences(receiver: ReferenceReceiver): Promise<() => Promise<void>> {
    if (this.receiver) throw new Error('The in-process transport has a worker already.');
    this.receiver = receiver;
    return Promise.resolve(() => {
      this.receiver = undefined;
      return Promise.resolve();
    });
  }

  announce(announcements: readonly Announcement[]): Promise<void> {
    for (const announcement of announcements) this.sink(announcement);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.receiver = undefined;
    return Promise.resolve();
  }
}
