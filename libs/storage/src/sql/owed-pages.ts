/** SQL: in how many ms the earliest of these times comes, none left when it has come; null without any. */
export function owedInMs(column: string): string {
  return `(extract(epoch FROM min(${column}) - clock_timestamp()) * 1000)::float8`;
}
