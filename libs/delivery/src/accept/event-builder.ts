import { createHash, randomUUID } from 'node:crypto';
import type { BuildResult, Contract, PublishedEvent } from '#contracts/contract.js';
import type { Clock } from '#domain/clock.js';
import { DAY_MS } from '#domain/durations.js';
import { DomainError } from '#domain/errors.js';
import { minify } from '#domain/json-source.js';
import type { Logger } from '#observability/logger.js';
import type { IngestMetrics } from '#observability/metrics/role-metrics.js';
import { DIGEST_BYTES, type EventToAccept } from '#storage/sql/accept-events.js';
import type { ApplicationDirectory, KnownApplication } from './application-directory.js';
import type { EventToPublish } from './event-envelope.js';
import { refused, unknownApplication } from './publish-outcome.js';

/** What a delivery adds to the weight of its event's bytes in a batch: about what its row and indexes take. */
const DELIVERY_BYTES = 512;
const MAX_FUTURE_MS = DAY_MS;

export interface BuiltEvent {
  readonly event: EventToAccept;
  readonly application: KnownApplication;
  /** Whether another content under the same id is a conflict, not a duplicate. */
  readonly comparesContent: boolean;
  /** In bytes, its deliveries counted in: batches are bounded by it. */
  readonly weight: number;
}

export interface EventBuilderOptions {
  readonly applications: Pick<ApplicationDirectory, 'find'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'faults'>;
}

/** Checks an event against its application's contract, and builds from it what is kept and sent. */
export class EventBuilder {
  constructor(private readonly options: EventBuilderOptions) {}

  /** @throws DomainError for an event that is refused */
  async build(published: EventToPublish): Promise<BuiltEvent> {
    const application = await this.options.applications.find(published.application);
    if (!application) throw unknownApplication(published.application);
    const { contract, policy } = application;
    const now = this.options.clock.nowMs();
    const { defaults } = published;
    if (contract.eventIdentity === 'derived' && published.id !== null) {
      throw refused([
        {
          pointer: '/id',
          code: 'VALUE_NOT_ALLOWED',
          message: `The contract ${contract.name} derives the event id; "${published.id}" must be left out.`,
        },
      ]);
    }
    if (published.occurredAt !== null && published.occurredAt.getTime() > now + MAX_FUTURE_MS) {
      throw refused([
        {
          pointer: '/occurredAt',
          code: 'INVALID_VALUE',
          message: `occurredAt ${published.occurredAt.toISOString()} is more than a day ahead; send when it happened.`,
        },
      ]);
    }
    const result = this.buildBody(contract, {
      application: {
        id: application.id,
        environment: application.environment,
        attributes: application.attributes,
      },
      type: published.type,
      publicId: contract.eventIdentity === 'derived' ? null : (published.id ?? defaults?.id ?? randomUUID()),
      occurredAt: published.occurredAt,
      // A clock that runs ahead of ours elsewhere would hold back the first attempt.
      acceptedAt: new Date(Math.min(defaults?.acceptedAt?.getTime() ?? now, now)),
      dataJson: published.dataJson,
    });
    if (!result.ok) throw refused(result.problems);
    const { publicId, occurredAt, body, reserved } = result.event;
    return {
      application,
      comparesContent: contract.eventIdentity === 'producer',
      weight: body.length + application.endpointCount * DELIVERY_BYTES,
      event: {
        applicationId: application.id,
        contract: contract.name,
        publicId,
        digest: digest(publicId),
        contentHash: digest(`${published.type}\n${minify(published.dataJson)}`),
        type: published.type,
        occurredAt,
        body,
        reserved,
        // Without the producer's word the delay counts from the acceptance, which is the broker's or the database's:
        // by our own clock, if that runs ahead, the first attempt would come late by as much.
        delayFrom:
          published.occurredAt === null ? { recordedAt: defaults?.acceptedAt ?? null } : 'occurrence',
        firstAttemptDelayMs: policy.firstAttemptDelayMs,
        keepsUrl: contract.url.used === 'as-queued',
        traceContext: published.traceContext ?? null,
      },
    };
  }

  /** A contract that throws has a fault of its own, which must stay with the one event that it has it with. */
  private buildBody(contract: Contract, event: PublishedEvent): BuildResult {
    try {
      return contract.buildEvent(event);
    } catch (error) {
      this.options.logger.error(
        { err: error, application: event.application.id, type: event.type },
        'event.not-built',
      );
      this.options.metrics.faults.faultAt('accept');
      throw new DomainError(
        'INTERNAL',
        `The contract ${contract.name} failed on this event, through a fault on our side. The log has the reason.`,
        { cause: error },
      );
    }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES);
}
