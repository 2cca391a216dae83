import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { Announcement, ReferenceHandler, Transport } from '../transport.js';

/**
 * The transport of the all-in-one process: references go straight to the worker beside us, and announcements
 * to a sink, for there is nobody else to tell.
 */
export class InProcessTransport implements Transport {
  private handler: ReferenceHandler | undefined;

  /** @param sink where announcements end, e.g. the log */
  constructor(private readonly sink: (announcement: Announcement) => void) {}

  get connected(): boolean {
    return this.handler !== undefined;
  }

  sendReferences(references: readonly DeliveryReference[]): Promise<readonly DeliveryReference[]> {
    if (!this.handler) return Promise.resolve(references);
    this.handler(references);
    return Promise.resolve([]);
  }

  receiveReferences(handler: ReferenceHandler): Promise<() => Promise<void>> {
    if (this.handler) throw new Error('The in-process transport has a worker already.');
    this.handler = handler;
    return Promise.resolve(() => {
      this.handler = undefined;
      return Promise.resolve();
    });
  }

  announce(announcements: readonly Announcement[]): Promise<void> {
    for (const announcement of announcements) this.sink(announcement);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.handler = undefined;
    return Promise.resolve();
  }
}
