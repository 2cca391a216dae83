import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

const NOW: Statement = { name: 'now', text: 'SELECT now_ms() AS now' };

/** The database's time, to the millisecond. */
export async function databaseNow(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ now: Date }>(NOW, []);
  return row!.now;
}

const NEXT_ID: Statement = { name: 'next-id', text: 'SELECT next_id() AS id' };

/** An id that nothing has, made at this moment. */
export async function nextId(database: Queryable): Promise<TimeOrderedId> {
  const [row] = await database.query<{ id: TimeOrderedId }>(NEXT_ID, []);
  return row!.id;
}
