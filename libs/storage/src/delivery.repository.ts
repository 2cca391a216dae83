import type { DeliveryState } from '#domain/delivery-state.js';
import { DAY_MS } from '#domain/durations.js';
import { firstIdAt, idTime, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { newestOf, Parameters, whereAll } from './sql/parameters.js';

export interface DeliveryRow {
  readonly id: TimeOrderedId;
  readonly eventId: TimeOrderedId;
  /** Null where the event is no longer kept. */
  readonly publicId: string | null;
  readonly applicationId: string;
  readonly endpointId: TimeOrderedId;
  readonly type: string;
  readonly state: DeliveryState;
  readonly cycle: number;
  readonly attemptCount: number;
  readonly attemptsBeforeCycle: number;
  readonly scheduledAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly finishedAt: Date | null;
  readonly lastHttpStatus: number | null;
  readonly lastErrorCode: string | null;
  readonly lastErrorMessage: string | null;
  /** The application's contract and settings, from which follows how many attempts there may be. */
  readonly contract: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface DeliveryFilter {
  /** The only applications looked at; null for all. */
  readonly applications: readonly string[] | null;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly endpoints?: readonly TimeOrderedId[] | undefined;
  readonly events?: readonly TimeOrderedId[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** `since ≤ t < until`, by creation; of dead letters by when they finished. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** The sort key of dead letters: when they finished, then the id. */
export interface DeadLetterPosition {
  readonly at: Date;
  readonly id: TimeOrderedId;
}

const SELECT_DELIVERIES = `
SELECT d.id, d.event_id AS "eventId", v.public_id AS "publicId", d.application_id AS "applicationId",
       d.endpoint_id AS "endpointId", d.type, d.state, d.cycle, d.attempt_count AS "attemptCount",
       d.attempts_before_cycle AS "attemptsBeforeCycle", d.scheduled_at AS "scheduledAt",
       d.delivered_at AS "deliveredAt", d.finished_at AS "finishedAt", d.last_http_status AS "lastHttpStatus",
       d.last_error_code AS "lastErrorCode", d.last_error_message AS "lastErrorMessage", a.contract, a.settings`;

// After the page is cut, so that both are reached by primary key for its rows alone.
const JOIN_PARENTS = `
  JOIN applications a ON a.id = d.application_id
  LEFT JOIN events v ON v.id = d.event_id`;

/** Deliveries of an event are made in its own statement: this is more than a statement may take. */
const BORN_WITHIN_MS = DAY_MS;

@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /** By the primary key. */
  async find(id: TimeOrderedId): Promise<DeliveryRow | null> {
    const rows = await this.database.query<DeliveryRow>(
      {
        name: 'find-delivery',
        text: `${SELECT_DELIVERIES} FROM deliveries d ${JOIN_PARENTS} WHERE d.id = $1`,
      },
      [id],
    );
    return rows[0] ?? null;
  }

  /**
   * Up to `limit`, newest first, below the id `after`.
   *
   * By event: deliveries_event. By endpoint or application: deliveries_endpoint (deliveries_suppressed) for each
   * endpoint in question. Otherwise the primary key backwards, or a partial index where the state is rare.
   */
  async list(filter: DeliveryFilter, after: TimeOrderedId | null, limit: number): Promise<DeliveryRow[]> {
    if (filter.events?.length === 0) return [];
    const parameters = new Parameters();
    const conditions = commonConditions(filter, parameters);
    if (after !== null) conditions.push(`d.id < ${parameters.add(after)}`);
    if (filter.since) conditions.push(`d.id >= ${parameters.add(firstIdAt(filter.since))}`);
    if (filter.until) conditions.push(`d.id < ${parameters.add(firstIdAt(filter.until))}`);
    if (filter.states) conditions.push(`d.state = ANY (${parameters.add(filter.states)})`);
    const count = parameters.add(limit);
    const newest = `ORDER BY d.id DESC LIMIT ${count}`;
    const perEndpoint = !filter.events && (filter.endpoints ?? filter.applications) !== null;
    const ofEndpoint = newestOf('d', 'endpoint_id', 'wanted.id');
    const from = perEndpoint
      ? `(SELECT id FROM endpoints ${whereAll(placeConditions(filter, parameters, 'id'))}) AS wanted
           CROSS JOIN LATERAL (SELECT d.* FROM deliveries d
             ${whereAll([...ofEndpoint.conditions, ...conditions])} ${ofEndpoint.order} LIMIT ${count}) AS d`
      : `(SELECT d.* FROM deliveries d
           ${whereAll([...conditions, ...placeConditions(filter, parameters, 'endpoint_id')])} ${newest}) AS d`;
    return this.query(`${SELECT_DELIVERIES} FROM ${from} ${JOIN_PARENTS} ${newest}`, parameters);
  }

  /**
   * Up to `limit` of what is dead or closed, latest finished first. By deliveries_dead of each partition, merged;
   * a delivery finishes after it was made, so `until` bounds the id too.
   */
  async listDeadLetters(
    filter: DeliveryFilter,
    after: DeadLetterPosition | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    if (filter.events?.length === 0) return [];
    const parameters = new Parameters();
    const conditions = [
      `d.state IN ('dead', 'closed')`,
      ...commonConditions(filter, parameters),
      ...placeConditions(filter, parameters, 'endpoint_id'),
    ];
    if (filter.states) conditions.push(`d.state = ANY (${parameters.add(filter.states)})`);
    if (filter.since) conditions.push(`d.finished_at >= ${parameters.add(filter.since)}`);
    if (filter.until) {
      conditions.push(`d.finished_at < ${parameters.add(filter.until)}`);
      conditions.push(`d.id < ${parameters.add(firstIdAt(filter.until))}`);
    }
    if (after) {
      conditions.push(
        `(d.finished_at, d.id) < (${parameters.add(after.at)}, ${parameters.add(after.id)}::bigint)`,
      );
    }
    const latest = `ORDER BY d.finished_at DESC, d.id DESC LIMIT ${parameters.add(limit)}`;
    const from = `(SELECT d.* FROM deliveries d ${whereAll(conditions)} ${latest}) AS d`;
    return this.query(`${SELECT_DELIVERIES} FROM ${from} ${JOIN_PARENTS} ${latest}`, parameters);
  }

  private query(text: string, parameters: Parameters): Promise<DeliveryRow[]> {
    return this.database.query<DeliveryRow>({ name: '', text }, parameters.values);
  }
}

function commonConditions(filter: DeliveryFilter, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filter.types) conditions.push(`d.type = ANY (${parameters.add(filter.types)})`);
  if (filter.events) {
    const times = filter.events.map((id) => idTime(id).getTime());
    conditions.push(
      `d.event_id = ANY (${parameters.add(filter.events)})`,
      `d.id >= ${parameters.add(firstIdAt(new Date(Math.min(...times))))}`,
      `d.id < ${parameters.add(firstIdAt(new Date(Math.max(...times) + BORN_WITHIN_MS)))}`,
    );
  }
  return conditions;
}

/** Over endpoints, or over deliveries, which carry both. */
function placeConditions(
  filter: DeliveryFilter,
  parameters: Parameters,
  endpointColumn: 'id' | 'endpoint_id',
): string[] {
  const conditions: string[] = [];
  if (filter.endpoints) conditions.push(`${endpointColumn} = ANY (${parameters.add(filter.endpoints)})`);
  if (filter.applications) conditions.push(`application_id = ANY (${parameters.add(filter.applications)})`);
  return conditions;
}
