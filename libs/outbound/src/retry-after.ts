import { DAY_MS, SECOND_MS } from '#domain/durations.js';

/** Longer waits are cut to this, so that the number fits wherever it is kept; contracts cap it far lower. */
const LONGEST_MS = 366 * DAY_MS;

const SECONDS = /^\d+$/;
const TIME = '\\d{2}:\\d{2}:\\d{2}';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const HTTP_DATE = new RegExp(
  '^(?:' +
    `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d{2} ${MONTH} \\d{4} ${TIME} GMT|` +
    `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT|` +
    `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} [ \\d]\\d ${TIME} \\d{4}` +
    ')$',
);

/**
 * What a `Retry-After` asks for, in milliseconds from `nowMs` (Unix time): whole seconds or one of the three
 * HTTP dates (RFC 9110, 10.2.3 and 5.6.7). Null for anything else and for a date that is past.
 */
export function parseRetryAfterMs(value: string, nowMs: number): number | null {
  const text = value.trim();
  if (SECONDS.test(text)) return Math.min(Number(text) * SECOND_MS, LONGEST_MS);
  if (!HTTP_DATE.test(text)) return null;
  // The asctime form names no zone and means GMT.
  const waitMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - nowMs;
  return waitMs >= 0 ? Math.min(waitMs, LONGEST_MS) : null;
}
