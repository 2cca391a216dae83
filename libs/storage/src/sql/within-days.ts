import { idDay, firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { DAY_MS } from '#domain/durations.js';
import type { Statement } from '../database.js';

/**
 * A prepared statement of its own for each span of days that its rows lie in.
 *
 * The plan that the server keeps for a prepared statement holds, locks and probes every partition that its text does
 * not exclude, for `id = ANY ($1)` excludes none before it runs; a bound does that is written into the text. Spans
 * are of whole days, and what is sent today is of today, yesterday or a few days ago, so statements are few.
 *
 * @param text of the statement, around conditions that keep a column of ids within the days and so many around them
 * @returns the statement for ids from the oldest to the newest, both included
 */
export function withinDays(
  name: string,
  text: (within: (column: string, daysAround?: number) => string) => string,
): (oldest: TimeOrderedId, newest: TimeOrderedId) => Statement {
  const statements = new Map<string, Statement>();
  return (oldest, newest) => {
    const first = idDay(oldest);
    const last = idDay(newest);
    const span = `${name}-${stamp(first)}-${stamp(last)}`;
    let statement = statements.get(span);
    if (!statement) {
      const within = (column: string, daysAround = 0) => {
        const from = new Date(first.getTime() - daysAround * DAY_MS);
        const before = new Date(last.getTime() + (1 + daysAround) * DAY_MS);
        return `${column} >= ${firstIdAt(from)} AND ${column} < ${firstIdAt(before)}`;
      };
      statement = { name: span, text: text(within) };
      statements.set(span, statement);
    }
    return statement;
  };
}

function stamp(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}
