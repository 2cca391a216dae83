import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditedChanges,
  auditResourceKind,
  type AuditResourceKind,
} from '#domain/audit.js';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { Parameters, whereAll } from './sql/parameters.js';

export interface AuditRow {
  /** Carries when it was done. */
  readonly id: TimeOrderedId;
  readonly actorId: string;
  readonly actorName: string;
  readonly action: AuditAction;
  /** Null where it was erased with the application. */
  readonly resourceId: string | null;
  readonly applicationId: string | null;
  readonly requestId: string;
  readonly changes: AuditedChanges;
}

export interface AuditFilter {
  /** The only applications looked at; null for all, and for what concerns no single one. */
  readonly applications: readonly string[] | null;
  readonly actors?: readonly string[] | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  /** Any of them; without an id all of the kind. */
  readonly resources?:
    readonly { readonly kind: AuditResourceKind; readonly id: string | null }[] | undefined;
  /** `since ≤ t < until` */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /**
   * Up to `limit`, newest first, below the id `after`. Per application by audit_entries_application; otherwise by
   * the primary key backwards, audit_entries_resource or audit_entries_actor.
   */
  async list(filter: AuditFilter, after: TimeOrderedId | null, limit: number): Promise<AuditRow[]> {
    const parameters = new Parameters();
    const conditions: string[] = [];
    const from = parameters.add(filter.since ? firstIdAt(filter.since) : 0);
    const until = filter.until ? firstIdAt(filter.until) : Number.MAX_SAFE_INTEGER;
    const before = parameters.add(Math.min(until, after ?? until));
    if (filter.actors) conditions.push(`e.actor_id = ANY (${parameters.add(filter.actors)})`);
    if (filter.actions) conditions.push(`e.action = ANY (${parameters.add(filter.actions)})`);
    if (filter.resources) {
      const any = filter.resources.map(({ kind, id }) => {
        const ofKind = `e.action = ANY (${parameters.add(actionsOn(kind))})`;
        return id === null ? ofKind : `(e.resource_id = ${parameters.add(id)} AND ${ofKind})`;
      });
      conditions.push(`(${any.join(' OR ')})`);
    }
    const count = parameters.add(limit);
    const newest = `ORDER BY e.id DESC LIMIT ${count}`;
    // Rows compared as wholes leave the planner only the index on both, which is right for a quiet application too.
    const place = '(e.application_id, e.id)';
    const within = [`${place} >= (wanted.id, ${from}::bigint)`, `${place} < (wanted.id, ${before}::bigint)`];
    const page = filter.applications
      ? `unnest(${parameters.add(filter.applications)}::text[]) AS wanted(id)
           CROSS JOIN LATERAL (SELECT e.* FROM audit_entries e ${whereAll([...within, ...conditions])}
             ORDER BY e.application_id DESC, e.id DESC LIMIT ${count}) AS e`
      : `(SELECT e.* FROM audit_entries e
           ${whereAll([`e.id >= ${from}`, `e.id < ${before}`, ...conditions])} ${newest}) AS e`;
    return this.database.query<AuditRow>(
      {
        name: '',
        measuredAs: 'list-audit-entries',
        text: `
SELECT e.id, e.actor_id AS "actorId", e.actor_name AS "actorName", e.action, e.resource_id AS "resourceId",
       e.application_id AS "applicationId", e.request_id AS "requestId", e.changes
  FROM ${page} ${newest}`,
      },
      parameters.values,
    );
  }
}

function actionsOn(kind: AuditResourceKind): AuditAction[] {
  const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];
  return actions.filter((action) => auditResourceKind(action) === kind);
}
