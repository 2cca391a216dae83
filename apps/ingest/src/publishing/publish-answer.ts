import { createHash } from 'node:crypto';
import type { PublishTrial } from '#delivery/accept/event-acceptor.js';
import type { PublishAnswer as AcceptedAnswer } from '#delivery/accept/publish-outcome.js';
import { ENDPOINT_STATES } from '#domain/endpoint-state.js';
import { idText } from '#http/ids.js';
import { problemSchema } from '#http/problem.js';
import { z } from 'zod';

const PUBLISH_EXAMPLE = {
  application: 'acme',
  id: 'order-1042-paid',
  duplicate: false,
  reserved: false,
  deliveryCount: 1,
  suppressedCount: 0,
};

export const publishAnswerSchema = z
  .object({
    application: z.string(),
    id: z.string().describe("The event's: the caller's, or one that was made for it."),
    duplicate: z.boolean().describe('Whether it was there before: nothing new was made.'),
    reserved: z.boolean().describe('Accepted and kept, and delivered to nobody.'),
    deliveryCount: z.int().nullable().describe('Null on a duplicate.'),
    suppressedCount: z
      .int()
      .nullable()
      .describe('Deliveries to endpoints that are disabled; null on a duplicate.'),
  })
  .meta({ id: 'PublishedEvent', examples: [PUBLISH_EXAMPLE] }) satisfies z.ZodType<AcceptedAnswer>;

export type PublishAnswer = z.infer<typeof publishAnswerSchema>;

export const publishTrialSchema = publishAnswerSchema
  .extend({
    id: z.string().describe("The event's: the caller's, or one as would be made for it."),
    body: z.string().describe('What every attempt would send, byte for byte.'),
    bodySha256: z.string().describe('Of the body, in hexadecimal digits.'),
    targets: z
      .array(
        z.object({
          endpoint: idText,
          endpointState: z
            .enum(ENDPOINT_STATES)
            .describe('A paused one would be sent to once it is resumed.'),
          url: z.string(),
          state: z.enum(['pending', 'suppressed']).describe("The delivery's."),
          firstAttemptAt: z.date().nullable().describe('Null where nothing would be sent.'),
          headers: z
            .array(z.object({ name: z.string(), value: z.string() }))
            .readonly()
            .describe(
              'As an attempt would send them now, signed, credentials as `***`; its delivery id is only an example.',
            ),
        }),
      )
      .readonly()
      .describe('One for each delivery that would be made; none on a duplicate.'),
  })
  .meta({
    id: 'PublishTrial',
    examples: [
      {
        ...PUBLISH_EXAMPLE,
        body: '{"event":"cte.event.registered"}',
        bodySha256: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
        targets: [
          {
            endpoint: '251604938752001',
            endpointState: 'active',
            url: 'https://example.com/webhooks',
            state: 'pending',
            firstAttemptAt: '2025-01-31T12:00:00.402Z',
            headers: [
              { name: 'X-Tffiscal-Event', value: 'cte.event.registered' },
              { name: 'token', value: '***' },
            ],
          },
        ],
      },
    ],
  });

export type PublishTrialAnswer = z.infer<typeof publishTrialSchema>;

export function publishTrialAnswer({ answer, body, targets }: PublishTrial): PublishTrialAnswer {
  return {
    ...answer,
    body: body.toString('utf8'),
    bodySha256: createHash('sha256').update(body).digest('hex'),
    targets: targets.map(({ endpointId, ...target }) => ({ endpoint: String(endpointId), ...target })),
  };
}

export const batchAnswerSchema = z
  .object({
    accepted: z.int(),
    duplicates: z.int(),
    rejected: z.int(),
    results: z
      .array(z.union([publishAnswerSchema.extend({ status: z.literal(202) }), problemSchema]))
      .describe('In the order of the events, each as it would have been answered alone.'),
  })
  .meta({
    id: 'PublishedBatch',
    examples: [{ accepted: 1, duplicates: 0, rejected: 0, results: [{ ...PUBLISH_EXAMPLE, status: 202 }] }],
  });

export type BatchAnswer = z.infer<typeof batchAnswerSchema>;
