import { ID_EPOCH_MS, SEQUENCE_SIZE, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/** A point in the order of ids, and what must be over before nothing can come to light behind it. */
export interface WriteMark {
  /** The last id that could have been given when it was set. */
  readonly id: TimeOrderedId;
  /** Whoever had got an id by then runs under a lower transaction number. */
  readonly transaction: bigint;
}

/**
 * The time is that of the statement's beginning, and the number is taken after it. A snapshot's own end would not do:
 * it lies behind the last transaction that has ended, and what runs may be beyond it.
 */
const SET_MARK: Statement = {
  name: 'set-write-mark',
  text: `
SELECT (floor(extract(epoch FROM now()) * 1000)::bigint - ${ID_EPOCH_MS}) * ${SEQUENCE_SIZE} - 1 AS id,
       pg_current_xact_id()::text AS transaction`,
};

const OLDEST_RUNNING: Statement = {
  name: 'oldest-running-transaction',
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS transaction`,
};

/**
 * Sets a mark at now. An id is given after its transaction got its number, for the statements that write attempts
 * change or lock a delivery first; so what commits later with an id up to the mark's has a lower number than the mark.
 */
export async function setWriteMark(database: Queryable): Promise<WriteMark> {
  const [mark] = await database.query<{ id: TimeOrderedId; transaction: string }>(SET_MARK, []);
  return { id: mark!.id, transaction: BigInt(mark!.transaction) };
}

/** The lowest number of a transaction that still runs, or of the next. */
export async function oldestRunningTransaction(database: Queryable): Promise<bigint> {
  const [oldest] = await database.query<{ transaction: string }>(OLDEST_RUNNING, []);
  return BigInt(oldest!.transaction);
}
