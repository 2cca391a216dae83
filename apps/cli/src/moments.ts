import { parseDurationMs } from '#domain/durations.js';
import { WrongUsage } from './wrong-usage.js';

const WITH_ZONE = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Reads a time of the command line: ISO 8601 with its zone, a date (its beginning in UTC), or a duration.
 *
 * @param name of the option, for the refusal
 * @param direction what a duration means: that long before or after now
 * @returns as the API takes it
 * @throws {WrongUsage} for anything else
 */
export function momentOf(name: string, direction: 'ago' | 'ahead', text: string, nowMs: number): string {
  const durationMs = parseDurationMs(text);
  const ms =
    durationMs !== null
      ? nowMs + (direction === 'ago' ? -durationMs : durationMs)
      : WITH_ZONE.test(text) || DATE.test(text)
        ? Date.parse(text)
        : NaN;
  const time = new Date(ms);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  const duration = direction === 'ago' ? '2h (two hours ago)' : '2h (in two hours)';
  throw new WrongUsage(
    `--${name} ${JSON.stringify(text)} is no time. Give 2026-01-31T12:00:00Z, 2026-01-31, or ${duration}.`,
  );
}
