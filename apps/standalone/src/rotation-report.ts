import type { RotationResult } from '#storage/encryption-key-rotation.js';

/** Values that cannot be opened are named one by one up to here. */
const NAMED_VALUES = 20;

export interface RotationReport {
  readonly lines: readonly string[];
  /** Whether everything is sealed with the first key. */
  readonly complete: boolean;
}

/**
 * What a rotation came to, and what the operator does next.
 *
 * @param keyIds of the list, in its order
 */
export function rotationReport(
  { resealed, unopened, keyUse }: RotationResult,
  [first, ...others]: readonly string[],
): RotationReport {
  const total = [...keyUse.values()].reduce((sum, values) => sum + values, 0);
  const remaining = [...keyUse].filter(([keyId]) => keyId !== first);
  const lines = [
    `Sealed anew with key ${first}: ${resealed}. Sealed with it now: ${keyUse.get(first!) ?? 0} of ${total}.`,
  ];
  for (const { column, id, reason } of unopened.slice(0, NAMED_VALUES)) {
    lines.push(`Not opened: ${column.table}.${column.name} of ${id}. ${reason}`);
  }
  if (unopened.length > NAMED_VALUES) lines.push(`Not opened: ${unopened.length - NAMED_VALUES} more.`);
  for (const [keyId, values] of remaining) lines.push(`Still under key ${keyId}: ${values}.`);

  if (remaining.length === 0) {
    lines.push(
      others.length === 0
        ? 'No other key is listed.'
        : `Remove ${others.join(', ')} from ENCRYPTION_KEY of every process and restart it. ` +
            'Keep the removed key for as long as backups of the database from before today.',
    );
  } else if (unopened.length > 0) {
    lines.push('Remove no key yet. Add the key that is missing to the end of the list and run this again.');
  } else {
    lines.push(
      'Remove no key yet. These were written while this ran: let every process have the new key in front, restart ' +
        'it, and run this again.',
    );
  }
  return { lines, complete: remaining.length === 0 };
}
