import type { Database } from '#storage/database.js';
import { EVENT_TYPE } from '../rounds/event-bodies.js';

/** Of one statement. What is written is due, and must not lie unseen behind a commit for longer than the sweep looks back. */
const AT_ONCE = 50_000;

/**
 * Deliveries as an outage leaves them: due, spread evenly over the endpoints of the applications, each of an event of
 * its own that carries the round and its place in it.
 *
 * @param body of each event, as its receiver gets it
 */
export async function writeBacklog(
  database: Database,
  backlog: {
    readonly round: number;
    readonly deliveries: number;
    readonly applications: readonly string[];
    readonly body: string;
  },
): Promise<void> {
  const { round, deliveries, applications, body } = backlog;
  for (const [from, to] of parts(deliveries))
    await database.pool.query(BACKLOG, [round, from, to, applications, EVENT_TYPE, body]);
}

/** Its public id is that of event-id.ts. */
const BACKLOG = `
WITH event AS MATERIALIZED (
  SELECT next_id() AS id, ($4::text[])[1 + place % cardinality($4::text[])] AS application_id, place
    FROM generate_series($2::int, $3::int - 1) AS place
), written AS (
  INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
  SELECT id, application_id, 'b' || lpad($1::text, 4, '0') || '-' || lpad(place::text, 8, '0'), $5, now_ms(),
         convert_to($6, 'UTF8')
    FROM event
)
INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
SELECT event.id, event.application_id, endpoint.id, $5, 'pending', now_ms(), now_ms()
  FROM event JOIN endpoints endpoint USING (application_id)
 ORDER BY event.place`;

/** Deliveries that are due for the endpoint of one application, all of the same event. */
export async function writeWaiting(
  database: Database,
  application: string,
  deliveries: number,
  body: string,
): Promise<void> {
  const { rows } = await database.pool.query<{ id: number }>(EVENT, [application, EVENT_TYPE, body]);
  for (const [from, to] of parts(deliveries))
    await database.pool.query(WAITING, [application, rows[0]!.id, EVENT_TYPE, to - from]);
}

const EVENT = `
INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
VALUES (next_id(), $1, 'waiting', $2, now_ms(), convert_to($3, 'UTF8')) RETURNING id`;

const WAITING = `
INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
SELECT $2::bigint, $1, endpoint.id, $3, 'pending', now_ms(), now_ms()
  FROM endpoints endpoint, generate_series(1, $4::int)
 WHERE endpoint.application_id = $1`;

function parts(count: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, index) => [
    index * AT_ONCE,
    Math.min(count, (index + 1) * AT_ONCE),
  ]);
}
