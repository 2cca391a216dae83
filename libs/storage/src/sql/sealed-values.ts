import type { Queryable } from '../database.js';
import type { SealedColumn } from '../sealed-columns.js';
import { KEY_ID_AT, KEY_ID_BYTES } from '../secret-box.js';

export interface SealedValue {
  readonly id: string;
  readonly sealed: Buffer;
}

export interface ResealedValue extends SealedValue {
  /** What takes the place of `sealed`. */
  readonly resealed: Buffer;
}

/** How many values of a column are sealed with a key. */
export interface KeyUse {
  readonly keyId: string;
  readonly values: number;
}

/** As `SecretBox.keyIds` has it. */
function keyIdIn(column: SealedColumn): string {
  return `encode(substring(${column.name} FROM ${KEY_ID_AT + 1} FOR ${KEY_ID_BYTES}), 'hex')`;
}

/**
 * The values of a column that another key sealed, by id, behind the one after which the last page ended (null: from
 * the beginning). A walk along the primary key.
 */
export async function readSealedWithOtherKeys(
  database: Queryable,
  column: SealedColumn,
  keyId: string,
  after: string | null,
  limit: number,
): Promise<SealedValue[]> {
  const { table, name, idType } = column;
  return database.query<SealedValue>(
    {
      name: `read-sealed-${table}-${name}`,
      text: `SELECT id::text AS id, ${name} AS sealed FROM ${table}
              WHERE ${name} IS NOT NULL AND ${keyIdIn(column)} <> $1
                AND ($2::${idType} IS NULL OR id > $2::${idType})
              ORDER BY ${table}.id LIMIT $3`,
    },
    [keyId, after, limit],
  );
}

/**
 * Puts values in the place of those that they were made from. One that somebody else has changed meanwhile stays as
 * it is: what they wrote is newer. Rows are locked in the order of their ids, as results lock endpoints, and no
 * acceptance waits for them.
 *
 * @param values in the order of their ids, each id once
 * @returns how many were replaced
 */
export async function replaceSealedValues(
  database: Queryable,
  column: SealedColumn,
  values: readonly ResealedValue[],
): Promise<number> {
  const { table, name, idType } = column;
  const replaced = await database.query<object>(
    {
      name: `replace-sealed-${table}-${name}`,
      text: `WITH value AS (
               SELECT * FROM unnest($1::${idType}[], $2::bytea[], $3::bytea[]) AS v(id, sealed, resealed)
             ), locked AS MATERIALIZED (
               SELECT t.id FROM ${table} t JOIN value v ON v.id = t.id WHERE t.${name} = v.sealed
                ORDER BY t.id FOR NO KEY UPDATE OF t
             )
             UPDATE ${table} t SET ${name} = v.resealed
               FROM locked l JOIN value v ON v.id = l.id
              WHERE t.id = l.id
             RETURNING t.id`,
    },
    [values.map(({ id }) => id), values.map(({ sealed }) => sealed), values.map(({ resealed }) => resealed)],
  );
  return replaced.length;
}

/** With which keys a column is sealed. Reads the whole table: for a start and for the end of a rotation. */
export async function countByKey(
  database: Queryable,
  column: SealedColumn,
  { inUseOnly }: { readonly inUseOnly: boolean },
): Promise<KeyUse[]> {
  const { table, name, inUse } = column;
  return database.query<KeyUse>(
    {
      name: `count-sealed-${table}-${name}${inUseOnly ? '-in-use' : ''}`,
      text: `SELECT ${keyIdIn(column)} AS "keyId", count(*) AS values FROM ${table}
              WHERE ${name} IS NOT NULL ${inUseOnly ? `AND ${inUse}` : ''} GROUP BY 1 ORDER BY 1`,
    },
    [],
  );
}
