import type { Contract } from '#contracts/contract.js';
import { applicationSettingsSchema, policyAsSettings } from '#contracts/delivery-policy.js';
import { z } from 'zod';

const eventTypeSchema = z.object({
  name: z.string(),
  reserved: z.boolean().describe('Accepted and kept, and delivered to nobody.'),
  description: z.string(),
  fields: z
    .array(
      z.object({
        name: z.string(),
        presence: z
          .enum(['required', 'expected', 'optional', 'none', 'derived', 'all-or-none'])
          .describe(
            'Of its value: `expected` is usual and may be absent, `none` is refused, `derived` need not be sent, ' +
              '`all-or-none` goes together with the others marked so.',
          ),
        form: z.string().describe('What a value looks like, in words.'),
      }),
    )
    .readonly()
    .describe('The known members of `data`.'),
});

export const contractAnswerSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    eventTypes: z.array(eventTypeSchema).readonly(),
    eventIdentity: z
      .enum(['producer', 'derived'])
      .describe('Whether the `id` of a publish names the event, or the contract derives it and refuses one.'),
    applicationSecret: z.boolean().describe('Whether an application has a secret.'),
    webhook: z.boolean().describe('Whether an application has one webhook beside its endpoints.'),
    endpoint: z.object({
      eventTypes: z.enum(['any-or-filter', 'exactly-one']),
      credentials: z.array(z.string()).readonly(),
    }),
    url: z.object({
      schemes: z.array(z.enum(['http', 'https'])).readonly(),
      maxLength: z.int().nullable(),
      used: z
        .enum(['current', 'as-queued'])
        .describe("Whether an attempt goes to the endpoint's URL of now or of when the delivery was queued."),
    }),
    testEvent: z
      .string()
      .nullable()
      .describe('The type of the event that verifies an endpoint; null where there is none.'),
    headers: z.array(z.string()).readonly(),
    defaults: applicationSettingsSchema.required().describe("In the words of an application's `settings`."),
    exhausted: z.enum(['dead', 'closed']).describe('What a delivery is whose attempts are used up.'),
  })
  .meta({
    id: 'Contract',
    examples: [
      {
        name: 'tf-fiscal',
        title: 'TF Fiscal: results of fiscal documents',
        eventTypes: [
          {
            name: 'cte.event.registered',
            reserved: false,
            description: 'Any other event was registered on a CT-e.',
            fields: [{ name: 'event_code', presence: 'required', form: 'text' }],
          },
        ],
        eventIdentity: 'producer',
        applicationSecret: true,
        webhook: true,
        endpoint: { eventTypes: 'any-or-filter', credentials: ['token'] },
        url: { schemes: ['http', 'https'], maxLength: 500, used: 'current' },
        testEvent: 'webhook.verify',
        headers: ['Content-Type', 'X-Webhook-Signature'],
        defaults: {
          retryWaits: ['1m', '5m', '30m', '2h', '6h'],
          timeout: '10s',
          firstAttemptDelay: '0ms',
          breakerThreshold: 10,
          respectRetryAfter: false,
          retryAfterCap: '1h',
          concurrencyPerWorker: 10,
          sendTraceparent: false,
        },
        exhausted: 'dead',
      },
    ],
  });

export type ContractAnswer = z.infer<typeof contractAnswerSchema>;

export function contractAnswer(contract: Contract): ContractAnswer {
  const { name, title, eventTypes, eventIdentity, application, endpoint, url, testEvent, policy } = contract;
  return {
    name,
    title,
    eventTypes,
    eventIdentity,
    applicationSecret: application.secret !== null,
    webhook: endpoint.hasWebhook,
    endpoint: { eventTypes: endpoint.eventTypes, credentials: endpoint.credentialNames },
    url: { schemes: url.schemes, maxLength: url.maxLength, used: url.used },
    testEvent: testEvent?.type ?? null,
    headers: contract.headerNames,
    defaults: policyAsSettings(policy),
    exhausted: policy.exhausted,
  };
}
