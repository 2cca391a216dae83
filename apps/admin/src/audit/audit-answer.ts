import { auditResourceKind } from '#domain/audit.js';
import { idTime } from '#domain/time-ordered-id.js';
import type { AuditRow } from '#storage/audit.repository.js';
import { z } from 'zod';
import { auditActions, auditResourceKinds } from './audit.schemas.js';

const change = z.object({
  from: z.unknown().optional(),
  to: z.unknown().optional(),
});

export const auditAnswerSchema = z
  .object({
    id: z.string(),
    at: z.date(),
    actor: z.object({
      key: z.string().describe('The id of the API key; `bootstrap` for that of `ADMIN_KEY`.'),
      name: z.string().describe('What the key was called then.'),
    }),
    action: z.enum(auditActions),
    resource: z.object({
      kind: z.enum(auditResourceKinds),
      id: z.string().nullable().describe('Null for an event whose application was erased.'),
    }),
    application: z.string().nullable().describe('Null where it concerns none, or several.'),
    requestId: z.string().describe('The `X-Request-Id` of the call.'),
    changes: z
      .record(z.string(), change)
      .describe(
        'The fields that changed, before and after. Of secrets only that they were set, rotated or removed; ' +
          'without values once the application was erased.',
      ),
  })
  .meta({
    id: 'AuditEntry',
    examples: [
      {
        id: '251604938752001',
        at: '2025-01-31T12:00:00.412Z',
        actor: { key: '251604938700001', name: 'maria' },
        action: 'endpoint.updated',
        resource: { kind: 'endpoint', id: '251604938710002' },
        application: 'acme',
        requestId: '5f0c1d2e3a4b-1f',
        changes: {
          url: { from: 'https://old.example.com/webhooks', to: 'https://example.com/webhooks' },
          'credentials.token': { to: 'set' },
        },
      },
    ],
  });

export type AuditAnswer = z.infer<typeof auditAnswerSchema>;

export function auditAnswer(row: AuditRow): AuditAnswer {
  return {
    id: String(row.id),
    at: idTime(row.id),
    actor: { key: row.actorId, name: row.actorName },
    action: row.action,
    resource: { kind: auditResourceKind(row.action), id: row.resourceId },
    application: row.applicationId,
    requestId: row.requestId,
    changes: row.changes,
  };
}
