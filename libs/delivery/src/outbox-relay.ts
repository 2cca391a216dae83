import type { Database } from '#storage/database.js';
import { OPERATOR_EVENTS_TOPIC } from '#storage/sql/operator-events.js';
import { deleteFromOutbox, type OutboxRow, readOutbox } from '#storage/sql/outbox.js';
import type { Announcement, Transport } from '#transport/transport.js';
import { announcedOperatorEvent } from './operator-events/operator-event.js';

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
    await transport.announce(rows.map(announcementOf));
    await deleteFromOutbox(
      connection,
      rows.map((row) => row.id),
    );
    return rows.length === PAGE;
  });
}

function announcementOf(row: OutboxRow): Announcement {
  return row.topic === OPERATOR_EVENTS_TOPIC ? { ...row, payload: announcedOperatorEvent(row) } : row;
}
