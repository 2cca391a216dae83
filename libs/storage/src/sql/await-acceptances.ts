import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

const AWAIT_ACCEPTANCES: Statement = {
  name: 'await-acceptances',
  text: `SELECT FROM endpoints WHERE id = ANY ($1) ORDER BY id FOR UPDATE`,
};

/**
 * Waits for the acceptances that saw these endpoints before they were revoked: what those added is there when this
 * resolves. Locks go with the statement.
 */
export async function awaitAcceptances(database: Queryable, ids: readonly TimeOrderedId[]): Promise<void> {
  await database.query(AWAIT_ACCEPTANCES, [ids]);
}
