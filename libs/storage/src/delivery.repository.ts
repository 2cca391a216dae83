import type { DeliveryState } from '#domain/delivery-state.js';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { deliveryIdsOf, eventIdsOf } from './sql/delivery-ids.js';
import { findFewPending } from './sql/few-pending.js';
import {
  EVERYBODY,
  ID,
  type IdWalk,
  type IndexWalk,
  type Owner,
  type WalkedPage,
  walkIds,
  walkIndex,
} from './sql/index-walk.js';
import { Parameters, whereAll } from './sql/parameters.js';

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

/** Neither waiting nor delivered. Partial indexes hold them: their condition, word for word. */
const RARE_STATES: readonly DeliveryState[] = ['dead', 'closed', 'suppressed', 'canceled'];
const RARE = `d.state IN ('dead', 'closed', 'suppressed', 'canceled')`;
const DEAD = `d.state IN ('dead', 'closed')`;

const LATEST_FINISHED = 'ORDER BY d.finished_at DESC, d.id DESC';
/** Each costs an index probe in every partition. An application with more has much of all there is. */
const MAX_ENDPOINTS_WALKED = 200;
const LAST_ID = Number.MAX_SAFE_INTEGER;

@Injectable()
export class DeliveryRepository {
  constructor(private readonly database: Database) {}

  /** By the primary key. */
  async find(id: TimeOrderedId): Promise<DeliveryRow | null> {
    const rows = await this.database.query<DeliveryRow>(
      {
        name: 'find-delivery',
        text: `${SELECT_DELIVERIES} FROM deliveries d ${joinParents()} WHERE d.id = $1`,
      },
      [id],
    );
    return rows[0] ?? null;
  }

  /**
   * Up to `limit`, newest first, below the id `after`.
   *
   * By event: deliveries_event. States that are rare: deliveries_rare, by endpoint or application
   * deliveries_endpoint_rare and deliveries_application_rare; pending ones too as long as few wait. Otherwise
   * deliveries_endpoint for each endpoint in question, or the primary key, on which a bounded number of rows is
   * examined for what the index does not know.
   */
  async list(
    filter: DeliveryFilter,
    after: TimeOrderedId | null,
    limit: number,
  ): Promise<WalkedPage<DeliveryRow, TimeOrderedId>> {
    const from = filter.since ? firstIdAt(filter.since) : 0;
    const before = Math.min(after ?? LAST_ID, filter.until ? firstIdAt(filter.until) : LAST_ID);
    const { states, events } = filter;
    if (events) {
      const place = (parameters: Parameters) => [
        `d.id >= ${from}`,
        `d.id < ${before}`,
        ...ofStates(states, parameters),
      ];
      return this.listOfEvents({ ...filter, events }, place, 'ORDER BY d.id DESC', limit);
    }
    const places = await this.placesOf(filter);
    const walk = (walked: IdWalk) => walkIds<DeliveryRow>(this.database, walked, from, before, limit);
    const walkAny = async () => walk(walkOfAny(await this.endpointsOf(places), filter));
    if (!states || states.includes('delivered')) return walkAny();
    const rare = states.filter((state) => RARE_STATES.includes(state));
    if (rare.length === states.length) return walk(walkOfRare(places, rare, filter));
    const pending = await findFewPending(this.database, { ...places, types: filter.types, from, before });
    if (pending === null) return walkAny();
    const pages = [await this.findPending(pending.slice(0, limit))];
    if (rare.length > 0) pages.push(await walk(walkOfRare(places, rare, filter)));
    const stoppedAt = Math.max(...pages.map((page) => page.stoppedAt ?? 0));
    const rows = pages.flatMap((page) => page.rows).filter((row) => row.id >= stoppedAt);
    return {
      rows: rows.sort((a, b) => b.id - a.id).slice(0, limit),
      stoppedAt: stoppedAt === 0 ? null : stoppedAt,
    };
  }

