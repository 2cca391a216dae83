import { contractNamed } from '#contracts/registry.js';
import { idTime } from '#domain/time-ordered-id.js';
import type { EventRow } from '#storage/event.repository.js';
import { z } from 'zod';
import { DELIVERY_EXAMPLE, deliveryAnswerSchema } from './delivery-answer.js';

const EVENT_EXAMPLE = {
  id: 'order-1042-paid',
  application: 'acme',
  type: 'cte.event.registered',
  occurredAt: '2025-01-31T12:00:00.000Z',
  acceptedAt: '2025-01-31T12:00:00.402Z',
  reserved: false,
  deliveryCount: 1,
  suppressedCount: 0,
  bodyBytes: 412,
  bodyErasedAt: null,
};

export const eventAnswerSchema = z
  .object({
    id: z.string(),
    application: z.string(),
    type: z.string(),
    occurredAt: z.date(),
    acceptedAt: z.date(),
    reserved: z.boolean().describe('Accepted and kept, and delivered to nobody.'),
    deliveryCount: z.int().describe('At acceptance.'),
    suppressedCount: z.int(),
    bodyBytes: z.int().nullable().describe('Null once the body was erased.'),
    bodyErasedAt: z.date().nullable(),
  })
  .meta({ id: 'Event', examples: [EVENT_EXAMPLE] });

export type EventAnswer = z.infer<typeof eventAnswerSchema>;

export const wholeEventAnswerSchema = eventAnswerSchema
  .extend({
    deliveries: z
      .array(deliveryAnswerSchema)
      .readonly()
      .describe('The newest thousand; `GET /v1/deliveries?event=` lists all.'),
    body: z.string().nullable().describe('What every attempt sends, byte for byte; null once it was erased.'),
    bodySha256: z.string().nullable().describe('Of the body, in hexadecimal digits.'),
  })
  .meta({
    id: 'WholeEvent',
    examples: [
      {
        ...EVENT_EXAMPLE,
        deliveries: [DELIVERY_EXAMPLE],
        body: '{"event":"cte.event.registered"}',
        bodySha256: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
      },
    ],
  });

export type WholeEventAnswer = z.infer<typeof wholeEventAnswerSchema>;

export function eventAnswer(row: EventRow): EventAnswer {
  const type = contractNamed(row.contract).eventTypes.find(({ name }) => name === row.type);
  return {
    id: row.publicId,
    application: row.applicationId,
    type: row.type,
    occurredAt: row.occurredAt,
    acceptedAt: idTime(row.id),
    reserved: type?.reserved ?? false,
    deliveryCount: row.deliveryCount,
    suppressedCount: row.suppressedCount,
    bodyBytes: row.bodyBytes,
    bodyErasedAt: row.bodyErasedAt,
  };
}
