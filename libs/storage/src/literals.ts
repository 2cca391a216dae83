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
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
