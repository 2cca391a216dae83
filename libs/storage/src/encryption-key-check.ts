import { StartError } from '#domain/start-error.js';
import { type Queryable, sqlState } from './database.js';
import { SEALED_COLUMNS } from './sealed-columns.js';
import type { SecretBox } from './secret-box.js';
import { countByKey } from './sql/sealed-values.js';

/** SQLSTATEs of a table and of a column that are not there. */
const NOT_MIGRATED_YET: readonly string[] = ['42P01', '42703'];

/**
 * Refuses to start beside secrets that the process could not open: every delivery that needs one would wait, and
 * what the process seals nobody else could open. Reads two tables once (0.1 s for 100,000 endpoints).
 *
 * @throws StartError naming how many, the ids of their keys and the cure
 */
export async function assertEncryptionKeysKnown(database: Queryable, secretBox: SecretBox): Promise<void> {
  const unknown = new Map<string, number>();
  for (const column of SEALED_COLUMNS) {
    for (const { keyId, values } of await countInUse(database, column)) {
      if (!secretBox.keyIds.includes(keyId)) unknown.set(keyId, (unknown.get(keyId) ?? 0) + values);
    }
  }
  if (unknown.size === 0) return;
  const found = [...unknown].map(([keyId, values]) => `${values} with key ${keyId}`).join(', ');
  throw new StartError(
    `The database holds secrets encrypted with keys that ENCRYPTION_KEY does not list: ${found}. ` +
      `It lists ${secretBox.keyIds.join(', ')}. Add the missing key to the end of the list. ` +
      'Where a key is lost for good, docs/security.md says how to go on without it.',
  );
}

async function countInUse(database: Queryable, column: (typeof SEALED_COLUMNS)[number]) {
  try {
    return await countByKey(database, column, { inUseOnly: true });
  } catch (error) {
    // A process may be started before its database is migrated: it is not ready until then.
    if (NOT_MIGRATED_YET.includes(sqlState(error) ?? '')) return [];
    throw error;
  }
}
