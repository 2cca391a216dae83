import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { TraceContext } from '#domain/trace-context.js';
import type { Database, Queryable, Statement } from '../database.js';

/** Bytes of a digest of a public id, and of a content hash. */
export const DIGEST_BYTES = 16;

/** One event with its body built, ready to be made durable. */
export interface EventToAccept {
  readonly applicationId: string;
  readonly contract: string;
  readonly publicId: string;
  /** First {@link DIGEST_BYTES} of SHA-256 of the public id. */
  readonly digest: Buffer;
  /** First {@link DIGEST_BYTES} of SHA-256 of type and data: the same id with another hash is a conflict. */
  readonly contentHash: Buffer;
  readonly type: string;
  readonly occurredAt: Date;
  readonly body: Buffer;
  readonly reserved: boolean;
  /**
   * What the delay of the first attempt counts from. Only what a producer says himself may lie ahead; all else is
   * cut to the database's now, for it comes from clocks that run ahead or behind.
   */
  readonly delayFrom: 'occurrence' | { readonly recordedAt: Date | null };
  readonly firstAttemptDelayMs: number;
  /** Whether deliveries keep the URL of now. */
  readonly keepsUrl: boolean;
  /** What its attempts join. */
  readonly traceContext: TraceContext | null;
}

export interface AcceptedDelivery {
  readonly id: TimeOrderedId;
  readonly endpointId: TimeOrderedId;
  /** The lease taken on the caller's behalf, as epoch milliseconds; null where nothing is to be sent now. */
  readonly token: number | null;
}

export interface AcceptedEvent {
  readonly eventId: TimeOrderedId;
  readonly deliveryCount: number;
  readonly suppressedCount: number;
  readonly deliveries: readonly AcceptedDelivery[];
  /** The version of the application that the statement met, as epoch milliseconds. */
  readonly applicationUpdatedAtMs: number;
}

/**
 * The whole acceptance in one statement, so that its commit makes an event and all its deliveries durable
 * together.
 *
 * - The insert into `event_keys` decides who is first; a loser produces no row here and is looked up by
 *   {@link findEventKeys} in a statement of its own, for this one's snapshot is older than the winner's row.
 *   Keys are inserted in order, so that two processes with the same keys wait for each other, not in a ring.
 * - Endpoints are read here and not from a cache, under `FOR KEY SHARE`: a revoke takes the row `FOR UPDATE`,
 *   so it either sees these deliveries or is seen by this statement. Results update endpoints meanwhile. The
 *   deletion of an application revokes its endpoints, so it needs no lock of its own here.
 * - Events get their ids before it is known whether they are kept, so that the parts join on one number.
 * - What is due now is leased for the caller ($13), who sends references to it; without a lease it is left due
 *   for the sweep.
 *
 * Served by endpoints_application and the primary keys.
 */
