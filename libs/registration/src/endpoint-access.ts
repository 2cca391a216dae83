import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication, type Principal } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { EndpointChange, EndpointRepository } from '#storage/endpoint.repository.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { EntryOf } from '#storage/sql/audit-entries.js';

/** Revoked ones are found too. @throws DomainError NOT_FOUND, also where the key does not cover it */
export async function reachableEndpoint(
  endpoints: EndpointRepository,
  id: TimeOrderedId,
  principal: Principal,
): Promise<EndpointEntity> {
  const endpoint = await endpoints.find(id);
  return endpoint && coversApplication(principal, endpoint.applicationId) ? endpoint : endpointNotFound(id);
}

/**
 * Changes an endpoint that is not revoked, under a lock on its row.
 *
 * @param decide what to set; `now` is the database's time. Where all of it is so already, nothing is written.
 * @throws DomainError NOT_FOUND, ENDPOINT_REVOKED, and what `decide` throws
 */
export async function changeReachable(
  endpoints: EndpointRepository,
  id: TimeOrderedId,
  caller: Caller,
  decide: (endpoint: EndpointEntity, now: Date) => EndpointChange,
  entryOf: EntryOf<EndpointEntity>,
): Promise<EndpointEntity> {
  await reachableEndpoint(endpoints, id, caller);
  const decideUnlessRevoked = (endpoint: EndpointEntity, now: Date) => {
    refuseRevoked(endpoint);
    return decide(endpoint, now);
  };
  const stored = await endpoints.change(id, decideUnlessRevoked, entryOf);
  return stored.kind === 'changed' ? stored.endpoint : endpointNotFound(id);
}

export function refuseRevoked({ id, state }: EndpointEntity): void {
  if (state !== 'revoked') return;
  throw new DomainError(
    'ENDPOINT_REVOKED',
    `The endpoint ${id} is revoked and cannot be changed. Register another.`,
  );
}

export function endpointNotFound(id: TimeOrderedId): never {
  throw new DomainError('NOT_FOUND', `There is no endpoint ${id}.`);
}
