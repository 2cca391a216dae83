import type { EndpointState } from '#domain/endpoint-state.js';
import type { Replay, ReplayFilter, ReplayKind, ReplayState } from '#domain/replay.js';
import { firstIdAt, idTime, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

const REPLAY_COLUMNS = `
  id, kind, filter, state, matched, queued, skipped, rate_per_second AS "ratePerSecond", failure,
  created_by AS "createdBy", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** The deliveries of a filter: conditions on `d`, `$1` … `$7`, the order they are taken in and its index. */
interface Selection {
  readonly where: string;
  readonly values: readonly unknown[];
}

/**
 * Dead letters are ordered by when they finished (deliveries_dead), an endpoint's deliveries by id
 * (deliveries_endpoint, deliveries_suppressed). Both orders have the id last, so a cursor of both names a place.
 * The states are literals, for a parameter hides a partial index from the planner.
 */
function selection(kind: ReplayKind, filter: ReplayFilter, fixedAt: Date): Selection {
  const byFinish = kind === 'dead-letters';
  const since = filter.since === null ? null : new Date(filter.since);
  const untilGiven = filter.until === null ? null : new Date(filter.until);
  // One millisecond beyond the acceptance: what happened in that millisecond belongs to the set.
  const fixedEnd = new Date(fixedAt.getTime() + 1);
  const until = untilGiven !== null && untilGiven < fixedEnd ? untilGiven : fixedEnd;
  const states = [...filter.states]
    .sort()
    .map((state) => `'${state}'`)
    .join(', ');
  return {
    where: `d.state IN (${states})
      AND ($1::text[] IS NULL OR d.application_id = ANY ($1))
      AND ($2::bigint IS NULL OR d.endpoint_id = $2)
      AND ($3::text IS NULL OR d.type = $3)
      AND ($4::bigint[] IS NULL OR d.id = ANY ($4))
      ${
        byFinish
          ? `AND d.finished_at >= coalesce($5::timestamptz, '-infinity') AND d.finished_at < $6::timestamptz AND $7::bigint = 0`
          : `AND (d.finished_at IS NULL OR d.finished_at < $5::timestamptz) AND d.id >= $7::bigint AND d.id < $6::bigint`
      }`,
    values: [
      filter.applications,
      filter.endpoint,
      filter.type,
      filter.ids,
      // What finishes after the acceptance was not in the state that was asked for.
      byFinish ? since : fixedEnd,
      byFinish ? until : firstIdAt(until),
      byFinish || since === null ? 0 : firstIdAt(since),
    ],
  };
}

export interface ReplayPreview {
  readonly matched: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
  readonly byEndpoint: readonly { endpointId: TimeOrderedId; matched: number }[];
}

/** Counts what a replay would take, changing nothing. */
export async function previewReplay(
  database: Queryable,
  kind: ReplayKind,
  filter: ReplayFilter,
  now: Date,
): Promise<ReplayPreview> {
  const { where, values } = selection(kind, filter, now);
  const statement: Statement = {
    name: statementName('preview-replay', kind, filter),
    text: `SELECT d.endpoint_id AS "endpointId", count(*) AS matched, min(d.id) AS "oldestId", max(d.id) AS "newestId",
                  min(d.finished_at) AS "oldestFinish", max(d.finished_at) AS "newestFinish"
             FROM deliveries d WHERE ${where} GROUP BY d.endpoint_id ORDER BY 2 DESC, 1`,
  };
  const rows = await database.query<{
    endpointId: number;
    matched: number;
    oldestId: number;
    newestId: number;
    oldestFinish: Date | null;
    newestFinish: Date | null;
  }>(statement, values);
  const times = rows.flatMap((row) =>
    kind === 'dead-letters'
      ? [row.oldestFinish!, row.newestFinish!]
      : [idTime(row.oldestId), idTime(row.newestId)],
  );
  times.sort((a, b) => a.getTime() - b.getTime());
  return {
    matched: rows.reduce((sum, row) => sum + row.matched, 0),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    byEndpoint: rows.map(({ endpointId, matched }) => ({ endpointId, matched })),
  };
}

/** Fixes the set by the database's time and writes the replay; it runs from the next look of a runner. */
export async function createReplay(
  connection: Queryable,
  replay: { kind: ReplayKind; filter: ReplayFilter; ratePerSecond: number | null; createdBy: string },
): Promise<Replay> {
  const [clock] = await connection.query<{ now: Date }>(
    { name: 'replay-clock', text: `SELECT date_trunc('milliseconds', clock_timestamp()) AS now` },
    [],
  );
  const fixedAt = clock!.now;
  const { matched } = await previewReplay(connection, replay.kind, replay.filter, fixedAt);
  const rows = await connection.query<Replay>(
    {
      name: 'create-replay',
      text: `INSERT INTO replays (kind, filter, fixed_at, matched, rate_per_second, created_by)
             VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${REPLAY_COLUMNS}`,
    },
    [replay.kind, JSON.stringify(replay.filter), fixedAt, matched, replay.ratePerSecond, replay.createdBy],
  );
  return rows[0]!;
}

export async function findReplay(database: Queryable, id: TimeOrderedId): Promise<Replay | undefined> {
  const rows = await database.query<Replay>(
    { name: 'find-replay', text: `SELECT ${REPLAY_COLUMNS} FROM replays WHERE id = $1` },
    [id],
  );
  return rows[0];
}

/**
 * Newest first, before the id of a cursor.
 *
 * @param applications only replays that can touch no other application; null for all
 */
export async function listReplays(
  database: Queryable,
  applications: readonly string[] | null,
  before: TimeOrderedId | null,
  limit: number,
): Promise<Replay[]> {
  return database.query<Replay>(
    {
      name: 'list-replays',
      text: `SELECT ${REPLAY_COLUMNS} FROM replays
              WHERE id < coalesce($1::bigint, 9223372036854775807)
                AND ($2::text[] IS NULL OR (filter -> 'applications' <@ to_jsonb($2::text[]) AND filter -> 'applications' <> '[]'))
              ORDER BY id DESC LIMIT $3`,
    },
    [before, applications, limit],
  );
}

/** Ends a running replay; what it has queued stays queued. Undefined when it was not running. */
export async function endReplay(
  connection: Queryable,
  id: TimeOrderedId,
  state: Exclude<ReplayState, 'running'>,
  failure: string | null,
): Promise<Replay | undefined> {
  const rows = await connection.query<Replay>(
    {
      name: 'end-replay',
      text: `UPDATE replays SET state = $2, failure = $3, finished_at = now_ms() WHERE id = $1 AND state = 'running'
             RETURNING ${REPLAY_COLUMNS}`,
    },
    [id, state, failure],
  );
  return rows[0];
}

/** A replay that a runner holds for one page. */
export interface HeldReplay {
  readonly id: TimeOrderedId;
  readonly kind: ReplayKind;
  readonly filter: ReplayFilter;
  readonly fixedAt: Date;
  readonly cursorAt: Date | null;
  readonly cursorId: TimeOrderedId;
  readonly ratePerSecond: number | null;
}

/** Locks one running replay whose next page is owed; replays that another runner holds are skipped. */
export async function holdNextReplay(connection: Queryable): Promise<HeldReplay | undefined> {
  const rows = await connection.query<HeldReplay>(
    {
      name: 'hold-next-replay',
      text: `SELECT id, kind, filter, fixed_at AS "fixedAt", cursor_at AS "cursorAt", cursor_id AS "cursorId",
                    rate_per_second AS "ratePerSecond"
               FROM replays WHERE state = 'running' AND next_page_at <= now()
              ORDER BY next_page_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    },
    [],
  );
  return rows[0];
}

