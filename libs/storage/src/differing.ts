import { isDeepStrictEqual } from 'node:util';

/** What a change alters of a row; null where all of it is so already. */
export function differing<Row extends object, Change extends Partial<Row>>(
  row: Row,
  change: Change,
): Partial<Change> | null {
  const altered = Object.entries(change).filter(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof Row], value),
  );
  return altered.length === 0 ? null : (Object.fromEntries(altered) as Partial<Change>);
}
