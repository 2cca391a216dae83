import { EVENT_ID_PLACEHOLDER } from './event-id.js';

/** The contract of the rows and the event that they send: an envelope, which takes further fields of any size. */
export const CONTRACT = 'tf-fiscal';
export const EVENT_TYPE = 'cte.event.registered';
/** For the length alone. */
const OCCURRED_AT = '2026-01-15T12:00:00Z';

/** A body that a receiver gets: some 0.4 or 8 KB. */
export interface BodySize {
  readonly label: string;
  readonly bytes: number;
}

export const BODY_SIZES = {
  small: { label: '0.4 KB', bytes: 400 },
  large: { label: '8 KB', bytes: 8_000 },
} as const satisfies Record<string, BodySize>;

/**
 * The publishing request for one event, whose delivered body has exactly that size. Its further fields are like
 * those of a fiscal document: they compress as such do, not as a repeated letter would.
 */
export function publishBody(application: string, size: BodySize): string {
  return JSON.stringify({ application, ...event(size) });
}

/** The same for many events in one request. */
export function publishBatchBody(applications: readonly string[], size: BodySize): string {
  return JSON.stringify({ events: applications.map((application) => ({ application, ...event(size) })) });
}

/** What a receiver gets of such an event. */
export function deliveredBody(size: BodySize): string {
  return envelope(eventData(size));
}

/** Without `occurredAt`, so that a first delay counts from the acceptance. */
function event(size: BodySize) {
  return { type: EVENT_TYPE, id: EVENT_ID_PLACEHOLDER, data: eventData(size) };
}

function envelope(data: object): string {
  const head = { version: '1.0', event_id: EVENT_ID_PLACEHOLDER, event_type: EVENT_TYPE };
  return JSON.stringify({ ...head, occurred_at: OCCURRED_AT, data });
}

function eventData({ bytes }: BodySize): object {
  const data = {
    event_code: '110180',
    n_seq: '1',
    protocolo: '135260000000099',
    itens: [] as object[],
    obs: '',
  };
  const random = pseudoRandom(7);
  for (;;) {
    const item = nextItem(data.itens.length + 1, random);
    const missing = bytes - envelope({ ...data, itens: [...data.itens, item] }).length;
    if (missing < 0) break;
    data.itens.push(item);
  }
  const missing = bytes - envelope(data).length;
  data.obs = Array.from({ length: missing }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(
    '',
  );
  return data;
}

const GOODS = ['PARAFUSO SEXTAVADO', 'CHAPA GALVANIZADA', 'CABO FLEXIVEL', 'TINTA ACRILICA', 'ROLAMENTO'];

function nextItem(number: number, random: () => number): object {
  const digits = (count: number) => String(Math.floor(random() * 10 ** count)).padStart(count, '0');
  return {
    nItem: String(number),
    cProd: digits(8),
    xProd: `${GOODS[Math.floor(random() * GOODS.length)]} ${digits(3)}`,
    NCM: digits(8),
    vProd: `${digits(4)}.${digits(2)}`,
  };
}

/** The same sequence in every run: mulberry32. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
