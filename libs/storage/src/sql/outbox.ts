import type { Queryable, Statement } from '../database.js';

export interface OutboxRow {
  readonly id: number;
  readonly topic: string;
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

const OUTBOX_LOCK = 7_205_101;

/** One relay at a time: the lock goes with the transaction. */
const TRY_OUTBOX_LOCK: Statement = {
  name: 'try-outbox-lock',
  text: `SELECT pg_try_advisory_xact_lock($1) AS locked`,
};

const READ_OUTBOX: Statement = {
  name: 'read-outbox',
  text: `SELECT id, topic, key, payload, created_at AS "createdAt" FROM outbox ORDER BY id LIMIT $1`,
};

const DELETE_OUTBOX: Statement = { name: 'delete-outbox', text: `DELETE FROM outbox WHERE id = ANY ($1)` };

/** The oldest rows, oldest first; null when another process relays at this moment. */
export async function readOutbox(connection: Queryable, limit: number): Promise<OutboxRow[] | null> {
  const [lock] = await connection.query<{ locked: boolean }>(TRY_OUTBOX_LOCK, [OUTBOX_LOCK]);
  if (!lock?.locked) return null;
  return connection.query<OutboxRow>(READ_OUTBOX, [limit]);
}

/** After the sink has them. */
export async function deleteFromOutbox(connection: Queryable, ids: readonly number[]): Promise<void> {
  await connection.query(DELETE_OUTBOX, [ids]);
}
