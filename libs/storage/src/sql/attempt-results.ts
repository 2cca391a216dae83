import type { AttemptOutcome } from '#domain/attempt-outcome.js';
import type { AttemptTrigger, DeliveryState, ExhaustedState } from '#domain/delivery-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';
import { copiedForOperatorUrl, OPERATOR_EVENTS_TOPIC } from './operator-events.js';
import { withinDays } from './within-days.js';

export const DEAD_LETTERS_TOPIC = 'dead-letters.v1';

/** One finished attempt, to be made durable. */
export interface AttemptResult {
  readonly deliveryId: TimeOrderedId;
  readonly token: number;
  readonly endpointId: TimeOrderedId;
  readonly endpointEpoch: number;
  readonly number: number;
  readonly cycle: number;
  readonly trigger: AttemptTrigger;
  readonly publicId: string;
  readonly url: string;
  readonly remoteAddress: string | null;
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly responseSummary: string;
  /** As `kept-headers.ts` writes them. */
  readonly requestHeaders: string;
  /** The same; null where no response came. */
  readonly responseHeaders: string | null;
  readonly retryAfterSeconds: number | null;
  readonly durationMs: number;
  /** Since it ended, by the worker's monotonic clock: the database counts back from its own time. */
  readonly ageMs: number;
  /** The wait before the next attempt, counted from the end of this one; null after a success or the last. */
  readonly retryInMs: number | null;
  readonly exhausted: ExhaustedState;
  /** Consecutive failures that disable the endpoint; 0 is never. */
  readonly breakerThreshold: number;
  /** False where the worker knows the failures to be its own (most healthy endpoints failed at once). */
  readonly countsForBreaker: boolean;
}

export interface RecordedResult {
  /** The delivery's state after it; null when the result was superseded: logged, and otherwise without effect. */
  readonly state: DeliveryState | null;
  readonly attemptNumber: number;
  readonly nextAttemptAt: Date | null;
  /** The endpoint was disabled by the batch that this result was in. */
  readonly endpointDisabled: boolean;
}

/** Over `e`, the endpoint as it is under its lock, and `f`, the batch folded for it. */
const BREAKER_TRIPS = `(e.state = 'active' AND f.threshold > 0 AND (f.longest_later_run >= f.threshold
             OR (f.first_run > 0 AND e.failures + f.first_run >= f.threshold)))`;

/** In the words of `LastAnswer` in libs/domain. */
const LAST_ANSWER = `'lastHttpStatus', r.http_status,
                            'lastError', CASE WHEN r.error_code IS NOT NULL
                                              THEN jsonb_build_object('code', r.error_code, 'message', r.error_message) END`;

/**
 * A batch of results in one statement, and so one commit: deliveries moved, attempts logged, endpoints adjusted,
 * dead letters and operator events put into the outbox, the minute's figures raised.
 *
 * - A success moves the delivery whoever holds it (the receiver has the event). A failure moves it only under
 *   its token and while it is pending; else it is logged as superseded and counts for nothing.
 * - Of a delivery that is erased nothing is logged, and where its event's body was erased the answer and all headers
 *   are left out of the log. What is not moved is locked for that look: an erasure that is under way is waited for, and
 *   one that comes later finds the attempt.
 * - Times are the database's: the worker sends ages.
 * - Breaker: failures fold in the order of completion, per endpoint and the epoch they were sent in. A run is
 *   what lies between two successes; the first run adds to the stored count, and the last one becomes it.
 * - Locks: endpoint rows are taken in id order before they are changed and minutes are upserted in that order
 *   too, so two batches over the same endpoints wait for each other and do not deadlock. No delivery is in two
 *   batches but after its lease ran out; the caller retries on 40P01.
 */
