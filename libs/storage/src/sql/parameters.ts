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