export async function findEndpointOfReplay(
  database: Queryable,
  endpointId: TimeOrderedId,
): Promise<{ state: EndpointState; applicationId: string } | undefined> {
  const rows = await database.query<{ state: EndpointState; applicationId: string }>(
    {
      name: 'find-endpoint-of-replay',
      text: `SELECT state, application_id AS "applicationId" FROM endpoints WHERE id = $1`,
    },
    [endpointId],
  );
  return rows[0];
}

export interface ReplayPage {
  readonly seen: number;
  readonly queued: number;
  readonly skipped: number;
}

/**
 * Queues the next deliveries of a held replay and moves its cursor in the same transaction, so that a kill
 * repeats nothing and skips nothing. What changed since it was matched, is being sent, or belongs to a revoked
 * endpoint is skipped.
 */
export async function replayPage(
  connection: Queryable,
  replay: HeldReplay,
  limit: number,
): Promise<ReplayPage> {
  const byFinish = replay.kind === 'dead-letters';
  const { where, values } = selection(replay.kind, replay.filter, replay.fixedAt);
  const page = await connection.query<{ id: number; finishedAt: Date | null }>(
    {
      name: statementName('replay-page', replay.kind, replay.filter),
      text: `SELECT d.id, d.finished_at AS "finishedAt" FROM deliveries d
              WHERE ${where}
                AND ${byFinish ? `(d.finished_at, d.id) > (coalesce($8::timestamptz, '-infinity'), $9)` : `$8::timestamptz IS NULL AND d.id > $9`}
              ORDER BY ${byFinish ? 'd.finished_at, d.id' : 'd.id'} LIMIT $10`,
    },
    [...values, byFinish ? replay.cursorAt : null, replay.cursorId, limit],
  );
  const last = page.at(-1);
  if (last === undefined) return { seen: 0, queued: 0, skipped: 0 };
  const queued = await connection.query(QUEUE_REPLAYED, [
    page.map((row) => row.id),
    replay.filter.states,
    new Date(replay.fixedAt.getTime() + 1),
  ]);
  const counts = { seen: page.length, queued: queued.length, skipped: page.length - queued.length };
  await connection.query(MOVE_CURSOR, [
    replay.id,
    byFinish ? last.finishedAt : null,
    last.id,
    counts.queued,
    counts.skipped,
    replay.ratePerSecond === null ? 0 : (1_000 * page.length) / replay.ratePerSecond,
  ]);
  return counts;
}