const recordResults = withinDays(
  'record-attempt-results',
  (within) => `
WITH result AS MATERIALIZED (
  SELECT r.*, now_ms() - r.age_ms * interval '1 ms' AS ended_at
    FROM unnest($1::bigint[], $2::float8[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[],
                $9::text[], $10::text[], $11::text[], $12::int[], $13::text[], $14::text[], $15::text[], $16::int[],
                $17::int[], $18::float8[], $19::float8[], $20::text[], $21::int[], $22::bool[], $23::text[],
                $24::text[])
         WITH ORDINALITY AS r(delivery_id, token, endpoint_id, epoch, number, cycle, trigger, public_id,
                              url, remote_address, outcome, http_status, error_code, error_message, summary,
                              retry_after_s, duration_ms, age_ms, retry_in_ms, exhausted, threshold, counts,
                              request_headers, response_headers, n)
), moved AS (
  UPDATE deliveries d
     SET state = CASE WHEN r.outcome = 'success' THEN 'delivered'
                      WHEN r.retry_in_ms IS NOT NULL THEN 'pending'
                      WHEN d.delivered_at IS NOT NULL THEN 'delivered'
                      ELSE r.exhausted END,
         scheduled_at = CASE WHEN r.outcome <> 'success' THEN r.ended_at + r.retry_in_ms * interval '1 ms' END,
         due_at = CASE WHEN r.outcome <> 'success' THEN r.ended_at + r.retry_in_ms * interval '1 ms' END,
         next_trigger = 'retry',
         attempt_count = d.attempt_count + 1,
         delivered_at = CASE WHEN r.outcome = 'success' THEN coalesce(d.delivered_at, r.ended_at)
                             ELSE d.delivered_at END,
         finished_at = CASE WHEN r.outcome = 'success' OR r.retry_in_ms IS NULL THEN r.ended_at END,
         last_http_status = r.http_status,
         last_error_code = r.error_code,
         last_error_message = r.error_message,
         internal_failures = 0,
         postponed = false
    FROM result r
   WHERE d.id = r.delivery_id AND d.id = ANY ($1) AND ${within('d.id')}
     AND CASE WHEN r.outcome = 'success' THEN d.state IN ('pending', 'dead', 'closed', 'canceled')
              ELSE d.state = 'pending' AND d.due_at = to_timestamp(r.token / 1000) END
  RETURNING d.id, r.n, d.state, d.attempt_count, d.scheduled_at, d.event_id, d.application_id, d.type, d.body_erased
), unmoved AS MATERIALIZED (
  SELECT r.n, d.body_erased
    FROM (SELECT n, delivery_id FROM result WHERE n NOT IN (SELECT n FROM moved)) AS r
   CROSS JOIN LATERAL (SELECT body_erased FROM deliveries
                        WHERE deliveries.id = r.delivery_id AND ${within('deliveries.id')} FOR SHARE) AS d
), present AS (
  SELECT n, attempt_count, scheduled_at, false AS superseded, body_erased FROM moved
   UNION ALL
  SELECT n, NULL, NULL, true, body_erased FROM unmoved
), logged AS (
  INSERT INTO attempts (delivery_id, number, cycle, superseded, trigger, started_at, duration_ms, url, remote_address,
                        outcome, http_status, error_code, error_message, response_summary, retry_after_seconds,
                        next_attempt_at, request_headers, response_headers)
  SELECT r.delivery_id, coalesce(p.attempt_count, r.number), r.cycle, p.superseded, r.trigger,
         r.ended_at - r.duration_ms * interval '1 ms', r.duration_ms, r.url, r.remote_address, r.outcome, r.http_status,
         r.error_code, r.error_message, CASE WHEN p.body_erased THEN '' ELSE r.summary END, r.retry_after_s,
         p.scheduled_at, CASE WHEN NOT p.body_erased THEN r.request_headers END,
         CASE WHEN NOT p.body_erased THEN r.response_headers END
    FROM result r JOIN present p USING (n)
), minute AS (
  INSERT INTO endpoint_minutes AS s (endpoint_id, minute, succeeded, failed, duration_ms_sum, last_success_at,
                                     last_failure_at)
  SELECT endpoint_id, date_trunc('minute', now()), count(*) FILTER (WHERE outcome = 'success'),
         count(*) FILTER (WHERE outcome <> 'success'), sum(duration_ms),
         max(ended_at) FILTER (WHERE outcome = 'success'), max(ended_at) FILTER (WHERE outcome <> 'success')
    FROM result GROUP BY endpoint_id ORDER BY endpoint_id
      ON CONFLICT (endpoint_id, minute) DO UPDATE
     SET succeeded = s.succeeded + excluded.succeeded, failed = s.failed + excluded.failed,
         duration_ms_sum = s.duration_ms_sum + excluded.duration_ms_sum,
         last_success_at = greatest(s.last_success_at, excluded.last_success_at),
         last_failure_at = greatest(s.last_failure_at, excluded.last_failure_at)
), counted AS (
  SELECT r.endpoint_id, r.epoch, r.threshold, r.outcome = 'success' AS success,
         count(*) FILTER (WHERE r.outcome = 'success') OVER (PARTITION BY r.endpoint_id, r.epoch ORDER BY r.n) AS run
    FROM moved m JOIN result r ON r.n = m.n
   WHERE r.counts OR r.outcome = 'success'
), run AS (
  SELECT endpoint_id, epoch, run, max(threshold) AS threshold, count(*) FILTER (WHERE NOT success) AS failures
    FROM counted GROUP BY endpoint_id, epoch, run
), fold AS (
  SELECT endpoint_id, epoch, max(threshold) AS threshold, bool_or(run > 0) AS any_success, sum(failures) AS failures,
         coalesce(max(failures) FILTER (WHERE run = 0), 0) AS first_run,
         coalesce(max(failures) FILTER (WHERE run > 0), 0) AS longest_later_run,
         (array_agg(failures ORDER BY run DESC))[1] AS last_run
    FROM run GROUP BY endpoint_id, epoch
), locked AS MATERIALIZED (
  SELECT e.id FROM endpoints e JOIN fold f ON f.endpoint_id = e.id AND f.epoch = e.epoch
   WHERE f.failures > 0 OR e.failures > 0
   ORDER BY e.id FOR NO KEY UPDATE OF e
), adjusted AS (
  UPDATE endpoints e
     SET failures = CASE WHEN f.any_success THEN f.last_run ELSE e.failures + f.first_run END,
         state = CASE WHEN ${BREAKER_TRIPS} THEN 'disabled' ELSE e.state END,
         disabled_at = CASE WHEN ${BREAKER_TRIPS} THEN now_ms() ELSE e.disabled_at END,
         disabled_reason = CASE WHEN ${BREAKER_TRIPS}
                                THEN 'breaker: ' || f.threshold || ' consecutive failed attempts'
                                ELSE e.disabled_reason END
    FROM locked l JOIN fold f ON f.endpoint_id = l.id
   WHERE e.id = l.id AND e.epoch = f.epoch
  RETURNING new.id, new.application_id, old.state = 'active' AND new.state = 'disabled' AS disabled,
            new.disabled_reason, new.failures
), announced AS (
  INSERT INTO outbox (topic, key, payload)
  SELECT '${DEAD_LETTERS_TOPIC}', r.endpoint_id::text,
         jsonb_build_object('delivery', m.id::text, 'application', m.application_id, 'endpoint', r.endpoint_id::text,
                            'event', r.public_id, 'type', m.type, 'state', m.state, 'attemptCount', m.attempt_count,
                            'lastHttpStatus', r.http_status, 'lastErrorCode', r.error_code, 'finishedAt', r.ended_at)
    FROM moved m JOIN result r ON r.n = m.n WHERE m.state IN ('dead', 'closed')
   UNION ALL
  SELECT '${OPERATOR_EVENTS_TOPIC}', r.endpoint_id::text,
         jsonb_build_object('type', 'delivery.dead', 'application', m.application_id, 'contract', a.contract,
                            'endpoint', r.endpoint_id::text, 'delivery', m.id::text, 'event', r.public_id,
                            'eventType', m.type, 'state', m.state, 'attemptCount', m.attempt_count, ${LAST_ANSWER})
    FROM moved m JOIN result r ON r.n = m.n JOIN applications a ON a.id = m.application_id
   WHERE m.state IN ('dead', 'closed')
   UNION ALL
  SELECT '${OPERATOR_EVENTS_TOPIC}', e.id::text,
         jsonb_build_object('type', 'endpoint.disabled', 'application', e.application_id, 'contract', a.contract,
                            'endpoint', e.id::text, 'cause', 'breaker', 'reason', e.disabled_reason,
                            'consecutiveFailures', e.failures, ${LAST_ANSWER})
    FROM adjusted e JOIN applications a ON a.id = e.application_id
   CROSS JOIN LATERAL (SELECT http_status, error_code, error_message FROM result
                        WHERE endpoint_id = e.id AND outcome <> 'success' ORDER BY n DESC LIMIT 1) AS r
   WHERE e.disabled
  RETURNING id, topic, payload, created_at
), for_operator_url AS (${copiedForOperatorUrl('announced')}
)
SELECT r.n::int AS n, m.state, coalesce(m.attempt_count, r.number) AS "attemptNumber",
       m.scheduled_at AS "nextAttemptAt", coalesce(a.disabled, false) AS "endpointDisabled"
  FROM result r LEFT JOIN moved m ON m.n = r.n LEFT JOIN adjusted a ON a.id = r.endpoint_id`,
);

