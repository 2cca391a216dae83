/**
 * The values of a statement whose text depends on the filters given. Such a statement has no name, so that the
 * server plans it for these values and looks only into the partitions that their bounds leave.
 */
export class Parameters {
  readonly values: unknown[] = [];

  /** Takes a value and returns its placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** `WHERE` and the conditions, or nothing. */
export function whereAll(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/**
 * Conditions and order that read the rows of one owner, newest first, from the index on (owner, id) and from no
 * other. With a plain equality the planner takes an average owner for granted and walks the primary key backwards,
 * past all rows of the busy owners, to find those of a quiet one.
 */
export function newestOf(
  alias: string,
  ownerColumn: string,
  owner: string,
): { conditions: string[]; order: string } {
  const key = `(${alias}.${ownerColumn}, ${alias}.id)`;
  return {
    conditions: [
      `${key} >= (${owner}, 0::bigint)`,
      `${key} <= (${owner}, ${Number.MAX_SAFE_INTEGER}::bigint)`,
    ],
    order: `ORDER BY ${alias}.${ownerColumn} DESC, ${alias}.id DESC`,
  };
}