const QUEUE_REPLAYED: Statement = {
  name: 'queue-replayed-deliveries',
  text: `
UPDATE deliveries d
   SET cycle = CASE WHEN d.state = 'pending' THEN d.cycle ELSE d.cycle + 1 END,
       attempts_before_cycle = CASE WHEN d.state = 'pending' THEN d.attempts_before_cycle ELSE d.attempt_count END,
       state = 'pending', next_trigger = 'replay', scheduled_at = now_ms(), due_at = now_ms(), url = NULL,
       finished_at = NULL, internal_failures = 0, postponed = false
  FROM endpoints e
 WHERE d.id = ANY ($1) AND e.id = d.endpoint_id AND e.state <> 'revoked' AND d.state = ANY ($2)
   AND (d.finished_at IS NULL OR d.finished_at < $3)
   AND NOT (d.state = 'pending' AND d.scheduled_at <= now() AND d.due_at > now() AND NOT d.postponed)
RETURNING d.id`,
};

const MOVE_CURSOR: Statement = {
  name: 'move-replay-cursor',
  text: `
UPDATE replays
   SET cursor_at = $2, cursor_id = $3, queued = queued + $4, skipped = skipped + $5,
       next_page_at = now_ms() + $6::float8 * interval '1 ms', failures = 0
 WHERE id = $1`,
};

/**
 * After a page that failed: later again, so that other replays go on meanwhile; `failed` after $2 times in a row.
 */
const POSTPONE_REPLAY: Statement = {
  name: 'postpone-replay',
  text: `
UPDATE replays
   SET failures = failures + 1,
       next_page_at = now_ms() + least(60, 2 ^ failures) * interval '1 s',
       state = CASE WHEN failures + 1 >= $2 THEN 'failed' ELSE state END,
       failure = CASE WHEN failures + 1 >= $2 THEN $3 END,
       finished_at = CASE WHEN failures + 1 >= $2 THEN now_ms() END
 WHERE id = $1 AND state = 'running'`,
};

export async function postponeReplay(
  database: Queryable,
  id: TimeOrderedId,
  failure: { readonly afterFailures: number; readonly message: string },
): Promise<void> {
  await database.query(POSTPONE_REPLAY, [id, failure.afterFailures, failure.message]);
}

/** Prepared per kind and set of states: their text differs in these only. */
function statementName(base: string, kind: ReplayKind, filter: ReplayFilter): string {
  // Within the 63 characters of a name.
  return `${base}-${kind}-${[...filter.states]
    .sort()
    .map((state) => state.slice(0, 3))
    .join('-')}`;
}
