import { auditedChanges, type AuditEntry, auditedMembers } from '#domain/audit.js';
import type { DeliveryState } from '#domain/delivery-state.js';
import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication, type Principal } from '#domain/principal.js';
import type { Replay, ReplayFilter, ReplayKind } from '#domain/replay.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { DeliveryMetrics } from '#observability/metrics/delivery-metrics.js';
import type { Database } from '#storage/database.js';
import { recordAudit } from '#storage/sql/audit-entries.js';
import { cancelDelivery } from '#storage/sql/cancel-pending.js';
import { databaseNow } from '#storage/sql/database-clock.js';
import { type DeliveryToRepair, lockDeliveryToRepair, requeueDelivery } from '#storage/sql/repairs.js';
import {
  createReplay,
  endReplay,
  findEndpointOfReplay,
  findReplay,
  previewReplay,
  type ReplayPreview,
} from '#storage/sql/replays.js';

export interface ReplayRequest {
  readonly kind: ReplayKind;
  readonly filter: ReplayFilter;
  readonly ratePerSecond: number | null;
}

/** What an operator does by hand: redeliver or cancel one delivery, replay many. */
export class DeliveryRepairs {
  /** @param onDue told when something was made due, so that a worker beside us looks at once */
  constructor(
    private readonly database: Database,
    private readonly metrics: DeliveryMetrics,
    private readonly onDue: () => void,
  ) {}

  /**
   * Owes the delivery now. A pending one goes on in its cycle, any other begins a new one (TF-35). To a
   * disabled endpoint it is sent all the same.
   *
   * @throws DomainError NOT_FOUND, ATTEMPT_IN_FLIGHT, ENDPOINT_REVOKED, BODY_NOT_KEPT, BODY_ERASED
   */
  async redeliver(id: TimeOrderedId, caller: Caller): Promise<void> {
    const contract = await this.database.transaction(async (connection) => {
      const delivery = await lockDeliveryToRepair(connection, id);
      if (!delivery || !coversApplication(caller, delivery.applicationId)) throw deliveryNotFound(id);
      if (delivery.endpointState === 'revoked') {
        throw new DomainError(
          'ENDPOINT_REVOKED',
          `The endpoint ${delivery.endpointId} of delivery ${id} is revoked: nothing is sent to it any more.`,
        );
      }
      if (delivery.inFlight) throw attemptInFlight(id);
      if (!delivery.bodyKept) {
        throw new DomainError(
          'BODY_NOT_KEPT',
          `The body of delivery ${id} is past retention and cannot be sent again.`,
        );
      }
      if (delivery.bodyErased) {
        throw new DomainError(
          'BODY_ERASED',
          `The body of delivery ${id} was erased and cannot be sent again. Publish it under another id.`,
        );
      }
      await requeueDelivery(connection, id);
      await recordAudit(connection, repairEntry(caller, 'delivery.redelivered', delivery, 'pending'));
      return delivery.contract;
    });
    this.metrics.deliveriesRequeued(contract, 'redeliver');
    this.onDue();
  }

  /**
   * Never to be sent. One whose first success is past becomes delivered again, any other canceled; both can be
   * redelivered.
   *
   * @throws DomainError NOT_FOUND, DELIVERY_NOT_PENDING, ATTEMPT_IN_FLIGHT
   */
  async cancel(id: TimeOrderedId, caller: Caller): Promise<void> {
    const canceled = await this.database.transaction(async (connection) => {
      const delivery = await lockDeliveryToRepair(connection, id);
      if (!delivery || !coversApplication(caller, delivery.applicationId)) throw deliveryNotFound(id);
      if (delivery.state !== 'pending') {
        throw new DomainError(
          'DELIVERY_NOT_PENDING',
          `The delivery ${id} is ${delivery.state}: there is nothing left to cancel.`,
        );
      }
      if (delivery.inFlight) throw attemptInFlight(id);
      const state = (await cancelDelivery(connection, id))!;
      await recordAudit(connection, repairEntry(caller, 'delivery.canceled', delivery, state));
      return { contract: delivery.contract, state };
    });
    this.metrics.deliveriesFinished(canceled.contract, canceled.state);
  }

  /** What a replay would take, changing nothing. */
  async preview(request: ReplayRequest, principal: Principal): Promise<ReplayPreview> {
    const filter = await this.reachable(request, principal);
    return previewReplay(this.database, request.kind, filter, await databaseNow(this.database));
  }

  /**
   * Fixes the set and starts the replay; it runs in the background, survives a kill, and takes each delivery
   * once.
   *
   * @throws DomainError NOT_FOUND for an endpoint out of reach, ENDPOINT_REVOKED, and ENDPOINT_DISABLED when
   *   suppressed deliveries are asked for while the endpoint is disabled (TF-42)
   */
  async replay(request: ReplayRequest, caller: Caller): Promise<Replay> {
    const filter = await this.reachable(request, caller);
    const replay = await this.database.transaction(async (connection) => {
      const created = await createReplay(connection, { ...request, filter, createdBy: caller.name });
      await recordAudit(connection, replayEntry(caller, 'replay.started', null, created));
      return created;
    });
    this.onDue();
    return replay;
  }