const ACCEPT_EVENTS: Statement = {
  name: 'accept-events',
  text: `
WITH input AS MATERIALIZED (
  SELECT i.*, next_id() AS event_id, a.updated_at AS application_updated_at,
         substring($2::bytea FROM (i.n::int - 1) * ${DIGEST_BYTES} + 1 FOR ${DIGEST_BYTES}) AS digest,
         substring($3::bytea FROM (i.n::int - 1) * ${DIGEST_BYTES} + 1 FOR ${DIGEST_BYTES}) AS content_hash,
         to_timestamp(i.occurred_ms / 1000) AS occurred_at,
         greatest(now_ms(), CASE WHEN i.from_occurrence THEN to_timestamp(i.occurred_ms / 1000)
                                 ELSE least(now_ms(), to_timestamp(i.recorded_ms / 1000)) END
                            + i.delay_ms * interval '1 ms') AS first_attempt_at
    FROM unnest($1::text[], $4::text[], $5::text[], $6::float8[], $8::int[], $9::int[], $10::bool[], $11::float8[],
                $12::bool[], $14::text[], $15::bool[], $16::float8[], $17::text[])
         WITH ORDINALITY AS i(application_id, public_id, type, occurred_ms, body_from, body_bytes, reserved, delay_ms,
                              keeps_url, contract, from_occurrence, recorded_ms, trace_context, n)
    JOIN applications a ON a.id = i.application_id AND a.contract = i.contract AND a.deleted_at IS NULL
), endpoint AS MATERIALIZED (
  SELECT id, application_id, event_types, state, url
    FROM endpoints
   WHERE application_id = ANY ($1) AND state <> 'revoked'
   ORDER BY id
     FOR KEY SHARE
), target AS MATERIALIZED (
  SELECT i.event_id, i.application_id, i.type, i.first_attempt_at, e.id AS endpoint_id, e.state,
         CASE WHEN i.keeps_url THEN e.url END AS url
    FROM input i
    JOIN endpoint e ON e.application_id = i.application_id AND (e.event_types IS NULL OR i.type = ANY (e.event_types))
   WHERE NOT i.reserved
), counted AS (
  SELECT event_id, count(*) FILTER (WHERE state <> 'disabled') AS deliveries,
         count(*) FILTER (WHERE state = 'disabled') AS suppressed
    FROM target GROUP BY event_id
), key AS (
  INSERT INTO event_keys (application_id, digest, content_hash, event_id, delivery_count, suppressed_count)
  SELECT i.application_id, i.digest, i.content_hash, event_id, coalesce(c.deliveries, 0), coalesce(c.suppressed, 0)
    FROM input i LEFT JOIN counted c USING (event_id)
   ORDER BY i.application_id, i.digest
      ON CONFLICT DO NOTHING
  RETURNING event_id, delivery_count, suppressed_count
), event AS (
  INSERT INTO events (id, application_id, public_id, type, occurred_at, body, trace_context)
  SELECT k.event_id, i.application_id, i.public_id, i.type, i.occurred_at,
         substring($7::bytea FROM i.body_from FOR i.body_bytes), i.trace_context
    FROM key k JOIN input i USING (event_id)
), delivery AS (
  INSERT INTO deliveries (event_id, application_id, endpoint_id, type, url, state, scheduled_at, due_at)
  SELECT event_id, t.application_id, t.endpoint_id, t.type, t.url,
         CASE WHEN t.state = 'disabled' THEN 'suppressed' ELSE 'pending' END,
         CASE WHEN t.state = 'disabled' THEN NULL ELSE t.first_attempt_at END,
         CASE WHEN t.state = 'disabled' THEN NULL
              WHEN t.state = 'active' AND t.first_attempt_at <= now_ms()
              THEN now_ms() + coalesce($13::int, 0) * interval '1 ms'
              ELSE t.first_attempt_at END
    FROM key k JOIN target t USING (event_id)
  RETURNING id, event_id, endpoint_id, due_at, scheduled_at
)
SELECT i.n::int AS n, event_id AS "eventId", k.delivery_count AS "deliveryCount",
       k.suppressed_count AS "suppressedCount", d.id AS "deliveryId", d.endpoint_id AS "endpointId",
       extract(epoch FROM i.application_updated_at)::float8 * 1000 AS "applicationUpdatedAtMs",
       CASE WHEN d.due_at > d.scheduled_at THEN extract(epoch FROM d.due_at)::float8 * 1000 END AS token
  FROM key k JOIN input i USING (event_id) LEFT JOIN delivery d USING (event_id)`,
};

/**
 * The same for a large batch, prepared under its own name: the planner takes the batch for a handful of rows and
 * joins its parts by nested loops, which cost the square of its size. Without them it is linear.
 */
const ACCEPT_MANY_EVENTS: Statement = { name: 'accept-many-events', text: ACCEPT_EVENTS.text };
const WITHOUT_NESTED_LOOPS: Statement = {
  name: 'without-nested-loops',
  text: 'SET LOCAL enable_nestloop = off',
};
const SMALL_BATCH = 32;

interface AcceptRow {
  n: number;
  eventId: number;
  deliveryCount: number;
  suppressedCount: number;
  deliveryId: number | null;
  endpointId: number | null;
  token: number | null;
  applicationUpdatedAtMs: number;
}

/**
 * Makes events durable, all or none; returns one entry per event in order, null where its key exists already or
 * its application does not exist.
 *
 * @param chunks statements of one transaction; no two events of any have the same application and digest
 * @param leaseMs how long the caller holds what is due now, or null to leave it to the sweep
 */
