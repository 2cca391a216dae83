import { createHash, randomUUID } from 'node:crypto';
import type { BuildResult, Contract, PublishedEvent } from '#contracts/contract.js';
import type { Clock } from '#domain/clock.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { DAY_MS } from '#domain/durations.js';
import { DomainError, type FieldProblem } from '#domain/errors.js';
import { minify } from '#domain/json-source.js';
import type { Logger } from '#observability/logger.js';
import type { Database } from '#storage/database.js';
import {
  type AcceptedEvent,
  acceptEvents,
  DIGEST_BYTES,
  type EventToAccept,
  findEventKeys,
} from '#storage/sql/accept-events.js';
import { giveBackDeliveries } from '#storage/sql/due-deliveries.js';
import type { Transport } from '#transport/transport.js';
import { runBisecting } from '../bisect.js';
import { ApplicationDirectory, type KnownApplication } from './application-directory.js';
import type { EventToPublish } from './event-envelope.js';
import { MicroBatchLane } from './micro-batch.js';
import { RejectionLog } from './rejection-log.js';

/** The answer to a publish, once the event and its deliveries are durable. Counts are null on a duplicate. */
export interface PublishAnswer {
  readonly application: string;
  readonly id: string;
  readonly duplicate: boolean;
  readonly reserved: boolean;
  readonly deliveryCount: number | null;
  readonly suppressedCount: number | null;
}

export type PublishOutcome =
  { readonly ok: true; readonly answer: PublishAnswer } | { readonly ok: false; readonly error: DomainError };

export interface EventAcceptorOptions {
  readonly database: Database;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
}

/**
 * Statements under way at once. Equal keys meet in one lane and so never wait for each other's locks. With more
 * lanes each statement carries fewer events, and every statement and commit has its price: four cost a fifth more.
 */
const LANES = 2;
const BATCH_LIMITS = { items: 500, bytes: 4 * 1024 * 1024, intervalMs: 2 };
/** What a delivery adds to the weight of its event's bytes in a batch: about what its row and indexes take. */
const DELIVERY_BYTES = 512;
/** Beyond these a lane is more than a second behind: the caller is told to come back. */
const MAX_LANE_DEPTH = 5_000;
const MAX_LANE_BYTES = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;
const MAX_FUTURE_MS = DAY_MS;

interface Built {
  readonly event: EventToAccept;
  readonly application: KnownApplication;
  /** Whether another content under the same id is a conflict, not a duplicate. */
  readonly comparesContent: boolean;
  /** In bytes, its deliveries counted in: batches are bounded by it. */
  readonly weight: number;
}

/**
 * The one way in for events, whatever brought them: checks an event against its application's contract, makes
 * it durable with its deliveries, and only then answers. After the commit, references of what is due now go to
 * the workers; those that could not be sent are given back to the sweep.
 */
export class EventAcceptor {
  /** What the edges refused, with or without asking here. */
  readonly rejections: RejectionLog;
  private readonly applications: ApplicationDirectory;
  private readonly lanes: MicroBatchLane<Built, PublishOutcome>[];

  constructor(private readonly options: EventAcceptorOptions) {
    this.rejections = new RejectionLog(options);
    this.applications = new ApplicationDirectory(options.database, options.clock);
    this.lanes = Array.from(
      { length: LANES },
      () =>
        new MicroBatchLane<Built, PublishOutcome>(
          BATCH_LIMITS,
          (built) => keyOf(built),
          (built) => built.weight,
          (batch) => this.accept(batch),
        ),
    );
  }

  /**
   * @throws DomainError for an event that is refused, and `UNAVAILABLE` when too many wait. A database that is
   *   away throws its own error: whether the event was kept is not known then, and publishing it again under its
   *   own id doubles nothing.
   */
  async publish(event: EventToPublish): Promise<PublishAnswer> {
    const built = await this.build(event);
    const lane = this.lanes[built.event.digest[0]! % LANES]!;
    if (lane.depth >= MAX_LANE_DEPTH || lane.depthBytes >= MAX_LANE_BYTES) throw overloaded();
    const outcome = await lane.add(built);
    if (!outcome.ok) throw outcome.error;
    return outcome.answer;
  }

  /**
   * Publishes several in one statement and one commit; a refused one does not spoil the others.
   *
   * @throws what the database threw when a fault hit all of them
   */
  async publishAll(events: readonly EventToPublish[]): Promise<PublishOutcome[]> {
    const outcomes = new Array<PublishOutcome>(events.length);
    const firstOf = new Map<string, { index: number; built: Built }>();
    const repeats: { index: number; built: Built }[] = [];
    for (const [index, event] of events.entries()) {
      try {
        const built = await this.build(event);
        const key = keyOf(built);
        if (firstOf.has(key)) repeats.push({ index, built });
        else firstOf.set(key, { index, built });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes[index] = { ok: false, error };
      }
    }
    const firsts = [...firstOf.values()];
    const accepted = await this.accept(firsts.map((entry) => entry.built));
    firsts.forEach(({ index }, position) => (outcomes[index] = accepted[position]!));
    const repeatsOfKept: typeof repeats = [];
    for (const repeat of repeats) {
      const first = outcomes[firstOf.get(keyOf(repeat.built))!.index]!;
      // The first may itself be in conflict with what was kept before, and this one a true duplicate of that.
      if (first.ok || first.error.code === 'EVENT_ID_REUSED') repeatsOfKept.push(repeat);
      else outcomes[repeat.index] = first;
    }
    const judged = await this.judgeRepeats(repeatsOfKept.map(({ built }) => built));
    repeatsOfKept.forEach(({ index }, position) => (outcomes[index] = judged[position]!));
    return outcomes;
  }