  /**
   * Up to `limit` of what is dead or closed, latest finished first. By deliveries_dead of each partition, merged, or
   * by endpoint or application by deliveries_endpoint_dead and deliveries_application_dead. A delivery finishes after
   * it was made, so a bound on the one bounds the other.
   */
  async listDeadLetters(
    filter: DeliveryFilter,
    after: DeadLetterPosition | null,
    limit: number,
  ): Promise<WalkedPage<DeliveryRow, DeadLetterPosition>> {
    const first = { at: filter.since ?? '-infinity', id: 0 };
    const last = after ?? (filter.until ? { at: filter.until, id: 0 } : { at: 'infinity', id: LAST_ID });
    const bounds = last.at instanceof Date ? [`d.id < ${firstIdAt(new Date(last.at.getTime() + 1))}`] : [];
    const { states, events } = filter;
    if (events) {
      const place = (parameters: Parameters) => [
        DEAD,
        ...ofStates(states, parameters),
        `(d.finished_at, d.id) >= (${parameters.add(first.at)}, ${first.id}::bigint)`,
        `(d.finished_at, d.id) < (${parameters.add(last.at)}, ${last.id}::bigint)`,
      ];
      return this.listOfEvents({ ...filter, events }, place, LATEST_FINISHED, limit);
    }
    const walk: IndexWalk = {
      table: 'deliveries',
      alias: 'd',
      owner: ownerOf(await this.placesOf(filter)),
      position: [{ name: 'finished_at', type: 'timestamptz' }, ID],
      from: [first.at, first.id],
      before: [last.at, last.id],
      partial: DEAD,
      bounds,
      filter: (parameters) => [...ofTypes(filter, parameters), ...ofStates(states, parameters)],
      select: (rows, order) => `${SELECT_DELIVERIES} FROM ${rows} ${joinParents()} ${order}`,
    };
    const { rows, stoppedAt } = await walkIndex<DeliveryRow>(this.database, walk, limit);
    return { rows, stoppedAt: stoppedAt && { at: stoppedAt[0] as Date, id: stoppedAt[1] as TimeOrderedId } };
  }

  /** By deliveries_event, in the partitions in which they may lie. */
  private async listOfEvents(
    filter: DeliveryFilter & { readonly events: readonly TimeOrderedId[] },
    place: (parameters: Parameters) => readonly string[],
    order: string,
    limit: number,
  ): Promise<{ rows: DeliveryRow[]; stoppedAt: null }> {
    if (filter.events.length === 0) return { rows: [], stoppedAt: null };
    const parameters = new Parameters();
    const { from, to } = deliveryIdsOf(filter.events);
    const conditions = [
      `d.event_id = ANY (${parameters.add(filter.events)})`,
      `d.id >= ${from}`,
      `d.id < ${to}`,
      ...place(parameters),
      ...ofTypes(filter, parameters),
      ...ofApplications(filter.applications, parameters),
    ];
    if (filter.endpoints) conditions.push(`d.endpoint_id = ANY (${parameters.add(filter.endpoints)})`);
    const text = `${SELECT_DELIVERIES}
 FROM (SELECT d.* FROM deliveries d ${whereAll(conditions)} ${order} LIMIT ${limit}) AS d ${joinParents({ from, to })} ${order}`;
    const rows = await this.database.query<DeliveryRow>(
      { name: '', measuredAs: 'list-deliveries', text },
      parameters.values,
    );
    return { rows, stoppedAt: null };
  }

