import { createHash } from 'node:crypto';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { DIGEST_BYTES } from './sql/accept-events.js';
import { EVERYBODY, type IdWalk, type Owner, type WalkedPage, walkIds } from './sql/index-walk.js';
import { Parameters, whereAll } from './sql/parameters.js';

/** An event without its body. */
export interface EventRow {
  readonly id: TimeOrderedId;
  readonly publicId: string;
  readonly applicationId: string;
  readonly contract: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** Null where the body was erased. */
  readonly bodyBytes: number | null;
  readonly bodyErasedAt: Date | null;
  readonly deliveryCount: number;
  readonly suppressedCount: number;
}

export interface EventFilter {
  /** The only applications looked at; null for all. */
  readonly applications: readonly string[] | null;
  readonly types?: readonly string[] | undefined;
  readonly publicIds?: readonly string[] | undefined;
  /** By acceptance: `since ≤ t < until`. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const SELECT_EVENTS = `
SELECT v.id, v.public_id AS "publicId", v.application_id AS "applicationId", a.contract, v.type,
       v.occurred_at AS "occurredAt", octet_length(v.body) AS "bodyBytes",
       v.body_erased_at AS "bodyErasedAt", k.delivery_count AS "deliveryCount", k.suppressed_count AS "suppressedCount"`;

const JOIN_KEYS = `
  JOIN applications a ON a.id = v.application_id
  JOIN event_keys k ON k.application_id = v.application_id
       AND k.digest = substring(sha256(convert_to(v.public_id, 'UTF8')) FROM 1 FOR ${DIGEST_BYTES})`;

@Injectable()
export class EventRepository {
  constructor(private readonly database: Database) {}

  /**
   * Up to `limit`, newest first, below the id `after`.
   *
   * By public id: event_keys by its primary key, then events by theirs. Otherwise per application by events_application, or, for all, by the primary key; of these a bounded number is examined
   * for the type.
   */
  async list(
    { applications, types, publicIds, since, until }: EventFilter,
    after: TimeOrderedId | null,
    limit: number,
  ): Promise<WalkedPage<EventRow, TimeOrderedId>> {
    const from = since ? firstIdAt(since) : 0;
    const before = Math.min(
      after ?? Number.MAX_SAFE_INTEGER,
      until ? firstIdAt(until) : Number.MAX_SAFE_INTEGER,
    );
    const ofTypes = (parameters: Parameters) => (types ? [`v.type = ANY (${parameters.add(types)})`] : []);
    if (publicIds) {
      const parameters = new Parameters();
      const ids = await this.findIds(applications, publicIds);
      const conditions = [
        `v.id = ANY (${parameters.add(ids.filter((id) => id >= from && id < before))})`,
        ...ofTypes(parameters),
      ];
      const text = `${SELECT_EVENTS} FROM events v ${JOIN_KEYS} ${whereAll(conditions)} ORDER BY v.id DESC LIMIT ${limit}`;
      const rows = await this.database.query<EventRow>(
        { name: '', measuredAs: 'list-events', text },
        parameters.values,
      );
      return { rows, stoppedAt: null };
    }
    const owner: Owner =
      applications === null
        ? EVERYBODY
        : {
            columns: [{ name: 'application_id', type: 'text' }],
            values: applications.map((application) => [application]),
          };
    const walk: IdWalk = {
      table: 'events',
      alias: 'v',
      owner,
      partial: null,
      filter: ofTypes,
      select: (rows, order) => `${SELECT_EVENTS} FROM ${rows} ${JOIN_KEYS} ${order}`,
    };
    return walkIds<EventRow>(this.database, walk, from, before, limit);
  }

  /** By event_keys, then events, by their primary keys. */
  async find(applicationId: string, publicId: string): Promise<EventRow | null> {
    const { rows } = await this.list({ applications: [applicationId], publicIds: [publicId] }, null, 1);
    return rows[0] ?? null;
  }

  /** The exact bytes, or null where they are no longer kept or were erased. By the primary key. */
  async readBody(id: TimeOrderedId): Promise<Buffer | null> {
    const rows = await this.database.query<{ body: Buffer | null }>(
      { name: 'read-event-body', text: 'SELECT body FROM events WHERE id = $1' },
      [id],
    );
    return rows[0]?.body ?? null;
  }

  /** The events that carry one of the public ids, in the given applications or in all. */
  async findIds(
    applications: readonly string[] | null,
    publicIds: readonly string[],
  ): Promise<TimeOrderedId[]> {
    const parameters = new Parameters();
    const conditions = [`digest = ANY (${parameters.add(publicIds.map(digestOf))})`];
    if (applications) conditions.push(`application_id = ANY (${parameters.add(applications)})`);
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      {
        name: '',
        measuredAs: 'find-event-keys-of',
        text: `SELECT event_id AS id FROM event_keys ${whereAll(conditions)}`,
      },
      parameters.values,
    );
    return rows.map((row) => row.id);
  }
}

function digestOf(publicId: string): Buffer {
  return createHash('sha256').update(publicId).digest().subarray(0, DIGEST_BYTES);
}
