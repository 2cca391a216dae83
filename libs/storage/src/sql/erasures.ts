import type { ApplicationErasure, ErasurePhase } from '#domain/erasure.js';
import { SECOND_MS } from '#domain/durations.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { DIGEST_BYTES } from './accept-events.js';
import type { Queryable, Statement } from '../database.js';
import { owedInMs } from './owed-pages.js';

/**
 * From the deletion to the first page: what was being accepted then has ended by that time, for no statement takes
 * longer than 10 s, and so nothing is added behind the pages.
 */
const SETTLING_MS = 15 * SECOND_MS;
/** At most, over all processes, so that what goes on beside the erasure hardly notices. */
const ROWS_PER_SECOND = 4_000;
/** Rows of a page, each its own commit. Events may have 256 KiB each. */
const DELIVERIES_PAGE = 500;
const EVENTS_PAGE = 200;
const SMALL_ROWS_PAGE = 2_000;

const REQUEST_ERASURE: Statement = {
  name: 'request-erasure',
  text: `
INSERT INTO erasures (application_id, next_page_at) VALUES ($1, now_ms() + $2::float8 * interval '1 ms')
    ON CONFLICT DO NOTHING RETURNING application_id`,
};

/** Has all data of a deleted application erased; false where that was requested before. */
export async function requestErasure(connection: Queryable, applicationId: string): Promise<boolean> {
  return (await connection.query(REQUEST_ERASURE, [applicationId, SETTLING_MS])).length > 0;
}

const FIND_ERASURE: Statement = {
  name: 'find-erasure',
  text: `
SELECT application_id AS "applicationId", state, deliveries, attempts, events, failure, requested_at AS "requestedAt",
       finished_at AS "finishedAt"
  FROM erasures WHERE application_id = $1`,
};

export async function findErasure(
  database: Queryable,
  applicationId: string,
): Promise<ApplicationErasure | undefined> {
  return (await database.query<ApplicationErasure>(FIND_ERASURE, [applicationId]))[0];
}

/** An erasure that a runner holds for one page. */
export interface HeldErasure {
  readonly applicationId: string;
  readonly phase: ErasurePhase;
  /** The last id that the phase is past. */
  readonly cursorId: TimeOrderedId;
}

const NEXT_ERASURE_PAGE: Statement = {
  name: 'next-erasure-page',
  text: `SELECT ${owedInMs('next_page_at')} AS "owedInMs" FROM erasures WHERE state = 'running'`,
};

/** In how many ms the next page of an erasure is owed, at most 0 when it is; null while none runs. By erasures_running. */
export async function nextErasurePageInMs(database: Queryable): Promise<number | null> {
  const [row] = await database.query<{ owedInMs: number | null }>(NEXT_ERASURE_PAGE, []);
  return row!.owedInMs;
}

