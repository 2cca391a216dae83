import type { Queryable } from './database.js';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';
import type { SecretBox } from './secret-box.js';
import {
  countByKey,
  readSealedWithOtherKeys,
  replaceSealedValues,
  type ResealedValue,
  type SealedValue,
} from './sql/sealed-values.js';

/** Rows of a statement: few enough that nobody notices the locks, enough to change a million in minutes. */
const BATCH_ROWS = 200;

export interface RotationProgress {
  readonly column: SealedColumn;
  /** Values of all columns so far. */
  readonly resealed: number;
}

/** A value that stays under its old key, because it cannot be opened. */
export interface UnopenedValue {
  readonly column: SealedColumn;
  readonly id: string;
  /** Names the key id; never what is sealed. */
  readonly reason: string;
}

export interface RotationResult {
  readonly resealed: number;
  readonly unopened: readonly UnopenedValue[];
  /** Values of all columns when it was over, by the id of their key. */
  readonly keyUse: ReadonlyMap<string, number>;
}

/**
 * Seals everything anew with the first key of the list, while other processes go on: a secret that is changed
 * meanwhile stays as it was changed. Looks only at what another key sealed, so that one that was cut off is simply
 * run again.
 */
export async function rotateEncryptionKey(
  database: Queryable,
  secretBox: SecretBox,
  onProgress: (progress: RotationProgress) => void = () => undefined,
): Promise<RotationResult> {
  const unopened: UnopenedValue[] = [];
  let resealed = 0;
  for (const column of SEALED_COLUMNS) {
    let after: string | null = null;
    for (;;) {
      const page: SealedValue[] = await readSealedWithOtherKeys(
        database,
        column,
        secretBox.keyIds[0]!,
        after,
        BATCH_ROWS,
      );
      if (page.length === 0) break;
      resealed += await replaceSealedValues(database, column, reseal(secretBox, column, page, unopened));
      after = page.at(-1)!.id;
      onProgress({ column, resealed });
    }
  }
  return { resealed, unopened, keyUse: await keyUseOf(database) };
}

function reseal(
  secretBox: SecretBox,
  column: SealedColumn,
  page: readonly SealedValue[],
  unopened: UnopenedValue[],
): ResealedValue[] {
  return page.flatMap(({ id, sealed }) => {
    try {
      const secret = secretBox.open(column.purpose, sealed);
      return [{ id, sealed, resealed: secretBox.seal(column.purpose, secret) }];
    } catch (error) {
      unopened.push({ column, id, reason: (error as Error).message });
      return [];
    }
  });
}

async function keyUseOf(database: Queryable): Promise<Map<string, number>> {
  const use = new Map<string, number>();
  for (const column of SEALED_COLUMNS) {
    for (const { keyId, values } of await countByKey(database, column, { inUseOnly: false })) {
      use.set(keyId, (use.get(keyId) ?? 0) + values);
    }
  }
  return use;
}
