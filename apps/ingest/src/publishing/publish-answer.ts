import type { PublishAnswer as AcceptedAnswer } from '#delivery/accept/event-acceptor.js';
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