const HOLD_NEXT_ERASURE: Statement = {
  name: 'hold-next-erasure',
  text: `
SELECT application_id AS "applicationId", phase, cursor_id AS "cursorId"
  FROM erasures WHERE state = 'running' AND next_page_at <= now()
 ORDER BY next_page_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
};

/** Locks one erasure whose next page is owed; those that another runner holds are skipped. By erasures_running. */
export async function holdNextErasure(connection: Queryable): Promise<HeldErasure | undefined> {
  return (await connection.query<HeldErasure>(HOLD_NEXT_ERASURE, []))[0];
}

/** What one page did. */
export interface ErasedPage {
  /** Where the next page of the phase begins; null where the phase is over. */
  readonly cursorId: TimeOrderedId | null;
  readonly deliveries?: number;
  readonly attempts?: number;
  readonly events?: number;
}

const ADVANCE_ERASURE: Statement = {
  name: 'advance-erasure',
  text: `
UPDATE erasures
   SET phase = $2, cursor_id = $3, deliveries = deliveries + $4, attempts = attempts + $5, events = events + $6,
       next_page_at = now_ms() + $7::float8 * interval '1 ms', failures = 0, failure = NULL
 WHERE application_id = $1`,
};

/** @param next the phase and the place in it of the next page */
export async function advanceErasure(
  connection: Queryable,
  applicationId: string,
  next: { readonly phase: ErasurePhase; readonly cursorId: TimeOrderedId },
  { deliveries = 0, attempts = 0, events = 0 }: ErasedPage,
): Promise<void> {
  const paceMs = (SECOND_MS * (deliveries + attempts + events)) / ROWS_PER_SECOND;
  const values = [applicationId, next.phase, next.cursorId, deliveries, attempts, events, paceMs];
  await connection.query(ADVANCE_ERASURE, values);
}

const POSTPONE_ERASURE: Statement = {
  name: 'postpone-erasure',
  text: `
UPDATE erasures
   SET failures = failures + 1, failure = $2,
       next_page_at = now_ms() + least(60, 2 ^ least(failures, 6)) * interval '1 s'
 WHERE application_id = $1 AND state = 'running'`,
};

/** After a page that failed: again later, at most a minute, for ever. What was promised to be erased must be. */
export async function postponeErasure(
  database: Queryable,
  applicationId: string,
  failure: string,
): Promise<void> {
  await database.query(POSTPONE_ERASURE, [applicationId, failure]);
}

const FIRST_ENDPOINT: Statement = {
  name: 'first-endpoint-to-erase',
  text: `SELECT id FROM endpoints WHERE application_id = $1 ORDER BY id LIMIT 1`,
};

/** By deliveries_endpoint, forwards, for behind the cursor lie index entries of what is gone. */
const LOCK_DELIVERIES_PAGE: Statement = {
  name: 'lock-deliveries-to-erase',
  text: `
SELECT id FROM deliveries
 WHERE (endpoint_id, id) > ($1::bigint, $2::bigint) AND (endpoint_id, id) <= ($1::bigint, ${Number.MAX_SAFE_INTEGER}::bigint)
 ORDER BY endpoint_id, id LIMIT ${DELIVERIES_PAGE} FOR UPDATE`,
};
/** By the primary keys. */
const ERASE_ATTEMPTS: Statement = {
  name: 'erase-attempts',
  text: `
WITH erased AS (DELETE FROM attempts WHERE delivery_id = ANY ($1) RETURNING id)
SELECT count(*) AS erased FROM erased`,
};
const ERASE_DELIVERIES: Statement = {
  name: 'erase-deliveries',
  text: `DELETE FROM deliveries WHERE id = ANY ($1)`,
};
const ERASE_ENDPOINT: Statement = { name: 'erase-endpoint', text: `DELETE FROM endpoints WHERE id = $1` };

/**
 * Deliveries and attempts of the application's first endpoint, and the endpoint when they are gone. Deliveries are
 * locked by a statement of its own: a result that is being written has its attempt in the table by the next one's
 * snapshot, and one that comes later finds no delivery and logs nothing.
 */
export async function eraseDeliveriesPage(
  connection: Queryable,
  { applicationId, cursorId }: HeldErasure,
): Promise<ErasedPage> {
  const [endpoint] = await connection.query<{ id: TimeOrderedId }>(FIRST_ENDPOINT, [applicationId]);
  if (!endpoint) return { cursorId: null };
  const page = await connection.query<{ id: TimeOrderedId }>(LOCK_DELIVERIES_PAGE, [endpoint.id, cursorId]);
  const ids = page.map((row) => row.id);
  const [attempts] = await connection.query<{ erased: number }>(ERASE_ATTEMPTS, [ids]);
  await connection.query(ERASE_DELIVERIES, [ids]);
  const over = ids.length < DELIVERIES_PAGE;
  if (over) await connection.query(ERASE_ENDPOINT, [endpoint.id]);
  return { cursorId: over ? 0 : ids.at(-1)!, deliveries: ids.length, attempts: attempts!.erased };
}

/** By events_application and the primary keys. No key is without its event: retention too takes the key first. */
const ERASE_EVENTS_PAGE: Statement = {
  name: 'erase-events-page',
  text: `
WITH page AS MATERIALIZED (
  SELECT id, public_id FROM events
   WHERE (application_id, id) > ($1, $2::bigint) AND (application_id, id) <= ($1, ${Number.MAX_SAFE_INTEGER}::bigint)
   ORDER BY application_id, id LIMIT ${EVENTS_PAGE}
), key AS (
  DELETE FROM event_keys
   WHERE application_id = $1
     AND digest = ANY (ARRAY(SELECT substring(sha256(convert_to(public_id, 'UTF8')) FROM 1 FOR ${DIGEST_BYTES}) FROM page))
), event AS (
  DELETE FROM events WHERE id = ANY (ARRAY(SELECT id FROM page))
)
SELECT count(*) AS erased, max(id) AS last FROM page`,
};

export async function eraseEventsPage(
  connection: Queryable,
  { applicationId, cursorId }: HeldErasure,
): Promise<ErasedPage> {
  const [page] = await connection.query<{ erased: number; last: TimeOrderedId | null }>(ERASE_EVENTS_PAGE, [
    applicationId,
    cursorId,
  ]);
  const { erased, last } = page!;
  return { cursorId: erased < EVENTS_PAGE ? null : last, events: erased };
}

/** By rejections_application. */
const ERASE_REJECTIONS_PAGE: Statement = {
  name: 'erase-rejections-page',
  text: `
WITH page AS MATERIALIZED (
  SELECT slot, id FROM rejections WHERE application_id = $1 AND id > $2 ORDER BY id LIMIT ${SMALL_ROWS_PAGE}
), erased AS (
  DELETE FROM rejections WHERE application_id = $1 AND slot = ANY (ARRAY(SELECT slot FROM page))
)
SELECT count(*) AS seen, max(id) AS last FROM page`,
};

/**
 * By the primary key: it is empty but while the broker is away. What waits for the operator's URL goes at once, by
 * operator_posts_application: it is of a day at most.
 */
const ERASE_OUTBOX_PAGE: Statement = {
  name: 'erase-outbox-page',
  text: `
WITH page AS MATERIALIZED (
  SELECT id, payload ->> 'application' AS application_id FROM outbox
   WHERE id > $2 ORDER BY id LIMIT ${SMALL_ROWS_PAGE}
), erased AS (
  DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM page WHERE application_id = $1))
), erased_for_operator_url AS (
  DELETE FROM operator_posts WHERE application_id = $1
)
SELECT count(*) AS seen, max(id) AS last FROM page`,
};

/** By audit_entries_application. What is left out of an entry is what its trigger lets go. */
const ERASE_AUDITED_VALUES_PAGE: Statement = {
  name: 'erase-audited-values-page',
  text: `
