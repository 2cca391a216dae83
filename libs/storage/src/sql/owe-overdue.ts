import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Database } from '../database.js';
import { databaseNow } from './database-clock.js';
import { changePending, pendingPage } from './pages-of-pending.js';

/**
 * Owed as of now, a page after the other, the longest overdue first. `due_at` is never before `scheduled_at`, so
 * what is due was owed; what is being sent is due later, and what was set aside is never due.
 */
const OWE_OVERDUE_PAGE = pendingPage('owe-overdue-page', {
  within: 'due_at < $4::timestamptz',
  set: 'scheduled_at = now_ms(), due_at = now_ms()',
});

/**
 * What fell due while nobody could send it is owed from now on: the wait was meant, and is no lateness. What is not
 * yet due keeps its time.
 *
 * @returns how many were overdue
 */
export async function oweOverdue(
  database: Pick<Database, 'query' | 'transaction'>,
  endpointId: TimeOrderedId,
): Promise<number> {
  return changePending(database, OWE_OVERDUE_PAGE, endpointId, await databaseNow(database));
}
