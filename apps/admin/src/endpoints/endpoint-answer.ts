import { contractNamed } from '#contracts/registry.js';
import { ENDPOINT_STATES } from '#domain/endpoint-state.js';
import { idText } from '#http/ids.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import { COUNT_CAP, type EndpointStats } from '#storage/sql/endpoint-stats.js';
import { z } from 'zod';

const endpointStatsSchema = z.object({
  pending: z.int().describe(`Deliveries that wait; counted up to ${COUNT_CAP}.`),
  oldestDueAt: z
    .date()
    .nullable()
    .describe(
      'Since when the oldest attempt is owed, of the thousand that fall due next; null when none is.',
    ),
  lastSuccessAt: z.date().nullable(),
  lastFailureAt: z.date().nullable(),
}) satisfies z.ZodType<EndpointStats>;

const ENDPOINT_EXAMPLE = {
  id: '251604938752001',
  application: 'acme',
  webhook: true,
  url: 'https://example.com/webhooks',
  eventTypes: null,
  description: null,
  state: 'active',
  disabledReason: null,
  disabledAt: null,
  consecutiveFailures: 0,
  credentials: { token: { set: true } },
  nextCredentialsAt: null,
  stats: { pending: 0, oldestDueAt: null, lastSuccessAt: '2025-01-31T12:00:01.000Z', lastFailureAt: null },
  createdAt: '2025-01-31T12:00:00.000Z',
  updatedAt: '2025-01-31T12:00:00.000Z',
};

export const endpointAnswerSchema = z
  .object({
    id: idText,
    application: z.string(),
    webhook: z.boolean().describe("Whether it is the application's one webhook."),
    url: z.string(),
    eventTypes: z.array(z.string()).readonly().nullable().describe('Null: every type.'),
    description: z.string().nullable(),
    state: z.enum(ENDPOINT_STATES),
    disabledReason: z.string().nullable(),
    disabledAt: z.date().nullable(),
    consecutiveFailures: z.int(),
    credentials: z
      .record(z.string(), z.object({ set: z.boolean() }))
      .describe('Which are set; what they are never comes back.'),
    nextCredentialsAt: z
      .date()
      .nullable()
      .describe('When a rotation that was set takes effect, or took it; null when none was.'),
    stats: endpointStatsSchema,
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Endpoint', examples: [ENDPOINT_EXAMPLE] });

export type EndpointAnswer = z.infer<typeof endpointAnswerSchema>;

const issuedCredentials = z
  .record(z.string(), z.string())
  .describe('Those that were made here: shown now and never again.');

/** As it was just registered or changed. */
export const registeredEndpointAnswerSchema = endpointAnswerSchema
  .extend({
    warnings: z.array(z.string()).readonly().describe('What is allowed and may surprise.'),
    issuedCredentials: issuedCredentials.optional(),
  })
  .meta({ id: 'RegisteredEndpoint', examples: [{ ...ENDPOINT_EXAMPLE, warnings: [] }] });

export type RegisteredEndpointAnswer = z.infer<typeof registeredEndpointAnswerSchema>;

export const rotatedEndpointAnswerSchema = endpointAnswerSchema.extend({ issuedCredentials }).meta({
  id: 'RotatedEndpoint',
  examples: [{ ...ENDPOINT_EXAMPLE, issuedCredentials: { secret: 'whsec_0123456789abcdef' } }],
});

export type RotatedEndpointAnswer = z.infer<typeof rotatedEndpointAnswerSchema>;

export const enabledEndpointAnswerSchema = endpointAnswerSchema
  .extend({
    suppressedCount: z
      .int()
      .describe(
        `Deliveries that it missed while it was disabled and that can be replayed; up to ${COUNT_CAP}.`,
      ),
  })
  .meta({ id: 'EnabledEndpoint', examples: [{ ...ENDPOINT_EXAMPLE, suppressedCount: 3 }] });

export type EnabledEndpointAnswer = z.infer<typeof enabledEndpointAnswerSchema>;

export const resumedEndpointAnswerSchema = endpointAnswerSchema
  .extend({ overdueCount: z.int().describe('Deliveries that fell due during the pause and are owed now.') })
  .meta({ id: 'ResumedEndpoint', examples: [{ ...ENDPOINT_EXAMPLE, overdueCount: 3 }] });

export type ResumedEndpointAnswer = z.infer<typeof resumedEndpointAnswerSchema>;

/** @param contract the name of the application's */
export function endpointAnswer(
  endpoint: EndpointEntity,
  contract: string,
  stats: EndpointStats,
): EndpointAnswer {
  return {
    id: String(endpoint.id),
    application: endpoint.applicationId,
    webhook: endpoint.isWebhook,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes,
    description: endpoint.description,
    state: endpoint.state,
    disabledReason: endpoint.disabledReason,
    disabledAt: endpoint.disabledAt,
    consecutiveFailures: endpoint.failures,
    credentials: Object.fromEntries(
      contractNamed(contract).endpoint.credentialNames.map((name) => [
        name,
        { set: endpoint.credentialNames.includes(name) },
      ]),
    ),
    nextCredentialsAt: endpoint.nextCredentialsAt,
    stats,
    createdAt: endpoint.createdAt,
    updatedAt: endpoint.updatedAt,
  };
}