WITH page AS MATERIALIZED (
  SELECT id FROM audit_entries WHERE application_id = $1 AND id > $2 ORDER BY id LIMIT ${SMALL_ROWS_PAGE}
), erased AS (
  UPDATE audit_entries
     SET changes = changes_without_values(changes),
         resource_id = CASE WHEN action LIKE 'event.%' THEN NULL ELSE resource_id END
   WHERE id = ANY (ARRAY(SELECT id FROM page))
)
SELECT count(*) AS seen, max(id) AS last FROM page`,
};

const SMALL_ROWS_PAGES = {
  rejections: ERASE_REJECTIONS_PAGE,
  outbox: ERASE_OUTBOX_PAGE,
  audit: ERASE_AUDITED_VALUES_PAGE,
} as const;

export async function eraseSmallRowsPage(
  connection: Queryable,
  phase: keyof typeof SMALL_ROWS_PAGES,
  { applicationId, cursorId }: HeldErasure,
): Promise<ErasedPage> {
  const values = [applicationId, cursorId];
  const [page] = await connection.query<{ seen: number; last: number | null }>(
    SMALL_ROWS_PAGES[phase],
    values,
  );
  return { cursorId: page!.seen < SMALL_ROWS_PAGE ? null : page!.last };
}

/** The row stays, for its id is not given again. */
const ERASE_APPLICATION: Statement = {
  name: 'erase-application',
  text: `
WITH erased AS (
  UPDATE applications
     SET name = '', environment = '', attributes = '{}', settings = '{}', secret = NULL, next_secret = NULL,
         next_secret_at = NULL, updated_at = now_ms()
   WHERE id = $1
)
UPDATE erasures SET state = 'done', failures = 0, failure = NULL, finished_at = now_ms() WHERE application_id = $1`,
};

export async function eraseApplicationRow(connection: Queryable, applicationId: string): Promise<void> {
  await connection.query(ERASE_APPLICATION, [applicationId]);
}
