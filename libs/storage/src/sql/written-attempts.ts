import type { AttemptOutcome } from '#domain/attempt-outcome.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { ATTEMPT_COLUMNS, type AttemptRow } from '../attempt.repository.js';
import type { Queryable, Statement } from '../database.js';
import { BORN_WITHIN_DAYS } from './delivery-ids.js';
import { withinDays } from './within-days.js';

/** What tells who wants to see an attempt. */
export interface WrittenAttempt {
  readonly id: TimeOrderedId;
  readonly deliveryId: TimeOrderedId;
  readonly outcome: AttemptOutcome;
  readonly applicationId: string;
  readonly endpointId: TimeOrderedId;
}

/** An attempt with whom it was for. */
export interface FollowedAttemptRow extends AttemptRow {
  readonly deliveryId: TimeOrderedId;
  readonly applicationId: string;
  readonly endpointId: TimeOrderedId;
  readonly type: string;
  /** Null where the event is no longer kept. */
  readonly publicId: string | null;
}

/**
 * By attempts_written of each partition, merged: an attempt lies with its delivery, which may be old, so every one is
 * looked into.
 */
const LIST_WRITTEN: Statement = {
  name: 'list-written-attempts',
  text: `
SELECT id, delivery_id AS "deliveryId", outcome FROM attempts WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3`,
};

/** By the primary key, in the partitions in which they lie. */
const findOwners = withinDays(
  'owners-of-written-attempts',
  (within) => `
SELECT id, application_id AS "applicationId", endpoint_id AS "endpointId"
  FROM deliveries WHERE id = ANY ($1) AND ${within('id')}`,
);

/**
 * Attempts in the order in which they were written, `after < id ≤ upTo`, the first `limit` of them.
 *
 * @returns `examinedTo` is where it stopped: `upTo`, or the last of them where there may be more. What belongs to a
 *   delivery that was erased meanwhile is left out.
 */
export async function listWrittenAttempts(
  database: Queryable,
  after: TimeOrderedId,
  upTo: TimeOrderedId,
  limit: number,
): Promise<{ readonly attempts: readonly WrittenAttempt[]; readonly examinedTo: TimeOrderedId }> {
  const written = await database.query<Pick<WrittenAttempt, 'id' | 'deliveryId' | 'outcome'>>(LIST_WRITTEN, [
    after,
    upTo,
    limit,
  ]);
  if (written.length === 0) return { attempts: [], examinedTo: upTo };
  const ids = [...new Set(written.map(({ deliveryId }) => deliveryId))];
  const owners = await database.query<{
    id: TimeOrderedId;
    applicationId: string;
    endpointId: TimeOrderedId;
  }>(findOwners(lowest(ids), highest(ids)), [ids]);
  const ownerOf = new Map(owners.map(({ id, ...owner }) => [id, owner]));
  return {
    attempts: written.flatMap((attempt) => {
      const owner = ownerOf.get(attempt.deliveryId);
      return owner ? [{ ...attempt, ...owner }] : [];
    }),
    examinedTo: written.length < limit ? upTo : written.at(-1)!.id,
  };
}

/** By primary keys; OFFSET 0 keeps the look-ups from becoming joins over all partitions. */
const readFollowed = withinDays(
  'read-followed-attempts',
  (within) => `
SELECT a.*, d.*, v.public_id AS "publicId"
  FROM unnest($1::bigint[], $2::bigint[]) AS wanted(delivery_id, attempt_id)
 CROSS JOIN LATERAL (SELECT ${ATTEMPT_COLUMNS} FROM attempts
                      WHERE attempts.delivery_id = wanted.delivery_id AND attempts.id = wanted.attempt_id
                        AND ${within('attempts.delivery_id')} OFFSET 0) AS a
 CROSS JOIN LATERAL (SELECT deliveries.id AS "deliveryId", event_id, application_id AS "applicationId",
                            endpoint_id AS "endpointId", type
                       FROM deliveries
                      WHERE deliveries.id = wanted.delivery_id AND ${within('deliveries.id')} OFFSET 0) AS d
  LEFT JOIN LATERAL (SELECT public_id FROM events
                      WHERE events.id = d.event_id AND ${within('events.id', BORN_WITHIN_DAYS)} OFFSET 0) AS v ON true
 ORDER BY a.id`,
);

/** The whole of some written attempts, in order. */
export async function readFollowedAttempts(
  database: Queryable,
  written: readonly Pick<WrittenAttempt, 'id' | 'deliveryId'>[],
): Promise<FollowedAttemptRow[]> {
  if (written.length === 0) return [];
  const deliveryIds = written.map(({ deliveryId }) => deliveryId);
  return database.query<FollowedAttemptRow>(readFollowed(lowest(deliveryIds), highest(deliveryIds)), [
    deliveryIds,
    written.map(({ id }) => id),
  ]);
}

function lowest(ids: readonly TimeOrderedId[]): TimeOrderedId {
  return ids.reduce((a, b) => Math.min(a, b));
}

function highest(ids: readonly TimeOrderedId[]): TimeOrderedId {
  return ids.reduce((a, b) => Math.max(a, b));
}
