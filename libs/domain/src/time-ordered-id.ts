import { DAY_MS } from './durations.js';

/**
 * The one id of events, deliveries, endpoints and replays: milliseconds since 2025-01-01 UTC in the upper
 * bits, a sequence in the lower 12. The database makes it (`next_id()`); it stays below 2^53 until the year
 * 2094, so a JavaScript number holds it exactly, here and at receivers that parse `X-Webhook-Delivery`.
 */
export type TimeOrderedId = number;

export const ID_EPOCH_MS = Date.UTC(2025, 0, 1);
/** Ids of one millisecond. */
export const SEQUENCE_SIZE = 4096;

/** The smallest id that can be made at that time: the bound for "since" (inclusive) and "until" (exclusive). */
export function firstIdAt(at: Date): TimeOrderedId {
  return Math.max(0, at.getTime() - ID_EPOCH_MS) * SEQUENCE_SIZE;
}

/** When the id was made, to the millisecond. */
export function idTime(id: TimeOrderedId): Date {
  return new Date(ID_EPOCH_MS + Math.floor(id / SEQUENCE_SIZE));
}

/** Midnight UTC of the day the id belongs to: the key of its partition. */
export function idDay(id: TimeOrderedId): Date {
  return new Date(Math.floor(idTime(id).getTime() / DAY_MS) * DAY_MS);
}

/** Reads an id from a URL or a body; null for what cannot be one. */
export function parseTimeOrderedId(text: string): TimeOrderedId | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
