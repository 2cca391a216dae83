import type { OperatorEventFacts } from '#domain/operator-event.js';
import type { Queryable, Statement } from '../database.js';
import { owedInMs } from './owed-pages.js';

export const OPERATOR_EVENTS_TOPIC = 'operator-events.v1';

/** One that waits for its topic or for the operator's URL; both copies have the same id. */
export interface StoredOperatorEvent {
  readonly id: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/**
 * SQL: of rows that were just put into the outbox, a copy of each operator event for the operator's URL. It is made
 * whether or not there is one, for whoever makes things happen does not know.
 *
 * @param added their `id`, `topic`, `payload` and `created_at`
 */
export function copiedForOperatorUrl(added: string): string {
  return `
  INSERT INTO operator_posts (id, application_id, payload, created_at)
  SELECT id, payload ->> 'application', payload, created_at FROM ${added} WHERE topic = '${OPERATOR_EVENTS_TOPIC}'`;
}

const RECORD: Statement = {
  name: 'record-operator-event',
  text: `
WITH added AS (
  INSERT INTO outbox (topic, key, payload)
  SELECT '${OPERATOR_EVENTS_TOPIC}', $1::jsonb ->> 'endpoint', $1::jsonb || jsonb_build_object('contract', contract)
    FROM applications WHERE id = $1::jsonb ->> 'application'
  RETURNING id, topic, payload, created_at
)${copiedForOperatorUrl('added')}`,
};

/** To be called in the transaction of what happened. */
export async function recordOperatorEvent(connection: Queryable, facts: OperatorEventFacts): Promise<void> {
  await connection.query(RECORD, [facts]);
}

/** In how many ms the next POST to the operator's URL is owed, at most 0 when it is; null while nothing waits. */
const NEXT_POST: Statement = {
  name: 'next-operator-post',
  text: `
SELECT ${owedInMs('next_at')} AS "owedInMs" FROM fleet_turns
 WHERE name = 'operator-url' AND EXISTS (SELECT FROM operator_posts)`,
};

export async function nextOperatorPostInMs(database: Queryable): Promise<number | null> {
  const [row] = await database.query<{ owedInMs: number | null }>(NEXT_POST, []);
  return row!.owedInMs;
}

const READ: Statement = {
  name: 'read-operator-posts',
  text: `SELECT id, payload, created_at AS "createdAt" FROM operator_posts ORDER BY id LIMIT $1`,
};

/** The oldest that wait for the operator's URL, oldest first. By the primary key. */
export async function readOperatorPosts(database: Queryable, limit: number): Promise<StoredOperatorEvent[]> {
  return database.query<StoredOperatorEvent>(READ, [limit]);
}

const DELETE: Statement = {
  name: 'delete-operator-posts',
  text: `DELETE FROM operator_posts WHERE id = ANY ($1)`,
};

/** After the operator's URL has acknowledged them. */
export async function deleteOperatorPosts(database: Queryable, ids: readonly number[]): Promise<void> {
  await database.query(DELETE, [ids]);
}

/** In short transactions: events go on being added. */
const DROP_STEP = 1_000;

const DROP_STALE: Statement = {
  name: 'drop-stale-operator-posts',
  text: `
WITH dropped AS (
  DELETE FROM operator_posts
   WHERE id = ANY (ARRAY(SELECT id FROM operator_posts ORDER BY id LIMIT ${DROP_STEP}))
     AND created_at < now() - $1::float8 * interval '1 ms'
  RETURNING id
)
SELECT count(*) AS dropped FROM dropped`,
};

/** Gives up what has waited for so long. @returns how many */
export async function dropStaleOperatorPosts(database: Queryable, olderThanMs: number): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await database.query<{ dropped: number }>(DROP_STALE, [olderThanMs]);
    total += row!.dropped;
    if (row!.dropped < DROP_STEP) return total;
  }
}