  /** @throws DomainError NOT_FOUND, CONFLICT when it has ended already */
  async cancelReplay(id: TimeOrderedId, caller: Caller): Promise<Replay> {
    const replay = await findReplay(this.database, id);
    if (!replay || !coversReplay(caller, replay)) throw replayNotFound(id);
    return this.database.transaction(async (connection) => {
      const canceled = await endReplay(connection, id, 'canceled', null);
      if (!canceled)
        throw new DomainError('CONFLICT', `The replay ${id} has ended already: it is ${replay.state}.`);
      await recordAudit(connection, replayEntry(caller, 'replay.canceled', replay, canceled));
      return canceled;
    });
  }

  /** The filter within what the key covers; of an endpoint, with its application. */
  private async reachable(request: ReplayRequest, principal: Principal): Promise<ReplayFilter> {
    const { filter } = request;
    const uncovered = filter.applications?.find((application) => !coversApplication(principal, application));
    if (uncovered !== undefined) {
      throw new DomainError('NOT_FOUND', `There is no application "${uncovered}".`);
    }
    const applications = filter.applications ?? principal.applications;
    if (filter.endpoint === null) return { ...filter, applications };
    const endpoint = await this.replayableEndpoint(filter.endpoint, request, principal);
    return {
      ...filter,
      applications: applications?.filter((id) => id === endpoint.applicationId) ?? [endpoint.applicationId],
    };
  }

  private async replayableEndpoint(
    id: TimeOrderedId,
    { kind, filter }: ReplayRequest,
    principal: Principal,
  ): Promise<{ applicationId: string }> {
    const endpoint = await findEndpointOfReplay(this.database, id);
    if (!endpoint || !coversApplication(principal, endpoint.applicationId)) {
      throw new DomainError('NOT_FOUND', `There is no endpoint ${id}.`);
    }
    if (kind === 'endpoint' && endpoint.state === 'revoked') {
      throw new DomainError(
        'ENDPOINT_REVOKED',
        `The endpoint ${id} is revoked: nothing is sent to it any more.`,
      );
    }
    if (kind === 'endpoint' && endpoint.state === 'disabled' && filter.states.includes('suppressed')) {
      throw new DomainError(
        'ENDPOINT_DISABLED',
        `The endpoint ${id} is disabled. Enable it first (POST /v1/endpoints/${id}/enable), then replay.`,
      );
    }
    return endpoint;
  }
}

/** A replay is seen by keys that cover all it may touch. */
export function coversReplay(principal: Principal, replay: Pick<Replay, 'filter'>): boolean {
  if (principal.applications === null) return true;
  const { applications } = replay.filter;
  return (
    applications !== null &&
    applications.length > 0 &&
    applications.every((application) => coversApplication(principal, application))
  );
}

export function replayNotFound(id: TimeOrderedId | string): DomainError {
  return new DomainError('NOT_FOUND', `There is no replay ${id}.`);
}

function repairEntry(
  by: Caller,
  action: 'delivery.redelivered' | 'delivery.canceled',
  { id, applicationId, state: from }: DeliveryToRepair,
  to: DeliveryState,
): AuditEntry {
  const changes = auditedChanges({ state: from }, { state: to });
  return { by, action, resourceId: String(id), applicationId, changes };
}

/** What was asked for, and how far it came. It is of an application where it can touch no other. */
function replayEntry(
  by: Caller,
  action: 'replay.started' | 'replay.canceled',
  before: Replay | null,
  after: Replay,
): AuditEntry {
  const fields = ({ kind, filter, ratePerSecond, state, matched, queued, skipped }: Replay) => ({
    kind,
    ...auditedMembers('filter', {
      ...filter,
      endpoint: filter.endpoint && String(filter.endpoint),
      ids: filter.ids?.map(String),
    }),
    ratePerSecond,
    state,
    matched,
    queued,
    skipped,
  });
  const { applications } = after.filter;
  return {
    by,
    action,
    resourceId: String(after.id),
    applicationId: applications?.length === 1 ? applications[0]! : null,
    changes: auditedChanges(before && fields(before), fields(after)),
  };
}

function deliveryNotFound(id: TimeOrderedId): DomainError {
  return new DomainError('NOT_FOUND', `There is no delivery ${id}.`);
}

function attemptInFlight(id: TimeOrderedId): DomainError {
  return new DomainError(
    'ATTEMPT_IN_FLIGHT',
    `An attempt of delivery ${id} is being made at this moment. Look at its outcome, then decide.`,
  );
}
