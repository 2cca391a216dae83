import { createHash } from 'node:crypto';
import { z } from 'zod';
import { documentedAs } from './openapi/json-schema.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** What a list answers: one page, and the cursor of the next, null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The schema of a {@link Page}. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).readonly(),
    nextCursor: z
      .string()
      .nullable()
      .describe('`cursor` of the next page, which may follow a page that is not full; null at the end.'),
  });
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
    if (!isInOrder(values)) {
      const { error: message, ...issue } = UNTIL_BEFORE_SINCE;
      context.addIssue({ ...issue, code: 'custom', message });
      return z.NEVER;
    }
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
 * @param stoppedAt where the search for rows was broken off, so that the page is answered soon: the next one goes on
 *   there, though this one may hold fewer items than asked for
 */
export function pageOf<Row, Item, Position>(
  query: Pick<ListQuery<unknown, Position>, 'limit' | 'binding'>,
  rows: readonly Row[],
  positionOf: (row: Row) => Position,
  itemOf: (row: Row) => Item,
  stoppedAt: Position | null = null,
): Page<Item> {
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const next = rows.length > page.length && last !== undefined ? positionOf(last) : stoppedAt;
  return {
    items: page.map(itemOf),
    nextCursor: next === null ? null : writeCursor(query.binding, next),
  };
}

/** A filter that takes several values, separated by commas: any of them matches. */
export function commaList<Item extends z.ZodType<unknown, string>>(item: Item) {
  const items = z.array(item).min(1).max(100);
  return documentedAs(
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(items)
      .transform((values) => [...new Set(values)]),
    items,
  );
}

/** A time in a query or a body. An offset is taken; answers are in UTC. */
export const isoTime = documentedAs(
  z.iso
    .datetime({
      offset: true,
      error: (issue) =>
        issue.input === undefined
          ? undefined
          : `${JSON.stringify(String(issue.input).slice(0, 40))} is no ISO-8601 time. Send one such as ` +
            '"2025-01-31T12:00:00Z" (in a query a "+" is written %2B).',
    })
    .transform((text) => new Date(text)),
  z.string().meta({ format: 'date-time', examples: ['2025-01-31T12:00:00Z'] }),
);

/** `since ≤ t < until`, both optional. */
export const timeRange = {
  since: isoTime.optional().describe('Not before this time.'),
  until: isoTime.optional().describe('Before this time.'),
};

/** Whether a time range can hold anything: for `refine`, with {@link UNTIL_BEFORE_SINCE}. */
export function isInOrder({ since, until }: TimeRange): boolean {
  return since === undefined || until === undefined || since <= until;
}

export const UNTIL_BEFORE_SINCE = {
  path: ['until'],
  params: { code: 'UNTIL_BEFORE_SINCE' },
  error: 'until lies before since, and nothing can lie between them. Exchange them.',
};

interface TimeRange {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const pageSize = z.int().min(1).max(MAX_LIMIT);

/** The query parameter of how many items a page has. */
export const limit = documentedAs(
  z
    .string()
    .regex(/^\d{1,9}$/, {
      error: (issue) => `${JSON.stringify(String(issue.input))} is no whole number. ${LIMIT_CURE}`,
    })
    .transform(Number)
    .pipe(pageSize),
  pageSize,
)
  .default(DEFAULT_LIMIT)
  .describe(`Items on a page at most; ${DEFAULT_LIMIT} without it.`);

const cursor = z.string().max(1024).optional().describe('`nextCursor` of the page before.');

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
