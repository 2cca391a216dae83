import type { AttemptTrigger, DeliveryState } from '#domain/delivery-state.js';
import type { EndpointState } from '#domain/endpoint-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { TraceContext } from '#domain/trace-context.js';
import type { Queryable } from '../database.js';
import { BORN_WITHIN_DAYS } from './delivery-ids.js';
import { withinDays } from './within-days.js';

/** Everything one attempt needs, as it is at this moment. */
export interface AttemptInput {
  readonly deliveryId: TimeOrderedId;
  readonly endpointId: TimeOrderedId;
  readonly applicationId: string;
  readonly state: DeliveryState;
  /** `due_at` now, epoch ms; equals the holder's token or the delivery is no longer its. */
  readonly token: number | null;
  /** What is left of the lease by the database's clock. */
  readonly leaseLeftMs: number | null;
  readonly type: string;
  readonly cycle: number;
  readonly attemptCount: number;
  readonly attemptsBeforeCycle: number;
  readonly trigger: AttemptTrigger;
  readonly internalFailures: number;
  /** How long ago the attempt was owed, by the database's clock. */
  readonly lagMs: number | null;
  /** Where to: of when it was queued where the contract says so, else of now. */
  readonly url: string;
  readonly endpointState: EndpointState;
  readonly endpointEpoch: number;
  readonly endpointFailures: number;
  readonly contract: string;
  /** The application's settings as JSON text. */
  readonly settings: string;
  readonly credentials: Buffer;
  readonly applicationSecret: Buffer | null;
  /** Null when the event's body is no longer kept. */
  readonly publicId: string | null;
  readonly body: Buffer | null;
  /** Of the publish; null where neither its publisher nor we traced it. */
  readonly traceContext: TraceContext | null;
}

/**
 * One joined read for all free slots: endpoint, credentials and secret are those of now (TF-33), after any
 * rotation that was set for a time. Every table is reached by primary key; OFFSET 0 keeps the planner from turning
 * the look-ups into one join over all partitions, of which each id concerns one.
 */
const readInputs = withinDays(
  'read-attempt-inputs',
  (within) => `
SELECT d.id AS "deliveryId", d.endpoint_id AS "endpointId", d.application_id AS "applicationId", d.state,
       extract(epoch FROM d.due_at)::float8 * 1000 AS token,
       CASE WHEN d.due_at < 'infinity' THEN extract(epoch FROM d.due_at - clock_timestamp())::float8 * 1000 END
         AS "leaseLeftMs",
       d.type, d.cycle, d.attempt_count AS "attemptCount", d.attempts_before_cycle AS "attemptsBeforeCycle",
       d.next_trigger AS trigger, d.internal_failures AS "internalFailures",
       extract(epoch FROM clock_timestamp() - d.scheduled_at)::float8 * 1000 AS "lagMs",
       coalesce(d.url, e.url) AS url, e.state AS "endpointState", e.epoch AS "endpointEpoch",
       e.failures AS "endpointFailures", a.contract, a.settings::text AS settings,
       CASE WHEN e.next_credentials_at <= now() THEN e.next_credentials ELSE e.credentials END AS credentials,
       CASE WHEN a.next_secret_at <= now() THEN a.next_secret ELSE a.secret END AS "applicationSecret",
       v.public_id AS "publicId", v.body, v.trace_context AS "traceContext"
  FROM unnest($1::bigint[]) AS wanted(id)
 CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE deliveries.id = wanted.id AND ${within('deliveries.id')} OFFSET 0) d
  JOIN endpoints e ON e.id = d.endpoint_id
  JOIN applications a ON a.id = d.application_id
  LEFT JOIN LATERAL (SELECT public_id, body, trace_context FROM events WHERE events.id = d.event_id AND ${within('events.id', BORN_WITHIN_DAYS)} OFFSET 0) v ON true`,
);

export async function readAttemptInputs(
  database: Queryable,
  deliveryIds: readonly TimeOrderedId[],
): Promise<AttemptInput[]> {
  const statement = readInputs(Math.min(...deliveryIds), Math.max(...deliveryIds));
  const rows = await database.query<AttemptInput>(statement, [deliveryIds]);
  return rows.map((row) => (row.token === null ? row : { ...row, token: Math.round(row.token) }));
}
