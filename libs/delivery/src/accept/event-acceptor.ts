import type { Tracer } from '@opentelemetry/api';
import type { Clock } from '#domain/clock.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { DomainError } from '#domain/errors.js';
import type { Logger } from '#observability/logger.js';
import type { IntakeWay } from '#observability/metrics/labelled-contract.js';
import type { IngestMetrics } from '#observability/metrics/role-metrics.js';
import type { Database } from '#storage/database.js';
import {
  type AcceptedEvent,
  acceptEvents,
  type EventToAccept,
  findEventKeys,
} from '#storage/sql/accept-events.js';
import type { SecretBox } from '#storage/secret-box.js';
import { giveBackDeliveries } from '#storage/sql/due-deliveries.js';
import type { Transport } from '#transport/transport.js';
import { type ItemOutcome, runBisecting } from '../bisect.js';
import { ApplicationDirectory } from './application-directory.js';
import { type BatchSource, namesOf, reported, tracesOf } from './batch-report.js';
import { type BuiltEvent, EventBuilder } from './event-builder.js';
import type { EventToPublish } from './event-envelope.js';
import { MicroBatchLane } from './micro-batch.js';
import {
  firstAnswer,
  notStorable,
  overloaded,
  type PublishAnswer,
  type PublishOutcome,
  repeatOf,
  tooManyTrials,
  unknownApplication,
} from './publish-outcome.js';
import { RejectionLog } from './rejection-log.js';
import { type TrialAcceptance, type TrialTarget, tryAcceptance } from './trial-acceptance.js';

/** What a publish would be answered and would bring about. */
export interface PublishTrial {
  readonly answer: PublishAnswer;
  /** What would be kept and sent, byte for byte. */
  readonly body: Buffer;
  readonly targets: readonly TrialTarget[];
}

export interface EventAcceptorOptions {
  readonly database: Database;
  readonly transport: Transport;
  /** Opens credentials for what a trial shows of headers; publishing needs none. */
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'accept' | 'dispatch' | 'faults'>;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly leaseMs: number;
}

/**
 * Statements under way at once. Equal keys meet in one lane and so never wait for each other's locks. With more
 * lanes each statement carries fewer events, and every statement and commit has its price: four cost a fifth more.
 */
const LANES = 2;
const BATCH_LIMITS = { items: 500, bytes: 4 * 1024 * 1024, intervalMs: 2 };
/** Beyond these a lane is more than a second behind: the caller is told to come back. */
const MAX_LANE_DEPTH = 5_000;
const MAX_LANE_BYTES = 32 * 1024 * 1024;
/** A trial holds a connection and its endpoints, for seconds where they are a thousand: so there is one at a time. */
const TRIAL_LIMITS = { items: 1, bytes: Infinity, intervalMs: 0 };
const MAX_WAITING_TRIALS = 16;
const FROM_HTTP: BatchSource = { via: 'http', refused: 0 };

/** A publish of its own, which shares its batch with others. */
interface Publish extends BuiltEvent {
  readonly requestId: string | undefined;
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
  private readonly builder: EventBuilder;
  private readonly lanes: MicroBatchLane<Publish, PublishOutcome>[];
  private readonly trials: MicroBatchLane<BuiltEvent, ItemOutcome<TrialAcceptance | null>>;

  constructor(private readonly options: EventAcceptorOptions) {
    this.rejections = new RejectionLog(options);
    this.applications = new ApplicationDirectory(options.database, options.clock);
    this.builder = new EventBuilder({ ...options, applications: this.applications });
    this.lanes = Array.from(
      { length: LANES },
      () =>
        new MicroBatchLane<Publish, PublishOutcome>(BATCH_LIMITS, keyOf, weightOf, (batch) =>
          this.acceptPublishes(batch),
        ),
    );
    this.trials = new MicroBatchLane(TRIAL_LIMITS, keyOf, weightOf, (batch) =>
      runBisecting(batch, async ([built]) => [await tryAcceptance(options, built!.event)]),
    );
  }

  /**
   * @param requestId of the request that it came in
   * @throws DomainError for an event that is refused, and `UNAVAILABLE` when too many wait. A database that is
   *   away throws its own error: whether the event was kept is not known then, and publishing it again under its
   *   own id doubles nothing.
   */
  async publish(event: EventToPublish, requestId?: string): Promise<PublishAnswer> {
    const built = await this.builder.build(event);
    const lane = this.lanes[built.event.digest[0]! % LANES]!;
    if (lane.depth >= MAX_LANE_DEPTH || lane.depthBytes >= MAX_LANE_BYTES) throw overloaded();
    const outcome = await lane.add({ ...built, requestId });
    if (!outcome.ok) throw outcome.error;
    return outcome.answer;
  }

  /**
   * What {@link publish} would do at this moment, and nothing is kept.
   *
   * @throws what publish throws for an event that is refused, and `UNAVAILABLE` when too many wait to be tried out
   */
  async tryOut(event: EventToPublish): Promise<PublishTrial> {
    const built = await this.builder.build(event);
    const { body } = built.event;
    const [key] = await findEventKeys(this.options.database, [built.event]);
    if (key) {
      const repeat = repeatOf(built, key.contentHash);
      if (!repeat.ok) throw repeat.error;
      return { answer: repeat.answer, body, targets: [] };
    }
    if (this.trials.depth >= MAX_WAITING_TRIALS) throw tooManyTrials();
    const trial = await this.trials.add(built);
    if (!trial.ok) throw notStorable(built.event.publicId, trial.error);
    if (trial.result === null) {
      this.applications.forget(built.event.applicationId);
      throw unknownApplication(built.event.applicationId);
    }
    const { accepted, targets } = trial.result;
    this.applications.forgetIfOutdated(built.application, accepted.applicationUpdatedAtMs);
    return { answer: firstAnswer(built.event, accepted), body, targets };
  }

