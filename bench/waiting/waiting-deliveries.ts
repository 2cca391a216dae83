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
    await database.pool.query(BACKLOG, [applications, from, to, round, EVENT_TYPE, body]);
}

/** The webhooks of the applications `$1` in their order, from 0. */
const ENDPOINTS = `
  SELECT endpoint.id, endpoint.application_id, application.place - 1 AS place
    FROM unnest($1::text[]) WITH ORDINALITY AS application (id, place)
    JOIN endpoints endpoint ON endpoint.application_id = application.id`;

/** Its public id is that of event-id.ts. */
const BACKLOG = `
WITH endpoint AS MATERIALIZED (${ENDPOINTS}), event AS MATERIALIZED (
  SELECT next_id() AS id, endpoint.id AS endpoint_id, endpoint.application_id, event.place
    FROM generate_series($2::int, $3::int - 1) AS event (place)
    JOIN endpoint ON endpoint.place = event.place % cardinality($1::text[])
), written AS (
  INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
  SELECT id, application_id, 'b' || lpad($4::text, 4, '0') || '-' || lpad(place::text, 8, '0'), $5, now_ms(),
         convert_to($6, 'UTF8')
    FROM event
)
INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
SELECT id, application_id, endpoint_id, $5, 'pending', now_ms(), now_ms() FROM event ORDER BY place`;

/** The same, but all of one event. */
export async function writeWaiting(
  database: Database,
  waiting: {
    readonly deliveries: number;
    readonly applications: readonly string[];
    readonly body: string;
  },
): Promise<void> {
  const { deliveries, applications, body } = waiting;
  const { rows } = await database.pool.query<{ id: number }>(EVENT, [applications[0], EVENT_TYPE, body]);
  for (const [from, to] of parts(deliveries))
    await database.pool.query(WAITING, [applications, from, to, rows[0]!.id, EVENT_TYPE]);
}

const EVENT = `
INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
VALUES (next_id(), $1, 'waiting', $2, now_ms(), convert_to($3, 'UTF8')) RETURNING id`;

const WAITING = `
WITH endpoint AS MATERIALIZED (${ENDPOINTS})
INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
SELECT $4::bigint, endpoint.application_id, endpoint.id, $5, 'pending', now_ms(), now_ms()
  FROM generate_series($2::int, $3::int - 1) AS delivery (place)
  JOIN endpoint ON endpoint.place = delivery.place % cardinality($1::text[])`;

/** Removes what waits, whatever the product is about to do with it. */
export async function takeAwayWaiting(database: Database): Promise<void> {
  await database.pool.query(TAKE_AWAY);
  // Or the server would clean up in the middle of what is measured next.
  await database.pool.query('VACUUM (ANALYZE) deliveries, events');
}

/** Locked in the order of ids, as the product does. */
const TAKE_AWAY = `
WITH waiting AS MATERIALIZED (SELECT id FROM deliveries WHERE state = 'pending' ORDER BY id FOR UPDATE)
DELETE FROM deliveries USING waiting WHERE deliveries.id = waiting.id`;

function parts(count: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil(count / AT_ONCE) }, (_, index) => [
    index * AT_ONCE,
    Math.min(count, (index + 1) * AT_ONCE),
  ]);
}
