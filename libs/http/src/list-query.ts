import { createHash } from 'node:crypto';
import { z } from 'zod';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** What a list answers: one page, and the cursor of the next, null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** A list's query as the handler reads it. */
export interface ListQuery<Filters, Position> {
  readonly filters: Filters;
  /** Items on a page at most. Read one more: {@link pageOf} tells by it whether another page follows. */
  readonly limit: number;
  /** The sort key of the last item of the page before; null on the first page. */
  readonly after: Position | null;
  /** What a cursor of this list under these filters carries. */
  readonly binding: string;
}

/** The sort key of lists in the order of their time-ordered ids. */
export const idPosition = z.int().positive();

/** The sort key of lists in the order of a text, such as an application's id. */
export const textPosition = z.string().max(64);

/** The sort key of lists in the order of a time, and of the id where times are equal. */
export const timeAndIdPosition = z.strictObject({
  at: z.iso.datetime().transform((text) => new Date(text)),
  id: z.int().nonnegative(),
});

/**
 * The schema of a list's query: `limit`, `cursor` and the list's filters, nothing else.
 *
 * A cursor is opaque and bound to its list and filters: one of another list, or with other filters than it was
 * made under, is refused, for its position would skip or repeat items.
 *
 * @param name the list's, part of its cursors
 * @param filters schemas of query parameters, each a string at first
 * @param position the schema of the sort key; a cursor was in the caller's hands
 */
export function listQuery<Filters extends z.ZodRawShape, Position extends z.ZodType>(
  name: string,
  filters: Filters,
  position: Position,
) {
  type Values = z.output<z.ZodObject<Filters>>;
  return z.strictObject({ ...filters, limit, cursor }).transform((query, context) => {
    const { limit, cursor, ...values } = query as { limit: number; cursor?: string };
    const binding = bindingOf(name, values);
    const after = cursor === undefined ? null : readCursor(cursor, binding, position);
    if (after === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['cursor'],
        params: { code: 'INVALID_CURSOR' },
        message:
          'The cursor does not belong to this list with these filters. Repeat the call that gave it with its own ' +
          'filters, or begin again without a cursor.',
      });
      return z.NEVER;
    }
    return { filters: values as Values, limit, after, binding } satisfies ListQuery<
      Values,
      z.output<Position>
    >;
  });
}

/**
 * The answer of a list.
 *
 * @param rows in the list's order, up to one more than `query.limit`
 * @param positionOf the sort key of a row
 * @param itemOf a row as callers see it
 */
export function pageOf<Row, Item, Position>(
  query: Pick<ListQuery<unknown, Position>, 'limit' | 'binding'>,
  rows: readonly Row[],
  positionOf: (row: Row) => Position,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    items: page.map(itemOf),
    nextCursor: hasMore ? writeCursor(query.binding, positionOf(last)) : null,
  };
}

/** A filter that takes several values, separated by commas: any of them matches. */
export function commaList<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(100))
    .transform((items) => [...new Set(items)]);
}

/** A time in a query or a body. An offset is taken; answers are in UTC. */
export const isoTime = z.iso
  .datetime({
    offset: true,
    error: (issue) =>
      issue.input === undefined
        ? undefined
        : `${JSON.stringify(String(issue.input).slice(0, 40))} is no ISO-8601 time. Send one such as ` +
          '"2025-01-31T12:00:00Z" (in a query a "+" is written %2B).',
  })
  .transform((text) => new Date(text));

/** `since ≤ t < until`, both optional. */
export const timeRange = { since: isoTime.optional(), until: isoTime.optional() };

const limit = z
  .string()
  .regex(/^\d{1,9}$/, {
    error: (issue) => `${JSON.stringify(String(issue.input))} is no whole number. ${LIMIT_CURE}`,
  })
  .transform(Number)
  .pipe(z.int().min(1).max(MAX_LIMIT))
  .default(DEFAULT_LIMIT);

const cursor = z.string().max(1024).optional();

const LIMIT_CURE = `Send 1 to ${MAX_LIMIT}.`;

function bindingOf(name: string, filters: object): string {
  return createHash('sha256')
    .update(JSON.stringify([name, Object.entries(filters).sort()]))
    .digest('base64url')
    .slice(0, 12);
}

function writeCursor(binding: string, position: unknown): string {
  return Buffer.from(JSON.stringify([binding, position])).toString('base64url');
}

/** Undefined for what was not written by {@link writeCursor} under the same binding. */
function readCursor<Position extends z.ZodType>(
  cursor: string,
  binding: string,
  position: Position,
): z.output<Position> | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const result = z.tuple([z.literal(binding), position]).safeParse(parts);
  return result.success ? (result.data as [string, z.output<Position>])[1] : undefined;
}
