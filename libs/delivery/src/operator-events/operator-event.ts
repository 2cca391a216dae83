import { z } from 'zod';
import type { StoredOperatorEvent } from '#storage/sql/operator-events.js';

const ID = z.string().regex(/^\d+$/);
/** Method and path, to be sent to the admin API. */
const CALL = z.string().regex(/^(GET|POST) \/v1\//);
const COUNT = z.int().min(0);
const TIME = z.iso.datetime();

/** Of the endpoint that it is about, or that it is about most of all. */
const OF_ENDPOINT = { application: z.string(), contract: z.string(), endpoint: ID };

const LAST_ANSWER = {
  lastHttpStatus: z.int().nullable(),
  lastError: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
};

function schemaOf<Type extends string, Facts extends z.ZodRawShape>(type: Type, facts: Facts) {
  return z.strictObject({ id: ID, type: z.literal(type), at: TIME, ...OF_ENDPOINT, ...facts });
}

/** An endpoint takes no new events any more: the breaker opened, or an operator disabled it. */
export const endpointDisabledSchema = schemaOf('endpoint.disabled', {
  cause: z.enum(['breaker', 'operator']),
  reason: z.string(),
  consecutiveFailures: COUNT,
  ...LAST_ANSWER,
  api: z.strictObject({ endpoint: CALL, attempts: CALL, verify: CALL, enable: CALL }),
});

/** An endpoint that was disabled is sent to again. */
export const endpointRestoredSchema = schemaOf('endpoint.restored', {
  cause: z.enum(['operator', 'registration']),
  reason: z.string().nullable(),
  since: TIME.nullable(),
  suppressedCount: COUNT,
  api: z.strictObject({ endpoint: CALL, replay: CALL }),
});

/** A delivery has used up its attempts. */
export const deliveryDeadSchema = schemaOf('delivery.dead', {
  delivery: ID,
  event: z.string(),
  eventType: z.string(),
  state: z.enum(['dead', 'closed']),
  attemptCount: COUNT,
  ...LAST_ANSWER,
  api: z.strictObject({ delivery: CALL, attempts: CALL, redeliver: CALL }),
});

/** Endpoints fall behind, further and further. */
export const backlogGrowingSchema = schemaOf('backlog.growing', {
  oldestDueAt: TIME,
  waitedSeconds: z.number().min(0),
  since: TIME,
  endpointCount: COUNT,
  endpoints: z.array(ID).min(1),
  api: z.strictObject({ endpoint: CALL, attempts: CALL, pending: CALL, stats: CALL }),
});

export const operatorEventSchema = z.discriminatedUnion('type', [
  endpointDisabledSchema,
  endpointRestoredSchema,
  deliveryDeadSchema,
  backlogGrowingSchema,
]);
export type OperatorEvent = z.infer<typeof operatorEventSchema>;

/**
 * As it is announced and POSTed: with its id and time, and the calls that look closer or repair. What the previous
 * version has stored lacks what that did not know.
 */
export function announcedOperatorEvent({ id, payload, createdAt }: StoredOperatorEvent): OperatorEvent {
  const facts = { ...payload, id: String(id), at: createdAt.toISOString() } as unknown as OperatorEvent;
  return { ...facts, api: callsFor(facts) } as OperatorEvent;
}

function callsFor(event: OperatorEvent): OperatorEvent['api'] {
  const endpoint = `/v1/endpoints/${event.endpoint}`;
  const attempts = `GET /v1/attempts?endpoint=${event.endpoint}`;
  switch (event.type) {
    case 'endpoint.disabled':
      return {
        endpoint: `GET ${endpoint}`,
        attempts,
        verify: `POST ${endpoint}/verify`,
        enable: `POST ${endpoint}/enable`,
      };
    case 'endpoint.restored':
      return { endpoint: `GET ${endpoint}`, replay: `POST ${endpoint}/replay` };
    case 'delivery.dead': {
      const delivery = `/v1/deliveries/${event.delivery}`;
      return {
        delivery: `GET ${delivery}`,
        attempts: `GET ${delivery}/attempts`,
        redeliver: `POST ${delivery}/redeliver`,
      };
    }
    case 'backlog.growing':
      return {
        endpoint: `GET ${endpoint}`,
        attempts,
        pending: `GET /v1/deliveries?state=pending&endpoint=${event.endpoint}`,
        stats: 'GET /v1/stats?by=endpoint',
      };
  }
}
