import { AUDIT_ACTIONS, type AuditAction, auditResourceKind } from '#domain/audit.js';
import { publicId } from '#http/ids.js';
import { commaList, idPosition, listQuery, timeRange } from '#http/list-query.js';
import { z } from 'zod';

export const auditActions = Object.keys(AUDIT_ACTIONS) as AuditAction[];
export const auditResourceKinds = [...new Set(auditActions.map(auditResourceKind))];

/** `endpoint`, or `endpoint:123` for one of them. */
const resource = z
  .string()
  .max(100)
  .transform((text, context) => {
    const [, kind, id] = /^([^:]*)(?::(.+))?$/s.exec(text) ?? [];
    const known = auditResourceKinds.find((one) => one === kind);
    if (known) return { kind: known, id: id ?? null };
    context.addIssue({
      code: 'custom',
      params: { code: 'UNKNOWN_RESOURCE' },
      message:
        `${JSON.stringify(text)} is no resource. Send ${auditResourceKinds.join(', ')}, ` +
        'or one of these with ":" and an id.',
    });
    return z.NEVER;
  });

export const auditQuery = listQuery(
  'audit',
  {
    application: commaList(publicId).optional(),
    actor: commaList(z.string().max(20)).optional(),
    action: commaList(z.enum(auditActions)).optional(),
    resource: commaList(resource).optional(),
    ...timeRange,
  },
  idPosition,
);
