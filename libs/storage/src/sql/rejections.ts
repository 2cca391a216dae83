import { firstIdAt } from '#domain/time-ordered-id.js';
import type { Queryable, Statement } from '../database.js';

/** The way in on which an event was refused. */
export const REJECTION_WAYS = ['http', 'kafka'] as const;
export type RejectionWay = (typeof REJECTION_WAYS)[number];

/** A refused publish, without what was published. Names are null where they could not be read. */
export interface RejectionToKeep {
  readonly applicationId: string | null;
  readonly type: string | null;
  readonly publicId: string | null;
  readonly via: RejectionWay;
  /** The problem code. */
  readonly code: string;
  readonly detail: string;
  /** The request's id, in a batch with the event's place; of a record topic, partition and offset. */
  readonly origin: string;
}

/** Short transactions, so that no insert waits behind a long one. */
const TRIM_STEP = 1_000;

/**
 * The table is a ring: slots come from a sequence that begins again, and whoever comes round takes the place of
 * the oldest. So it is bounded whatever is sent, and nobody has to keep up with it. Served by the primary key.
 */
const KEEP_REJECTIONS: Statement = {
  name: 'keep-rejections',
  text: `
INSERT INTO rejections (application_id, type, public_id, via, code, detail, origin)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    ON CONFLICT (slot) DO UPDATE
   SET id = excluded.id, application_id = excluded.application_id, type = excluded.type,
       public_id = excluded.public_id, via = excluded.via, code = excluded.code, detail = excluded.detail,
       origin = excluded.origin`,
};

/** By rejections_id. */
const TRIM_REJECTIONS: Statement = {
  name: 'trim-rejections',
  text: `
DELETE FROM rejections
 WHERE slot IN (SELECT slot FROM rejections WHERE id < $1 ORDER BY id LIMIT ${TRIM_STEP}) RETURNING slot`,
};

/** @param rejections far fewer than the ring has slots */
export async function keepRejections(
  database: Queryable,
  rejections: readonly RejectionToKeep[],
): Promise<void> {
  await database.query(KEEP_REJECTIONS, [
    rejections.map((rejection) => rejection.applicationId),
    rejections.map((rejection) => rejection.type),
    rejections.map((rejection) => rejection.publicId),
    rejections.map((rejection) => rejection.via),
    rejections.map((rejection) => rejection.code),
    rejections.map((rejection) => rejection.detail),
    rejections.map((rejection) => rejection.origin),
  ]);
}

/** Removes those kept before then, in small steps; returns how many. */
export async function trimRejections(database: Queryable, before: Date): Promise<number> {
  for (let trimmed = 0; ;) {
    const { length } = await database.query(TRIM_REJECTIONS, [firstIdAt(before)]);
    trimmed += length;
    if (length < TRIM_STEP) return trimmed;
  }
}