  private async build(published: EventToPublish): Promise<Built> {
    const application = await this.applications.find(published.application);
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
      throw new DomainError(
        'INTERNAL',
        `The contract ${contract.name} failed on this event, through a fault on our side. The log has the reason.`,
        { cause: error },
      );
    }
  }

  /** One statement for all, then a second for those whose key was there already. */
  private async accept(batch: readonly Built[]): Promise<PublishOutcome[]> {
    const { database, transport, leaseMs } = this.options;
    if (batch.length === 0) return [];
    const lease = transport.connected ? leaseMs : null;
    const accepted = await runBisecting(batch, (part) => acceptEvents(database, chunksOf(part), lease));
    this.dispatch(accepted.flatMap((item) => (item.ok && item.result ? [item.result] : [])));
    const outcomes = new Array<PublishOutcome>(batch.length);
    const losers: number[] = [];
    for (const [index, item] of accepted.entries()) {
      const built = batch[index]!;
      if (!item.ok) {
        this.options.logger.error(
          { err: item.error, application: built.event.applicationId },
          'event.not-storable',
        );
        outcomes[index] = { ok: false, error: notStorable(built.event.publicId, item.error) };
      } else if (item.result) {
        this.applications.forgetIfOutdated(built.application, item.result.applicationUpdatedAtMs);
        outcomes[index] = { ok: true, answer: firstAnswer(built.event, item.result) };
      } else {
        losers.push(index);
      }
    }
    const judged = await this.judgeRepeats(losers.map((index) => batch[index]!));
    losers.forEach((index, position) => (outcomes[index] = judged[position]!));
    return outcomes;
  }

  /** What to answer for events whose key is taken, by the content that it was taken with. */
  private async judgeRepeats(repeats: readonly Built[]): Promise<PublishOutcome[]> {
    if (repeats.length === 0) return [];
    const keys = await findEventKeys(
      this.options.database,
      repeats.map(({ event }) => event),
    );
    return repeats.map((built, index) => {
      const key = keys[index];
      if (key) return repeatOf(built, key.contentHash);
      this.applications.forget(built.event.applicationId);
      return { ok: false, error: unknownApplication(built.event.applicationId) };
    });
  }

  /** After the commit; nobody waits for it, for the lease brings back what gets lost here. */
  private dispatch(accepted: readonly AcceptedEvent[]): void {
    const references: DeliveryReference[] = [];
    for (const event of accepted) {
      for (const { id, endpointId, token } of event.deliveries) {
        if (token !== null) references.push({ deliveryId: id, endpointId, token });
      }
    }
    if (references.length === 0) return;
    const { transport, database, logger } = this.options;
    transport
      .sendReferences(references)
      .catch(() => references)
      .then((unsent) => (unsent.length > 0 ? giveBackDeliveries(database, unsent) : 0))
      .catch((error: unknown) =>
        logger.warn({ err: error, references: references.length }, 'references.not-given-back'),
      );
  }
}

/** Statements of bounded weight, for a batch that fans out to a thousand endpoints is a thousand times as long. */
function chunksOf(batch: readonly Built[]): EventToAccept[][] {
  const chunks: EventToAccept[][] = [];
  let weight = Infinity;
  for (const built of batch) {
    if (weight + built.weight > BATCH_LIMITS.bytes) {
      chunks.push([]);
      weight = 0;
    }
    chunks.at(-1)!.push(built.event);
    weight += built.weight;
  }
  return chunks;
}

function keyOf({ event }: Built): string {
  return `${event.applicationId}\n${event.publicId}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, DIGEST_BYTES);
}

function firstAnswer(event: EventToAccept, accepted: AcceptedEvent): PublishAnswer {
  return {
    application: event.applicationId,
    id: event.publicId,
    duplicate: false,
    reserved: event.reserved,
    deliveryCount: accepted.deliveryCount,
    suppressedCount: accepted.suppressedCount,
  };
}

function repeatOf(built: Built, firstContentHash: Buffer): PublishOutcome {
  const { event } = built;
  if (built.comparesContent && !event.contentHash.equals(firstContentHash)) {
    return {
      ok: false,
      error: new DomainError(
        'EVENT_ID_REUSED',
        `The id "${event.publicId}" was used for an event with another type or other data. ` +
          `Publish the same event again unchanged, or choose a new id.`,
        { errors: [{ pointer: '/id', code: 'EVENT_ID_REUSED', message: `"${event.publicId}" is taken.` }] },
      ),
    };
  }
  return {
    ok: true,
    answer: {
      application: event.applicationId,
      id: event.publicId,
      duplicate: true,
      reserved: event.reserved,
      deliveryCount: null,
      suppressedCount: null,
    },
  };
}

function refused(problems: readonly FieldProblem[]): DomainError {
  const detail = problems.map((problem) => problem.message).join(' ');
  return new DomainError('VALIDATION_FAILED', detail, { errors: problems });
}

function unknownApplication(id: string): DomainError {
  const message = `There is no application "${id}". Create it first, or correct the id.`;
  return new DomainError('UNKNOWN_APPLICATION', message, {
    errors: [{ pointer: '/application', code: 'UNKNOWN_APPLICATION', message }],
  });
}

function notStorable(publicId: string, cause: unknown): DomainError {
  return new DomainError(
    'VALIDATION_FAILED',
    `The event "${publicId}" holds a value that the database cannot keep, such as a NUL character in its type.`,
    { cause },
  );
}

function overloaded(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'More events arrive than the database takes. The event was not kept; publish it again after a pause.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
