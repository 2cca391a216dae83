import type { EndpointState } from '#domain/endpoint-state.js';
import type { Replay, ReplayFilter, ReplayKind, ReplayState } from '#domain/replay.js';
import { firstIdAt, idTime, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';
import { owedInMs } from './owed-pages.js';
import { Parameters, whereAll } from './parameters.js';

const REPLAY_COLUMNS = `
  id, kind, filter, state, matched, queued, skipped, rate_per_second AS "ratePerSecond", failure,
  created_by AS "createdBy", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** The deliveries of a filter, as conditions on `d`. */
interface Selection {
  /** What all rows of the index that is walked have in common: its leading columns, each with a placeholder. */
  readonly owner: readonly { readonly column: string; readonly value: string }[];
  readonly within: readonly string[];
  /** What the index does not know. */
  readonly matching: readonly string[];
}

/**
 * Dead letters are ordered by when they finished (deliveries_dead, deliveries_endpoint_dead,
 * deliveries_application_dead), an endpoint's deliveries by id (deliveries_endpoint, of one rare state
 * deliveries_endpoint_rare). Both orders have the id last, so a cursor of both names a place. The states are literals,
 * for a parameter hides a partial index from the planner; what is not asked for is left out, for the same reason.
 */
function selection(kind: ReplayKind, filter: ReplayFilter, fixedAt: Date, parameters: Parameters): Selection {
  const { endpoint, applications, type, ids, states } = filter;
  // One millisecond beyond the acceptance: what happened in that millisecond belongs to the set.
  const fixedEnd = new Date(fixedAt.getTime() + 1);
  const untilGiven = filter.until === null ? null : new Date(filter.until);
  const until = untilGiven !== null && untilGiven < fixedEnd ? untilGiven : fixedEnd;
  const since = filter.since === null ? null : new Date(filter.since);
  const ofStates = `d.state IN (${states.map((state) => `'${state}'`).join(', ')})`;
  const owner: Selection['owner'][number][] = [];
  const within = [`d.id < ${firstIdAt(until)}`];
  const matching: string[] = [];
  if (endpoint !== null) owner.push({ column: 'd.endpoint_id', value: parameters.add(endpoint) });
  if (ids !== null) within.push(`d.id = ANY (${parameters.add(ids)}::bigint[])`);
  if (type !== null) matching.push(`d.type = ${parameters.add(type)}`);
  if (kind === 'dead-letters' && endpoint === null && applications?.length === 1)
    owner.push({ column: 'd.application_id', value: parameters.add(applications[0]) });
  else if (applications !== null) matching.push(`d.application_id = ANY (${parameters.add(applications)})`);
  if (kind === 'dead-letters') {
    within.push(ofStates, `d.finished_at < ${parameters.add(until)}`);
    if (since !== null) within.push(`d.finished_at >= ${parameters.add(since)}`);
  } else {
    const [state] = states;
    if (states.length === 1 && state !== 'delivered' && state !== 'pending') {
      owner.push({ column: 'd.state', value: `'${state}'` });
      within.push(ofStates);
    } else matching.push(ofStates);
    if (since !== null) within.push(`d.id >= ${firstIdAt(since)}`);
    // What finishes after the acceptance was not in the state that was asked for.
    matching.push(`(d.finished_at IS NULL OR d.finished_at < ${parameters.add(fixedEnd)})`);
  }
  return { owner, within, matching };
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
  const parameters = new Parameters();
  const { owner, within, matching } = selection(kind, filter, now, parameters);
  const owned = owner.map(({ column, value }) => `${column} = ${value}`);
  const statement: Statement = {
    name: '',
    measuredAs: 'preview-replay',
    text: `SELECT d.endpoint_id AS "endpointId", count(*) AS matched, min(d.id) AS "oldestId", max(d.id) AS "newestId",
                  min(d.finished_at) AS "oldestFinish", max(d.finished_at) AS "newestFinish"
             FROM deliveries d ${whereAll([...owned, ...within, ...matching])} GROUP BY d.endpoint_id ORDER BY 2 DESC, 1`,
  };
  const rows = await database.query<{
    endpointId: number;
    matched: number;
    oldestId: number;
    newestId: number;
    oldestFinish: Date | null;
    newestFinish: Date | null;
  }>(statement, parameters.values);
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

/** In how many ms the next page of a running replay is owed, at most 0 when it is; null while none runs. */
export async function nextReplayPageInMs(database: Queryable): Promise<number | null> {
  const [row] = await database.query<{ owedInMs: number | null }>(
    {
      name: 'next-replay-page',
      text: `SELECT ${owedInMs('next_page_at')} AS "owedInMs" FROM replays WHERE state = 'running'`,
    },
    [],
  );
  return row!.owedInMs;
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
  readonly queued: number;
  /** Of each of the queued. */
  readonly contracts: readonly string[];
  readonly skipped: number;
  /** Nothing is left after it. */
  readonly isLast: boolean;
}

/**
 * Queues the next deliveries of a held replay and moves its cursor in the same transaction, so that a kill
 * repeats nothing and skips nothing. What changed since it was matched, is being sent, or belongs to a revoked
 * endpoint is skipped, and so is a delivery whose event's body was erased.
 */
export async function replayPage(
  connection: Queryable,
  replay: HeldReplay,
  limit: number,
): Promise<ReplayPage> {
  const examined = await examinePage(connection, replay, limit);
  const page = examined.filter((row) => row.matches).slice(0, limit);
  const full = page.length === limit;
  const last = full ? page.at(-1) : examined.at(-1);
  if (last === undefined) return { queued: 0, contracts: [], skipped: 0, isLast: true };
  const queued = await connection.query<{ contract: string }>(QUEUE_REPLAYED, [
    page.map((row) => row.id),
    replay.filter.states,
    new Date(replay.fixedAt.getTime() + 1),
  ]);
  const counts = { queued: queued.length, skipped: page.length - queued.length };
  await connection.query(MOVE_CURSOR, [
    replay.id,
    replay.kind === 'dead-letters' ? last.finishedAt : null,
    last.id,
    counts.queued,
    counts.skipped,
    replay.ratePerSecond === null ? 0 : (1_000 * page.length) / replay.ratePerSecond,
  ]);
  const contracts = queued.map(({ contract }) => contract);
  return { ...counts, contracts, isLast: !full && examined.length < MAX_EXAMINED };
}

/** Rows that a page looks through at most: a quiet state of a busy endpoint must not make it last for ever. */
const MAX_EXAMINED = 5_000;

/**
 * The next rows of a replay in its order, and whether they match what their index does not know. Rows compared as
 * wholes leave the planner that index only.
 */
async function examinePage(
  connection: Queryable,
  replay: HeldReplay,
  limit: number,
): Promise<{ id: TimeOrderedId; finishedAt: Date | null; matches: boolean }[]> {
  const parameters = new Parameters();
  const { owner, within, matching } = selection(replay.kind, replay.filter, replay.fixedAt, parameters);
  const byFinish = replay.kind === 'dead-letters';
  const columns = [...owner.map(({ column }) => column), ...(byFinish ? ['d.finished_at'] : []), 'd.id'];
  const place = (...position: string[]) =>
    `(${[...owner.map(({ value }) => value), ...position].join(', ')})`;
  const [after, end] = byFinish
    ? [
        place(`${parameters.add(replay.cursorAt ?? '-infinity')}::timestamptz`, String(replay.cursorId)),
        place(`'infinity'::timestamptz`, String(Number.MAX_SAFE_INTEGER)),
      ]
    : [place(String(replay.cursorId)), place(String(Number.MAX_SAFE_INTEGER))];
  const whole = `(${columns.join(', ')})`;
  const statement: Statement = {
    name: '',
    measuredAs: 'examine-replay',
    text: `
SELECT d.id, d.finished_at AS "finishedAt", ${['true', ...matching].join(' AND ')} AS matches
  FROM deliveries d ${whereAll([...within, `${whole} > ${after}`, `${whole} < ${end}`])}
 ORDER BY ${columns.join(', ')} LIMIT ${matching.length === 0 ? limit : MAX_EXAMINED}`,
    // Given ids are few, and sorted sooner than found in a walk.
    ...(replay.filter.ids === null && { inIndexOrder: true }),
  };
  return connection.query(statement, parameters.values);
}

const QUEUE_REPLAYED: Statement = {
  name: 'queue-replayed-deliveries',
  text: `
UPDATE deliveries d
   SET cycle = CASE WHEN d.state = 'pending' THEN d.cycle ELSE d.cycle + 1 END,
       attempts_before_cycle = CASE WHEN d.state = 'pending' THEN d.attempts_before_cycle ELSE d.attempt_count END,
       state = 'pending', next_trigger = 'replay', scheduled_at = now_ms(), due_at = now_ms(), url = NULL,
       finished_at = NULL, internal_failures = 0, postponed = false
  FROM endpoints e JOIN applications a ON a.id = e.application_id
 WHERE d.id = ANY ($1) AND e.id = d.endpoint_id AND e.state <> 'revoked' AND d.state = ANY ($2)
   AND (d.finished_at IS NULL OR d.finished_at < $3) AND NOT d.body_erased
   AND NOT (d.state = 'pending' AND d.scheduled_at <= now() AND d.due_at > now() AND NOT d.postponed)
RETURNING a.contract`,
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
