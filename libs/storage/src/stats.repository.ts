import type { EndpointState } from '#domain/endpoint-state.js';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { Parameters } from './sql/parameters.js';
import { COUNT_CAP } from './sql/endpoint-stats.js';

export interface DeliveryStats {
  /** Deliveries by state, but for those that arrived; each count stops at `COUNT_CAP`. */
  readonly pending: number;
  readonly dead: number;
  readonly closed: number;
  readonly suppressed: number;
  readonly canceled: number;
  /** Of the pending ones: owed by now, and owed later. */
  readonly due: number;
  readonly scheduled: number;
  /** Since when the oldest attempt is owed; null when none is. */
  readonly oldestDueAt: Date | null;
  readonly now: Date;
}

export interface DisabledEndpoint {
  readonly id: TimeOrderedId;
  readonly applicationId: string;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
}

/** An endpoint as a ranking names it. */
export interface RankedEndpoint {
  readonly application: string;
  readonly url: string;
  readonly state: EndpointState;
  readonly disabledReason: string | null;
  readonly disabledAt: Date | null;
  readonly consecutiveFailures: number;
}

/** Accepted events are counted up to this: 10,000 a second for ten seconds. */
export const ACCEPTED_CAP = 100_000;
/** Disabled endpoints named in an answer at most, the latest first. */
const MAX_DISABLED = 100;

/**
 * Figures over everything, or over some applications. What is delivered is not counted from deliveries, of which
 * there are millions: the rollup says what was attempted.
 */
@Injectable()
export class StatsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Pending ones those owed first, by deliveries_due, or of applications by deliveries_endpoint_due for each of their
   * endpoints; the rare states by deliveries_rare and deliveries_application_rare. Each look ends at the cap.
   */
  async deliveries(applications: readonly string[] | null): Promise<DeliveryStats> {
    const parameters = new Parameters();
    const among = applications && `application_id = ANY (${parameters.add(applications)})`;
    const waiting = among
      ? `SELECT d.scheduled_at
           FROM (SELECT id FROM endpoints WHERE ${among}) AS e
          CROSS JOIN LATERAL (
            SELECT scheduled_at FROM deliveries
             WHERE state = 'pending' AND (endpoint_id, due_at) >= (e.id, '-infinity'::timestamptz)
               AND (endpoint_id, due_at) <= (e.id, 'infinity'::timestamptz)
             ORDER BY endpoint_id, due_at LIMIT ${COUNT_CAP}) AS d
          LIMIT ${COUNT_CAP}`
      : `SELECT scheduled_at FROM deliveries WHERE state = 'pending' ORDER BY due_at LIMIT ${COUNT_CAP}`;
    const countOf = (state: string) =>
      `(SELECT count(*) FROM (SELECT FROM deliveries
          WHERE state = '${state}' ${among ? `AND ${among}` : ''} LIMIT ${COUNT_CAP}) AS one) AS ${state}`;
    const [row] = await this.database.query<DeliveryStats>(
      {
        name: '',
        measuredAs: 'count-deliveries',
        inIndexOrder: true,
        text: `
SELECT pending.*, ${['dead', 'closed', 'suppressed', 'canceled'].map(countOf).join(', ')}, now() AS now
  FROM (SELECT count(*) AS pending, count(*) FILTER (WHERE scheduled_at <= now()) AS due,
               count(*) FILTER (WHERE scheduled_at > now()) AS scheduled,
               min(scheduled_at) FILTER (WHERE scheduled_at <= now()) AS "oldestDueAt"
          FROM (${waiting}) AS one) AS pending`,
      },
      parameters.values,
    );
    return row!;
  }

  /** Events accepted since then, up to {@link ACCEPTED_CAP}; a short while, for each is looked at. By the primary key. */
  async accepted(applications: readonly string[] | null, since: Date): Promise<number> {
    const parameters = new Parameters();
    const among = applications ? `AND application_id = ANY (${parameters.add(applications)})` : '';
    const [row] = await this.database.query<{ events: number }>(
      {
        name: '',
        measuredAs: 'count-accepted',
        text: `
SELECT count(*) AS events
  FROM (SELECT FROM events WHERE id >= ${firstIdAt(since)} ${among} LIMIT ${ACCEPTED_CAP}) AS latest`,
      },
      parameters.values,
    );
    return row!.events;
  }

  /** Endpoints are thousands at most: counted as they lie. */
  async endpointsByState(
    applications: readonly string[] | null,
  ): Promise<Partial<Record<EndpointState, number>>> {
    const rows = await this.database.query<{ state: EndpointState; count: number }>(
      {
        name: 'count-endpoints',
        text: `
SELECT state, count(*) AS count FROM endpoints
 WHERE state <> 'revoked' AND ($1::text[] IS NULL OR application_id = ANY ($1)) GROUP BY state`,
      },
      [applications],
    );
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  /** The ids of all endpoints of these applications, revoked ones too. By endpoints_application. */
  async endpointIds(applications: readonly string[]): Promise<TimeOrderedId[]> {
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      { name: 'list-endpoint-ids', text: `SELECT id FROM endpoints WHERE application_id = ANY ($1)` },
      [applications],
    );
    return rows.map(({ id }) => id);
  }

  /** The ids of all that are not revoked. Endpoints are thousands at most: read as they lie. */
  async standingEndpoints(applications: readonly string[] | null): Promise<TimeOrderedId[]> {
    const rows = await this.database.query<{ id: TimeOrderedId }>(
      {
        name: 'list-standing-endpoints',
        text: `
SELECT id FROM endpoints
 WHERE state <> 'revoked' AND ($1::text[] IS NULL OR application_id = ANY ($1))`,
      },
      [applications],
    );
    return rows.map(({ id }) => id);
  }

  /** By their primary key. */
  async endpointsOf(ids: readonly TimeOrderedId[]): Promise<ReadonlyMap<TimeOrderedId, RankedEndpoint>> {
    const rows = await this.database.query<RankedEndpoint & { id: TimeOrderedId }>(
      {
        name: 'read-ranked-endpoints',
        text: `
SELECT id, application_id AS application, url, state, disabled_reason AS "disabledReason",
       disabled_at AS "disabledAt", failures AS "consecutiveFailures"
  FROM endpoints WHERE id = ANY ($1)`,
      },
      [ids],
    );
    return new Map(rows.map(({ id, ...endpoint }) => [id, endpoint]));
  }

  /** The latest disabled first, up to a hundred. */
  async disabledEndpoints(applications: readonly string[] | null): Promise<DisabledEndpoint[]> {
    return this.database.query<DisabledEndpoint>(
      {
        name: 'list-disabled-endpoints',
        text: `
SELECT id, application_id AS "applicationId", disabled_at AS "disabledAt", disabled_reason AS "disabledReason"
  FROM endpoints
 WHERE state = 'disabled' AND ($1::text[] IS NULL OR application_id = ANY ($1))
 ORDER BY disabled_at DESC NULLS LAST, id DESC LIMIT ${MAX_DISABLED}`,
      },
      [applications],
    );
  }
}
