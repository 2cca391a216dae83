import { ROLES } from '#domain/principal.js';
import type { ApiKey } from '#storage/api-key.repository.js';
import { z } from 'zod';

const API_KEY_EXAMPLE = {
  id: '251604938752301',
  name: 'shop',
  role: 'producer',
  applications: ['acme'],
  rateLimitPerSecond: null,
  createdAt: '2025-01-31T12:00:00.000Z',
  expiresAt: null,
};

export const apiKeyAnswerSchema = z
  .object({
    id: z.string().describe('`bootstrap` for that of `ADMIN_KEY`.'),
    name: z.string(),
    role: z.enum(ROLES),
    applications: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe('The only ones it covers; null for all.'),
    rateLimitPerSecond: z
      .int()
      .nullable()
      .describe('Its own limit; null where it has that of the process it calls, or none.'),
    createdAt: z.date().nullable(),
    expiresAt: z.date().nullable().describe('When it stops working by itself; null for never.'),
  })
  .meta({ id: 'ApiKey', examples: [API_KEY_EXAMPLE] });

export type ApiKeyAnswer = z.infer<typeof apiKeyAnswerSchema>;

export const newApiKeyAnswerSchema = apiKeyAnswerSchema
  .extend({ key: z.string().describe('Shown now and never again.') })
  .meta({
    id: 'NewApiKey',
    examples: [{ ...API_KEY_EXAMPLE, key: 'entrega_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' }],
  });

export type NewApiKeyAnswer = z.infer<typeof newApiKeyAnswerSchema>;

export function apiKeyAnswer(key: ApiKey): ApiKeyAnswer {
  const { id, name, role, applications, rateLimitPerSecond, createdAt, expiresAt } = key;
  return { id: String(id), name, role, applications, rateLimitPerSecond, createdAt, expiresAt };
}
