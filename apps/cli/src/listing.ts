import type { Session } from './session.js';
import { DEFAULT_LIMIT } from './options.js';
import type { Column } from './table.js';

const MAX_PAGE = 200;

/** The size of the pages to ask for, where so many items are wanted. */
export function pageLimit(limit = DEFAULT_LIMIT): number {
  return Math.min(limit, MAX_PAGE);
}

/** Shows the first items of a list, and says where there are more. */
export async function showList<Item>(
  { output }: Session,
  items: AsyncIterable<Item>,
  columns: readonly Column<Item>[],
  { limit = DEFAULT_LIMIT, none }: { limit?: number | undefined; none: string },
): Promise<void> {
  const shown: Item[] = [];
  let more = false;
  for await (const item of items) {
    more = shown.length === limit;
    if (more) break;
    shown.push(item);
  }
  output.list(shown, columns, none);
  if (more) output.remark(`There are more than these ${limit}: --limit lists more of them.`);
}
