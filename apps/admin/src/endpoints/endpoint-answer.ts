import { contractNamed } from '#contracts/registry.js';
import type { EndpointState } from '#domain/endpoint-state.js';
import type { EndpointEntity } from '#storage/entities/endpoint.entity.js';
import type { EndpointStats } from '#storage/sql/endpoint-stats.js';

export interface EndpointAnswer {
  id: string;
  application: string;
  webhook: boolean;
  url: string;
  /** Null: every type. */
  eventTypes: readonly string[] | null;
  description: string | null;
  state: EndpointState;
  disabledReason: string | null;
  disabledAt: Date | null;
  consecutiveFailures: number;
  /** Which are set; what they are never comes back. */
  credentials: Readonly<Record<string, { set: boolean }>>;
  /** When a rotation that was set takes effect, or took it; null when none was. */
  nextCredentialsAt: Date | null;
  stats: EndpointStats;
  createdAt: Date;
  updatedAt: Date;
}

/** @param contract the name of the application's */
export function endpointAnswer(
  endpoint: EndpointEntity,
  contract: string,
  stats: EndpointStats,
): EndpointAnswer {
  return {
    id: String(endpoint.id),
    application: endpoint.applicationId,
    webhook: endpoint.isWebhook,
    url: endpoint.url,
    eventTypes: endpoint.eventTypes,
    description: endpoint.description,
    state: endpoint.state,
    disabledReason: endpoint.disabledReason,
    disabledAt: endpoint.disabledAt,
    consecutiveFailures: endpoint.failures,
    credentials: Object.fromEntries(
      contractNamed(contract).endpoint.credentialNames.map((name) => [
        name,
        { set: endpoint.credentialNames.includes(name) },
      ]),
    ),
    nextCredentialsAt: endpoint.nextCredentialsAt,
    stats,
    createdAt: endpoint.createdAt,
    updatedAt: endpoint.updatedAt,
  };
}