interface ResultRow {
  n: number;
  state: DeliveryState | null;
  attemptNumber: number;
  nextAttemptAt: Date | null;
  endpointDisabled: boolean;
}

/**
 * Makes results durable; returns what became of each, in order.
 *
 * @param results in order of completion, no delivery twice
 */
export async function recordAttemptResults(
  database: Queryable,
  results: readonly AttemptResult[],
): Promise<RecordedResult[]> {
  const column = <Key extends keyof AttemptResult>(key: Key): AttemptResult[Key][] =>
    results.map((result) => result[key]);
  const ids = column('deliveryId');
  const rows = await database.query<ResultRow>(recordResults(Math.min(...ids), Math.max(...ids)), [
    ids,
    column('token'),
    column('endpointId'),
    column('endpointEpoch'),
    column('number'),
    column('cycle'),
    column('trigger'),
    column('publicId'),
    column('url'),
    column('remoteAddress'),
    column('outcome'),
    column('httpStatus'),
    column('errorCode'),
    column('errorMessage'),
    column('responseSummary'),
    column('retryAfterSeconds'),
    column('durationMs'),
    column('ageMs'),
    column('retryInMs'),
    column('exhausted'),
    column('breakerThreshold'),
    column('countsForBreaker'),
    column('requestHeaders'),
    column('responseHeaders'),
  ]);
  const recorded = new Array<RecordedResult>(results.length);
  for (const { n, ...row } of rows) recorded[n - 1] = row;
  return recorded;
}
