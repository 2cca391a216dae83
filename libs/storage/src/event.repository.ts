import { createHash } from 'node:crypto';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { DIGEST_BYTES } from './sql/accept-events.js';
import { newestOf, Parameters, whereAll } from './sql/parameters.js';

/** An event without its body. */
export interface EventRow {
  readonly id: TimeOrderedId;
  readonly publicId: string;
  readonly applicationId: string;
  readonly contract: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly bodyBytes: number;
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
       v.occurred_at AS "occurredAt", octet_length(v.body) AS "bodyBytes", k.delivery_count AS "deliveryCount",
       k.suppressed_count AS "suppressedCount"`;

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
   * By public id: event_keys by its primary key, for every application asked for, then events by theirs.
   * Otherwise per application by events_application, or, for all, by the primary key backwards.
   */
  async list(filter: EventFilter, after: TimeOrderedId | null, limit: number): Promise<EventRow[]> {
    const parameters = new Parameters();
    const conditions: string[] = [];
    if (after !== null) conditions.push(`v.id < ${parameters.add(after)}`);
    if (filter.since) conditions.push(`v.id >= ${parameters.add(firstIdAt(filter.since))}`);
    if (filter.until) conditions.push(`v.id < ${parameters.add(firstIdAt(filter.until))}`);
    if (filter.types) conditions.push(`v.type = ANY (${parameters.add(filter.types)})`);
    if (filter.publicIds) {
      const eventIds = await this.findIds(filter.applications, filter.publicIds);
      conditions.push(`v.id = ANY (${parameters.add(eventIds)})`);
    }
    const count = parameters.add(limit);
    const newest = `ORDER BY v.id DESC LIMIT ${count}`;
    const ofApplication = newestOf('v', 'application_id', 'wanted.application_id');
    const from =
      filter.applications && !filter.publicIds
        ? `unnest(${parameters.add(filter.applications)}::text[]) AS wanted(application_id)
             CROSS JOIN LATERAL (SELECT v.* FROM events v
               ${whereAll([...ofApplication.conditions, ...conditions])} ${ofApplication.order} LIMIT ${count}) AS v`
        : `(SELECT v.* FROM events v ${whereAll(conditions)} ${newest}) AS v`;
    return this.database.query<EventRow>(
      { name: '', text: `${SELECT_EVENTS} FROM ${from} ${JOIN_KEYS} ${newest}` },
      parameters.values,
    );
  }

  /** By event_keys, then events, by their primary keys. */
  async find(applicationId: string, publicId: string): Promise<EventRow | null> {
    const [event] = await this.list({ applications: [applicationId], publicIds: [publicId] }, null, 1);
    return event ?? null;
  }

  /** The exact bytes, or null where they are no longer kept. By the primary key. */
  async readBody(id: TimeOrderedId): Promise<Buffer | null> {
    const rows = await this.database.query<{ body: Buffer }>(
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
    const wanted = applications ? 'unnest($2::text[]) AS a(id)' : 'applications a';
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      {
        name: '',
        text: `
SELECT k.event_id AS id
  FROM ${wanted}
  JOIN event_keys k ON k.application_id = a.id AND k.digest = ANY ($1)`,
      },
      applications ? [publicIds.map(digestOf), applications] : [publicIds.map(digestOf)],
    );
    return rows.map((row) => row.id);
  }
}

function digestOf(publicId: string): Buffer {
  return createHash('sha256').update(publicId).digest().subarray(0, DIGEST_BYTES);
}
