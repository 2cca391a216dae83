import { DomainError } from '#domain/errors.js';
import type { Caller } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { DeliveryMetrics } from '#observability/metrics/delivery-metrics.js';
import type { Database } from '#storage/database.js';
import type { EndpointChange, EndpointRepository } from '#storage/endpoint.repository.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import { recordAudit } from '#storage/sql/audit-entries.js';
import { cancelAllPending, cancelPresentPending } from '#storage/sql/cancel-pending.js';
import { countSuppressed } from '#storage/sql/endpoint-stats.js';
import { oweOverdue } from '#storage/sql/owe-overdue.js';
import { endpointEntry } from './audit-entries.js';
import { changeReachable, reachableEndpoint } from './endpoint-access.js';

/** Whether and until when an endpoint is sent to: enabling, disabling, pausing, resuming, canceling, revoking. */
export class EndpointSwitches {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /**
   * Restores delivery and sets the failure counter to 0. Replays nothing, but says how much was suppressed
   * (TF-43). A pause stays: only resuming ends it.
   *
   * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED
   */
  async enable(id: TimeOrderedId, caller: Caller): Promise<{ endpoint: EndpointEntity; suppressed: number }> {
    const decide = (current: EndpointEntity): EndpointChange => ({
      state: current.state === 'paused' ? 'paused' : 'active',
      disabledReason: null,
      disabledAt: null,
      failures: 0,
      epoch: current.epoch + 1,
    });
    const entryOf = endpointEntry(caller, 'endpoint.enabled');
    const endpoint = await changeReachable(this.endpoints, id, caller, decide, entryOf);
    return { endpoint, suppressed: await countSuppressed(this.database, id) };
  }

  /**
   * New events become suppressed; what is queued goes on along its schedule (TF-41). One that is disabled
   * already keeps its reason and time. A paused one is refused, for disabling it would let go on what is held.
   *
   * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED, ENDPOINT_PAUSED
   */
  async disable(id: TimeOrderedId, reason: string | null, caller: Caller): Promise<EndpointEntity> {
    const decide = (current: EndpointEntity, now: Date): EndpointChange => {
      if (current.state === 'disabled') return {};
      if (current.state === 'paused') {
        throw new DomainError(
          'ENDPOINT_PAUSED',
          `The endpoint ${id} is paused, and what waits for it would go out if it were disabled instead. ` +
            `Resume it first, after cancel-pending if that must not happen.`,
        );
      }
      return { state: 'disabled', disabledReason: reason ?? `operator: ${caller.name}`, disabledAt: now };
    };
    return changeReachable(this.endpoints, id, caller, decide, endpointEntry(caller, 'endpoint.disabled'));
  }

  /**
   * Nothing more is sent until it is resumed, and no attempt is spent: new events are queued beside what waits, and
   * what is in flight may finish.
   *
   * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED, ENDPOINT_DISABLED
   */
  async pause(id: TimeOrderedId, caller: Caller): Promise<EndpointEntity> {
    const decide = (current: EndpointEntity): EndpointChange => {
      refuseDisabled(current);
      return { state: 'paused' };
    };
    return changeReachable(this.endpoints, id, caller, decide, endpointEntry(caller, 'endpoint.paused'));
  }

  /**
   * Ends a pause: what fell due meanwhile is owed now, the longest overdue first, and what is not yet due keeps its
   * time. Owing comes first, in pages, and the switch last: if it is cut off, the endpoint is still paused, and what
   * was owed meanwhile is owed anew by the next one. So the audit tells of the switch alone.
   *
   * @returns the endpoint, and how many were overdue
   * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED, ENDPOINT_DISABLED
   */
  async resume(id: TimeOrderedId, caller: Caller): Promise<{ endpoint: EndpointEntity; overdue: number }> {
    const { state } = await reachableEndpoint(this.endpoints, id, caller);
    const overdue = state === 'paused' ? await oweOverdue(this.database, id) : 0;
    const decide = (current: EndpointEntity): EndpointChange => {
      refuseDisabled(current);
      return { state: 'active' };
    };
    const entryOf = endpointEntry(caller, 'endpoint.resumed');
    const endpoint = await changeReachable(this.endpoints, id, caller, decide, entryOf);
    return { endpoint, overdue };
  }

  /**
   * Cancels what waits now, and touches nothing that is accepted later. In flight ones may finish.
   *
   * @returns how many no longer wait
   * @throws DomainError NOT_FOUND
   */
  async cancelPending(id: TimeOrderedId, caller: Caller): Promise<number> {
    const { applicationId } = await reachableEndpoint(this.endpoints, id, caller);
    return cancelPresentPending(this.database, id, {
      within: (connection, canceled) =>
        recordAudit(connection, {
          by: caller,
          action: 'endpoint.pending_canceled',
          resourceId: String(id),
          applicationId,
          changes: { canceled: { to: canceled } },
        }),
      committed: this.metrics.pendingCanceled,
    });
  }

  /**
   * Ends an endpoint for good and cancels what waits for it. The revoke itself is committed first; if canceling
   * is cut off, revoking again goes on with it, and what falls due meanwhile is canceled before it is sent.
   *
   * @throws DomainError NOT_FOUND
   */
  async revoke(id: TimeOrderedId, caller: Caller): Promise<void> {
    await reachableEndpoint(this.endpoints, id, caller);
    await this.endpoints.revoke(id, endpointEntry(caller, 'endpoint.revoked'));
    await cancelAllPending(this.database, id, { committed: this.metrics.pendingCanceled });
  }
}

/** An endpoint is paused or disabled, not both: a disabled one sends what is queued and takes nothing new. */
function refuseDisabled({ id, state }: EndpointEntity): void {
  if (state !== 'disabled') return;
  throw new DomainError(
    'ENDPOINT_DISABLED',
    `The endpoint ${id} is disabled. Enable it first (POST /v1/endpoints/${id}/enable).`,
  );
}
