import type { Database } from '#storage/database.js';
import { deleteFromOutbox, readOutbox } from '#storage/sql/outbox.js';
import type { Transport } from '#transport/transport.js';

const PAGE = 200;

/**
 * Passes on what the database holds for others, oldest first: announced, and only then deleted, so each is
 * announced at least once. One process at a time by a lock that goes with its transaction.
 *
 * @returns whether more may be waiting
 */
export async function relayOutbox(database: Database, transport: Transport): Promise<boolean> {
  return database.transaction(async (connection) => {
    const rows = await readOutbox(connection, PAGE);
    if (rows === null || rows.length === 0) return false;
    await transport.announce(rows);
    await deleteFromOutbox(
      connection,
      rows.map((row) => row.id),
    );
    return rows.length === PAGE;
  });
}
