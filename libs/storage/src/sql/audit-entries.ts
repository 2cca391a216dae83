import type { AuditEntry } from '#domain/audit.js';
import type { Queryable, Statement } from '../database.js';

/** Tells of a change; `before` is null where it makes what was not there. */
export type EntryOf<Row> = (before: Row | null, after: Row) => AuditEntry;

const RECORD_AUDIT: Statement = {
  name: 'record-audit',
  text: `
INSERT INTO audit_entries (actor_id, actor_name, action, resource_id, application_id, request_id, changes)
VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

/**
 * Says in the audit who makes the change that the same transaction makes: neither is there without the other.
 *
 * @param connection of that transaction
 */
export async function recordAudit(connection: Queryable, entry: AuditEntry): Promise<void> {
  const { by, action, resourceId, applicationId, changes } = entry;
  await connection.query(RECORD_AUDIT, [
    by.id,
    by.name,
    action,
    resourceId,
    applicationId,
    by.requestId,
    JSON.stringify(changes),
  ]);
}