  /** Endpoints where some are given: one belongs to one application, which may have a thousand. */
  private async placesOf({ endpoints, applications }: DeliveryFilter): Promise<Places> {
    if (!endpoints || applications === null) return { endpoints, applications };
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      {
        name: 'endpoints-of-applications',
        text: 'SELECT id FROM endpoints WHERE id = ANY ($1) AND application_id = ANY ($2)',
      },
      [endpoints, applications],
    );
    return { endpoints: rows.map(({ id }) => id), applications: null };
  }

  /** No index of all deliveries has the application: its endpoints stand for it, unless they are too many. */
  private async endpointsOf(places: Places): Promise<Places> {
    const { endpoints, applications } = places;
    if (endpoints || applications === null) return places;
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      {
        name: 'all-endpoints-of-applications',
        text: 'SELECT id FROM endpoints WHERE application_id = ANY ($1) LIMIT $2',
      },
      [applications, MAX_ENDPOINTS_WALKED + 1],
    );
    return rows.length > MAX_ENDPOINTS_WALKED
      ? places
      : { endpoints: rows.map(({ id }) => id), applications: null };
  }

  /** Of these what still waits. One that has moved on makes the page end early, not the list. By the primary key. */
  private async findPending(ids: readonly TimeOrderedId[]): Promise<WalkedPage<DeliveryRow, TimeOrderedId>> {
    const last = ids.at(-1);
    if (last === undefined) return { rows: [], stoppedAt: null };
    const parents = joinParents({ from: last, to: ids[0]! });
    const text = `${SELECT_DELIVERIES} FROM deliveries d ${parents} WHERE d.id = ANY ($1) AND d.state = 'pending'`;
    const rows = await this.database.query<DeliveryRow>({ name: '', measuredAs: 'list-deliveries', text }, [
      ids,
    ]);
    return { rows, stoppedAt: rows.length < ids.length ? last : null };
  }
}

/**
 * After the page is cut, so that both are reached by primary key for its rows alone.
 *
 * @param ids between which the deliveries lie, so that no other partitions of events are looked into
 */
function joinParents(ids?: { from: TimeOrderedId; to: TimeOrderedId }): string {
  const events = ids && eventIdsOf(ids);
  return `JOIN applications a ON a.id = d.application_id
  LEFT JOIN events v ON v.id = d.event_id${events ? ` AND v.id >= ${events.from} AND v.id < ${events.to}` : ''}`;
}

type Places = Pick<DeliveryFilter, 'endpoints' | 'applications'>;

function walkOfAny({ endpoints, applications }: Places, filter: DeliveryFilter): IdWalk {
  return {
    ...ID_WALK,
    owner: endpoints ? ownerOf({ endpoints, applications }) : EVERYBODY,
    partial: null,
    filter: (parameters) => [
      ...ofTypes(filter, parameters),
      ...ofStates(filter.states, parameters),
      ...(endpoints ? [] : ofApplications(applications, parameters)),
    ],
  };
}

function walkOfRare(places: Places, states: readonly DeliveryState[], filter: DeliveryFilter): IdWalk {
  const { columns, values } = ownerOf(places);
  return {
    ...ID_WALK,
    owner: {
      columns: [...columns, { name: 'state', type: 'text' }],
      values: values.flatMap((owner) => states.map((state) => [...owner, state])),
    },
    partial: RARE,
    filter: (parameters) => ofTypes(filter, parameters),
  };
}

const ID_WALK = {
  table: 'deliveries',
  alias: 'd',
  select: (rows: string, order: string, from: TimeOrderedId, before: TimeOrderedId) =>
    `${SELECT_DELIVERIES} FROM ${rows} ${joinParents({ from, to: before })} ${order}`,
} as const;

function ownerOf({ endpoints, applications }: Places): Owner {
  const [name, type, values] = endpoints
    ? (['endpoint_id', 'bigint', endpoints] as const)
    : (['application_id', 'text', applications] as const);
  return values === null ? EVERYBODY : { columns: [{ name, type }], values: values.map((value) => [value]) };
}

function ofTypes({ types }: DeliveryFilter, parameters: Parameters): string[] {
  return types ? [`d.type = ANY (${parameters.add(types)})`] : [];
}

function ofApplications(applications: readonly string[] | null, parameters: Parameters): string[] {
  return applications ? [`d.application_id = ANY (${parameters.add(applications)})`] : [];
}

function ofStates(states: readonly DeliveryState[] | undefined, parameters: Parameters): string[] {
  return states ? [`d.state = ANY (${parameters.add(states)})`] : [];
}
