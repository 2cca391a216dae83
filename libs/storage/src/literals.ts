import pg from 'pg';

type Scalar = string | number | boolean | Date | Buffer | null;

/** The text with each `$n` replaced by its value. The server takes its type from where it stands, as of a parameter. */
export function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1] as Scalar));
}

function literal(value: Scalar | readonly Scalar[] | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return pg.escapeLiteral(
    Array.isArray(value) ? `{${value.map(element).join(',')}}` : textOf(value as Scalar),
  );
}

function element(value: Scalar): string {
  return value === null ? 'NULL' : `"${textOf(value).replaceAll(/["\\]/g, '\\$&')}"`;
}

function textOf(value: Scalar): string {
  if (value instanceof Date) return timeText(value);
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}

/** PostgreSQL has no year 0: the one before the year 1 is 1 BC. */
function timeText(time: Date): string {
  const text = time.toISOString();
  const year = time.getUTCFullYear();
  if (year > 0) return text;
  return `${String(1 - year).padStart(4, '0')}${text.slice(text.indexOf('-', 1))} BC`;
}