export async function acceptEvents(
  database: Pick<Database, 'query' | 'transaction'>,
  chunks: readonly (readonly EventToAccept[])[],
  leaseMs: number | null,
): Promise<(AcceptedEvent | null)[]> {
  const [only] = chunks;
  if (chunks.length === 1 && only!.length <= SMALL_BATCH)
    return accept(database, ACCEPT_EVENTS, only!, leaseMs);
  return database.transaction(async (connection) => {
    await connection.query(WITHOUT_NESTED_LOOPS, []);
    const accepted: (AcceptedEvent | null)[] = [];
    for (const chunk of chunks)
      accepted.push(...(await accept(connection, ACCEPT_MANY_EVENTS, chunk, leaseMs)));
    return accepted;
  });
}

async function accept(
  database: Queryable,
  statement: Statement,
  events: readonly EventToAccept[],
  leaseMs: number | null,
): Promise<(AcceptedEvent | null)[]> {
  const bodyFrom: number[] = [];
  let offset = 1;
  for (const event of events) {
    bodyFrom.push(offset);
    offset += event.body.length;
  }
  const rows = await database.query<AcceptRow>(statement, [
    events.map((event) => event.applicationId),
    Buffer.concat(events.map((event) => event.digest)),
    Buffer.concat(events.map((event) => event.contentHash)),
    events.map((event) => event.publicId),
    events.map((event) => event.type),
    events.map((event) => event.occurredAt.getTime()),
    Buffer.concat(events.map((event) => event.body)),
    bodyFrom,
    events.map((event) => event.body.length),
    events.map((event) => event.reserved),
    events.map((event) => event.firstAttemptDelayMs),
    events.map((event) => event.keepsUrl),
    leaseMs,
    events.map((event) => event.contract),
    events.map(({ delayFrom }) => delayFrom === 'occurrence'),
    events.map(({ delayFrom }) =>
      delayFrom === 'occurrence' ? null : (delayFrom.recordedAt?.getTime() ?? null),
    ),
    events.map(({ traceContext }) => traceContext),
  ]);
  const accepted = new Array<(AcceptedEvent & { deliveries: AcceptedDelivery[] }) | null>(events.length).fill(
    null,
  );
  for (const row of rows) {
    const entry = (accepted[row.n - 1] ??= {
      eventId: row.eventId,
      deliveryCount: row.deliveryCount,
      suppressedCount: row.suppressedCount,
      applicationUpdatedAtMs: row.applicationUpdatedAtMs,
      deliveries: [],
    });
    if (row.deliveryId !== null && row.endpointId !== null) {
      entry.deliveries.push({
        id: row.deliveryId,
        endpointId: row.endpointId,
        token: row.token === null ? null : Math.round(row.token),
      });
    }
  }
  return accepted;
}

export interface EventKey {
  readonly contentHash: Buffer;
  readonly eventId: TimeOrderedId;
}

const FIND_EVENT_KEYS: Statement = {
  name: 'find-event-keys',
  text: `
SELECT i.n::int AS n, k.content_hash AS "contentHash", k.event_id AS "eventId"
  FROM unnest($1::text[]) WITH ORDINALITY AS i(application_id, n)
  JOIN applications a ON a.id = i.application_id AND a.deleted_at IS NULL
  JOIN event_keys k ON k.application_id = i.application_id
       AND k.digest = substring($2::bytea FROM (i.n::int - 1) * ${DIGEST_BYTES} + 1 FOR ${DIGEST_BYTES})`,
};

/**
 * The stored keys of events that {@link acceptEvents} did not insert, in order; null where there is none, or no
 * such application any more.
 */
export async function findEventKeys(
  database: Queryable,
  keys: readonly { applicationId: string; digest: Buffer }[],
): Promise<(EventKey | null)[]> {
  const rows = await database.query<EventKey & { n: number }>(FIND_EVENT_KEYS, [
    keys.map((key) => key.applicationId),
    Buffer.concat(keys.map((key) => key.digest)),
  ]);
  const found = new Array<EventKey | null>(keys.length).fill(null);
  for (const row of rows) found[row.n - 1] = { contentHash: row.contentHash, eventId: row.eventId };
  return found;
}
