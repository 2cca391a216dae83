import type { Caller } from './principal.js';

/**
 * Everything that the audit tells of: each change that somebody makes, and each delivery that somebody sends
 * again. Before the dot stands the kind of the resource.
 */
export const AUDIT_ACTIONS = {
  'api_key.created': 'a key was made',
  'api_key.deleted': 'a key was revoked',
  'application.created': 'an application was created',
  'application.updated': 'name, environment, attributes or settings changed',
  'application.secret_rotated': 'another secret was set, for now or for a time to come',
  'application.deleted': 'an application was deleted and its endpoints were revoked',
  'application.erasure_requested': 'the erasure of all data of a deleted application began',
  'endpoint.created': 'an endpoint was registered',
  'endpoint.reregistered': 'the webhook was overwritten, restored, and its failures forgotten',
  'endpoint.updated': 'URL, event types, description or credentials changed',
  'endpoint.credentials_rotated': 'other credentials were issued, for now or for a time to come',
  'endpoint.enabled': 'delivery was restored and the failures forgotten',
  'endpoint.disabled': 'an operator or manager disabled it (not the breaker)',
  'endpoint.paused': 'nothing more is sent until it is resumed',
  'endpoint.resumed': 'a pause ended',
  'endpoint.pending_canceled': 'what waited for it was canceled; an entry for each 2,000',
  'endpoint.revoked': 'an endpoint was ended for good, and what waited for it canceled',
  'event.body_erased': 'the body of an event and what receivers answered to it were erased',
  'delivery.redelivered': 'one delivery was made due at once',
  'delivery.canceled': 'one delivery was canceled',
  'replay.started': 'dead letters, or deliveries of an endpoint, are sent again in the background',
  'replay.canceled': 'a replay was stopped half-way',
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

type KindOf<Action extends string> = Action extends `${infer Kind}.${string}` ? Kind : never;
export type AuditResourceKind = KindOf<AuditAction>;

export function auditResourceKind(action: AuditAction): AuditResourceKind {
  return action.slice(0, action.indexOf('.')) as AuditResourceKind;
}

/** One field, before and after. A field that was not there has no `from`, one that is gone no `to`. */
export interface AuditedChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** By field; one within another is named with a dot (`settings.timeout`). Of secrets only that they changed. */
export type AuditedChanges = Readonly<Record<string, AuditedChange>>;

/** What is kept of one act, with the change itself and in its transaction. */
export interface AuditEntry {
  readonly by: Caller;
  readonly action: AuditAction;
  readonly resourceId: string;
  /** Whose data it concerns; null where that is no application's, or several applications'. */
  readonly applicationId: string | null;
  readonly changes: AuditedChanges;
}

/** Values of fields as they may be kept: JSON, and nothing that is secret. */
export type AuditedFields = Readonly<Record<string, unknown>>;

/** The fields that differ. Null and absent are the same. */
export function auditedChanges(before: AuditedFields | null, after: AuditedFields): AuditedChanges {
  const changes: Record<string, AuditedChange> = {};
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after)])) {
    const from = before?.[name] ?? null;
    const to = after[name] ?? null;
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    changes[name] = { ...(from !== null && { from }), ...(to !== null && { to }) };
  }
  return changes;
}

/** The members of an object as fields of their own: `settings.timeout`. */
export function auditedMembers(name: string, members: Readonly<Record<string, unknown>>): AuditedFields {
  return Object.fromEntries(Object.entries(members).map(([member, value]) => [`${name}.${member}`, value]));
}

/** A URL without what may be secret in it: user name, password, and the values in its query. */
export function auditedUrl(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  const names = [...shown.searchParams.keys()];
  shown.search = '';
  if (names.length === 0) return shown.href;
  return `${shown.href}?${names.map((name) => `${encodeURIComponent(name)}=***`).join('&')}`;
}