  /**
   * Publishes several in one statement and one commit; a refused one does not spoil the others.
   *
   * @param source what brought them
   * @throws what the database threw when a fault hit all of them
   */
  publishAll(events: readonly EventToPublish[], source: BatchSource = FROM_HTTP): Promise<PublishOutcome[]> {
    const batch = {
      ...source,
      applications: namesOf(events, (event) => event.application),
      traces: tracesOf(events, (event) => event.traceContext),
    };
    return reported(this.options, batch, () => this.acceptTogether(events, source.via));
  }

  private acceptPublishes(publishes: readonly Publish[]): Promise<PublishOutcome[]> {
    const batch = {
      ...FROM_HTTP,
      requests: namesOf(publishes, ({ requestId }) => requestId),
      applications: namesOf(publishes, ({ event }) => event.applicationId),
      traces: tracesOf(publishes, ({ event }) => event.traceContext),
    };
    return reported(this.options, batch, () => this.accept(publishes, batch.via));
  }

  private async acceptTogether(events: readonly EventToPublish[], via: IntakeWay): Promise<PublishOutcome[]> {
    const outcomes = new Array<PublishOutcome>(events.length);
    const firstOf = new Map<string, { index: number; built: BuiltEvent }>();
    const repeats: { index: number; built: BuiltEvent }[] = [];
    for (const [index, event] of events.entries()) {
      try {
        const built = await this.builder.build(event);
        const key = keyOf(built);
        if (firstOf.has(key)) repeats.push({ index, built });
        else firstOf.set(key, { index, built });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcomes[index] = { ok: false, error };
      }
    }
    const firsts = [...firstOf.values()];
    const accepted = await this.accept(
      firsts.map((entry) => entry.built),
      via,
    );
    firsts.forEach(({ index }, position) => (outcomes[index] = accepted[position]!));
    const repeatsOfKept: typeof repeats = [];
    for (const repeat of repeats) {
      const first = outcomes[firstOf.get(keyOf(repeat.built))!.index]!;
      // The first may itself be in conflict with what was kept before, and this one a true duplicate of that.
      if (first.ok || first.error.code === 'EVENT_ID_REUSED') repeatsOfKept.push(repeat);
      else outcomes[repeat.index] = first;
    }
    const judged = await this.judgeRepeats(
      repeatsOfKept.map(({ built }) => built),
      via,
    );
    repeatsOfKept.forEach(({ index }, position) => (outcomes[index] = judged[position]!));
    return outcomes;
  }

  /** One statement for all, then a second for those whose key was there already. */
  private async accept(batch: readonly BuiltEvent[], via: IntakeWay): Promise<PublishOutcome[]> {
    const { database, transport, leaseMs, metrics } = this.options;
    if (batch.length === 0) return [];
    const lease = transport.connected ? leaseMs : null;
    const accepted = await runBisecting(batch, (part) => acceptEvents(database, chunksOf(part), lease));
    this.dispatch(accepted.flatMap((item) => (item.ok && item.result ? [item.result] : [])));
    metrics.accept.batchAccepted(batch.length, via);
    const outcomes = new Array<PublishOutcome>(batch.length);
    const losers: number[] = [];
    for (const [index, item] of accepted.entries()) {
      const built = batch[index]!;
      if (!item.ok) {
        this.options.logger.warn(
          { err: item.error, application: built.event.applicationId },
          'event.not-storable',
        );
        outcomes[index] = { ok: false, error: notStorable(built.event.publicId, item.error) };
      } else if (item.result) {
        this.applications.forgetIfOutdated(built.application, item.result.applicationUpdatedAtMs);
        metrics.accept.eventAccepted(built.event, item.result, via);
        outcomes[index] = { ok: true, answer: firstAnswer(built.event, item.result) };
      } else {
        losers.push(index);
      }
    }
    const judged = await this.judgeRepeats(
      losers.map((index) => batch[index]!),
      via,
    );
    losers.forEach((index, position) => (outcomes[index] = judged[position]!));
    return outcomes;
  }

  /** What to answer for events whose key is taken, by the content that it was taken with. */
  private async judgeRepeats(repeats: readonly BuiltEvent[], via: IntakeWay): Promise<PublishOutcome[]> {
    if (repeats.length === 0) return [];
    const keys = await findEventKeys(
      this.options.database,
      repeats.map(({ event }) => event),
    );
    return repeats.map((built, index) => {
      const key = keys[index];
      if (key) {
        const outcome = repeatOf(built, key.contentHash);
        if (outcome.ok)
          this.options.metrics.accept.eventRepeated(built.event.contract, built.event.type, via);
        return outcome;
      }
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
    const { transport, database, logger, metrics } = this.options;
    transport
      .sendReferences(references)
      .catch(() => references)
      .then((unsent) => {
        metrics.dispatch.referencesDispatched('published', references.length - unsent.length);
        metrics.dispatch.referencesDispatched('failed', unsent.length);
        return unsent.length > 0 ? giveBackDeliveries(database, unsent) : 0;
      })
      .catch((error: unknown) =>
        logger.warn({ err: error, references: references.length }, 'references.not-given-back'),
      );
  }
}

/** Statements of bounded weight, for a batch that fans out to a thousand endpoints is a thousand times as long. */
function chunksOf(batch: readonly BuiltEvent[]): EventToAccept[][] {
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

function keyOf({ event }: BuiltEvent): string {
  return `${event.applicationId}\n${event.publicId}`;
}

function weightOf({ weight }: BuiltEvent): number {
  return weight;
}
