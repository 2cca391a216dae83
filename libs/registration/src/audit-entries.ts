import {
  type AuditAction,
  type AuditedChange,
  auditedChanges,
  type AuditedChanges,
  type AuditedFields,
  auditedMembers,
  auditedUrl,
} from '#domain/audit.js';
import type { Caller } from '#domain/principal.js';
import type { ApplicationEntity } from '#storage/entities/application.entity.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { EntryOf } from '#storage/sql/audit-entries.js';

type ActionOn<Kind extends string> = Extract<AuditAction, `${Kind}.${string}`>;

/** @param secrets what is told of secrets: that they changed, never what they are */
export function applicationEntry(
  by: Caller,
  action: ActionOn<'application'>,
  secrets: AuditedChanges = {},
): EntryOf<ApplicationEntity> {
  return (before, after) => ({
    by,
    action,
    resourceId: after.id,
    applicationId: after.id,
    changes: { ...auditedChanges(before && applicationFields(before), applicationFields(after)), ...secrets },
  });
}

/** @param secrets as of {@link applicationEntry} */
export function endpointEntry(
  by: Caller,
  action: ActionOn<'endpoint'>,
  secrets: AuditedChanges = {},
): EntryOf<EndpointEntity> {
  return (before, after) => {
    // Compared as they are: where only a secret part differs it is a change too.
    const { url, ...others } = auditedChanges(before && endpointFields(before), endpointFields(after));
    return {
      by,
      action,
      resourceId: String(after.id),
      applicationId: after.applicationId,
      changes: { ...(url && { url: withoutSecretParts(url) }), ...others, ...secrets },
    };
  };
}

/** The credentials of a request, by name: null removes one. */
export function credentialChanges(credentials: Readonly<Record<string, unknown>>): AuditedChanges {
  return auditedMembers(
    'credentials',
    Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => [name, { to: value === null ? 'removed' : 'set' }]),
    ),
  ) as AuditedChanges;
}

/** @param activateAt when it takes effect; undefined for at once */
export function rotation(names: readonly string[], activateAt: Date | undefined): AuditedChanges {
  return {
    ...Object.fromEntries(names.map((name) => [name, { to: 'rotated' }])),
    ...(activateAt && { activateAt: { to: activateAt } }),
  };
}

function applicationFields(application: ApplicationEntity): AuditedFields {
  const { name, contract, environment, attributes, settings } = application;
  return {
    name,
    contract,
    environment,
    ...auditedMembers('attributes', attributes),
    ...auditedMembers('settings', settings),
  };
}

function endpointFields(endpoint: EndpointEntity): AuditedFields {
  const { url, eventTypes, description, state, disabledReason } = endpoint;
  return { url, eventTypes, description, state, disabledReason };
}

function withoutSecretParts(change: AuditedChange): AuditedChange {
  return Object.fromEntries(Object.entries(change).map(([side, url]) => [side, auditedUrl(url as string)]));
}
