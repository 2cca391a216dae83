import { contractNamed } from '#contracts/registry.js';
import { idTime } from '#domain/time-ordered-id.js';
import type { EventRow } from '#storage/event.repository.js';

export interface EventAnswer {
  id: string;
  application: string;
  type: string;
  occurredAt: Date;
  acceptedAt: Date;
  /** Accepted and kept, delivered to nobody (TF-11). */
  reserved: boolean;
  /** At acceptance. */
  deliveryCount: number;
  suppressedCount: number;
  bodyBytes: number;
}

export function eventAnswer(row: EventRow): EventAnswer {
  const type = contractNamed(row.contract).eventTypes.find(({ name }) => name === row.type);
  return {
    id: row.publicId,
    application: row.applicationId,
    type: row.type,
    occurredAt: row.occurredAt,
    acceptedAt: idTime(row.id),
    reserved: type?.reserved ?? false,
    deliveryCount: row.deliveryCount,
    suppressedCount: row.suppressedCount,
    bodyBytes: row.bodyBytes,
  };
}
