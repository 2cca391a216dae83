import { setTimeout as sleep } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import type { Clock } from '#domain/clock.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { SECOND_MS } from '#domain/durations.js';
import type { AttemptDeadlines } from '#domain/lease.js';
import { keptRequestHeaders, keptResponseHeaders } from '#domain/kept-headers.js';
import { masked } from '#domain/masked.js';
import { waitAfterFailure } from '#domain/retry-policy.js';
import { settlesWithin } from '#domain/settles-within.js';
import type { Logger } from '#observability/logger.js';
import type { WorkerMetrics } from '#observability/metrics/role-metrics.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { OutboundResult } from '#outbound/outbound-result.js';
import type { Queryable } from '#storage/database.js';
import type { SecretBox } from '#storage/secret-box.js';
import { type AttemptInput, readAttemptInputs } from '#storage/sql/attempt-inputs.js';
import {
  cancelHeldDeliveries,
  giveBackDeliveries,
  postponeDeliveries,
  type PostponedDelivery,
} from '#storage/sql/due-deliveries.js';
import { Backoff } from '../backoff.js';
import { logAttempt } from './attempt-log.js';
import { type AttemptTrace, endAttemptSpan, traceAttempt } from './attempt-trace.js';
import type { EndpointQueues } from './endpoint-queues.js';
import { OwnFailureDetector } from './own-failure-detector.js';
import { type Attempt, faultOfOurs, ownFault, ReferenceJudge } from './reference-judge.js';
import type { ResultWriter } from './result-writer.js';

export interface AttemptRunnerOptions {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly queues: EndpointQueues;
  readonly results: ResultWriter;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<WorkerMetrics, 'attempts' | 'deliveries' | 'dispatch' | 'faults'>;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  readonly deadlines: AttemptDeadlines;
  /** Told when slots of an endpoint became free. */
  readonly onRoom: (endpointId: number) => void;
}

/** References read in one statement. */
const READ_BATCH = 200;
/** A read has its price whatever it reads: under load, slots that become free within this share one. */
const READ_INTERVAL_MS = 2;
/** Faults of a delivery's own after which it is set aside for an operator. */
const SET_ASIDE_AFTER = 5;

/**
 * Turns references into attempts.
 *
 * When slots are free, the next references of all of them are read in one statement: the last look before
 * sending. The delivery must still carry our token, its endpoint must still want it, and enough of the lease
 * must be left for the longest attempt; the database computes what is left, and it counts from before the
 * statement was sent. From then until the result is durable the delivery is ours alone.
 */
export class AttemptRunner {
  private pumping = false;
  private again = false;
  private lastReadAt = -Infinity;
  private stopped = false;
  private readonly aborter = new AbortController();
  private readonly detector: OwnFailureDetector;
  private readonly judge: ReferenceJudge;
  private readonly readBackoff = new Backoff(100, 2 * SECOND_MS);
  private idle: (() => void)[] = [];

  constructor(private readonly options: AttemptRunnerOptions) {
    this.judge = new ReferenceJudge(options);
    this.detector = new OwnFailureDetector((suspected) => {
      if (suspected) options.logger.error('own-failures.suspected');
      else options.logger.info('own-failures.over');
    });
  }

  /** Starts what can start; cheap to call at any time. */
  poke(): void {
    if (this.pumping) {
      this.again = true;
      return;
    }
    if (this.stopped) return;
    this.pumping = true;
    setImmediate(() => {
      this.pump().catch((error: unknown) => this.options.logger.error({ err: error }, 'attempts.failed'));
    });
  }

  /** No attempt starts from now on; what runs goes on. */
  stopStarting(): void {
    this.stopped = true;
    this.readBackoff.wake();
  }

  /**
   * Resolves when nothing runs. What still runs at the deadline is aborted, uncounted, and has `abortMs` more to
   * be given back; after that its lease brings it back.
   */
  async drain(deadlineMs: number, abortMs: number): Promise<void> {
    const idle = this.whenIdle();
    if (await settlesWithin(idle, deadlineMs)) return;
    this.options.logger.warn({ attempts: this.options.queues.running }, 'attempts.aborted');
    this.aborter.abort();
    await settlesWithin(idle, abortMs);
  }

  private async whenIdle(): Promise<void> {
    while (this.options.queues.running > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async pump(): Promise<void> {
    try {
      do {
        this.again = false;
        while (await this.mayRead()) {
          const references = this.options.queues.takeStartable(READ_BATCH);
          if (references.length === 0) break;
          await this.start(references);
        }
      } while (this.again && !this.stopped);
    } finally {
      this.pumping = false;
    }
  }

  /**
   * Whether to look for what can start. Results that cannot be written are kept in hand: no more of them until they can.
   */
  private async mayRead(): Promise<boolean> {
    const sinceReadMs = this.options.clock.monotonicMs() - this.lastReadAt;
    if (sinceReadMs < READ_INTERVAL_MS) await sleep(READ_INTERVAL_MS - sinceReadMs);
    return !this.stopped && !this.options.results.behind;
  }

  private async start(references: readonly DeliveryReference[]): Promise<void> {
    const { database, queues, clock, logger, metrics } = this.options;
    const readAt = clock.monotonicMs();
    this.lastReadAt = readAt;
    let inputs: Map<number, AttemptInput>;
    try {
      const rows = await readAttemptInputs(
        database,
        references.map((reference) => reference.deliveryId),
      );
      inputs = new Map(rows.map((row) => [row.deliveryId, row]));
      this.readBackoff.reset();
    } catch (error) {
      logger.warn({ err: error, references: references.length }, 'attempts.not-read');
      for (const reference of references) queues.putBack(reference);
      this.signalIdle();
      await this.readBackoff.wait();
      return;
    }
    const setBack: Record<'canceled' | 'give-back', DeliveryReference[]> = { canceled: [], 'give-back': [] };
    const postponed: PostponedDelivery[] = [];
    let lost = 0;
    for (const reference of references) {
      const verdict = this.judge.verdict(
        reference,
        inputs.get(reference.deliveryId),
        clock.monotonicMs() - readAt,
      );
      switch (verdict.kind) {
        case 'send':
          this.run(verdict.attempt).catch((error: unknown) =>
            logger.error({ err: error, delivery: String(reference.deliveryId) }, 'attempt.failed'),
          );
          break;
        case 'put-back':
          queues.putBack(reference);
          break;
        case 'lost':
          lost++;
          queues.abandon(reference);
          break;
        case 'canceled':
        case 'give-back':
          setBack[verdict.kind].push(reference);
          break;
        case 'fault':
          metrics.faults.faultAt('compose');
          postponed.push(verdict.postponed);
          break;
      }
    }
    metrics.dispatch.referencesDispatched('stale', lost);
    await this.setBack(setBack.canceled, async (held) => {
      for (const { deliveryId, state } of await cancelHeldDeliveries(database, held))
        metrics.deliveries.deliveriesFinished(inputs.get(deliveryId)!.contract, state);
    });
    await this.setBack(setBack['give-back'], (held) => giveBackDeliveries(database, held));
    await this.setBack(postponed, () => this.postpone(postponed));
    this.signalIdle();
  }

  /** Hands references back that were not sent. */
  private async setBack(
    references: readonly DeliveryReference[],
    statement: (references: readonly DeliveryReference[]) => Promise<unknown>,
  ): Promise<void> {
    await this.handBack(references, statement);
    for (const reference of references) this.options.queues.abandon(reference);
  }

  /** Hands references back by a statement; if it fails the lease brings them back. */
  private async handBack(
    references: readonly DeliveryReference[],
    statement: (references: readonly DeliveryReference[]) => Promise<unknown>,
  ): Promise<void> {
    if (references.length === 0) return;
    try {
      await statement(references);
    } catch (error) {
      this.options.logger.warn({ err: error, references: references.length }, 'references.not-given-back');
    }
  }

  private async postpone(postponed: readonly PostponedDelivery[]): Promise<void> {
    const changed = await postponeDeliveries(this.options.database, postponed, SET_ASIDE_AFTER);
    const byId = new Map(postponed.map((entry) => [entry.deliveryId, entry]));
    for (const { deliveryId, setAside } of changed) {
      const { errorCode, errorMessage } = byId.get(deliveryId)!;
      const fields = { delivery: String(deliveryId), code: errorCode, error: errorMessage };
      if (setAside) this.options.logger.error(fields, 'delivery.set-aside');
      else this.options.logger.warn(fields, 'delivery.postponed');
    }
  }

  private async run(attempt: Attempt): Promise<void> {
    const { outbound, clock, queues, deadlines, metrics, tracer } = this.options;
    const { contract, trigger, lagMs, attemptCount } = attempt.input;
    metrics.attempts.attemptStarted(contract, lagMs, trigger === 'first' && attemptCount === 0);
    const trace = traceAttempt(tracer, attempt);
    const startedAt = clock.monotonicMs();
    const outcome = await outbound.post({
      url: attempt.input.url,
      headers: trace.headers,
      body: attempt.body,
      connectTimeoutMs: deadlines.connectTimeoutMs,
      responseTimeoutMs: attempt.responseTimeoutMs,
      signal: this.aborter.signal,
    });
    const endedAt = clock.monotonicMs();
    if (trace.span) endAttemptSpan(trace.span, outcome);
    if (outcome.kind === 'fault') {
      await this.handleFault(attempt, outcome.error, endedAt - startedAt);
    } else {
      queues.finished(attempt.reference, {
        durationMs: outcome.durationMs,
        success: outcome.outcome === 'success',
        answered: outcome.kind === 'answered',
      });
      metrics.attempts.attemptEnded(contract, trigger, outcome);
      this.report(attempt, trace, outcome, endedAt, endedAt - startedAt);
    }
    this.options.onRoom(attempt.reference.endpointId);
    this.signalIdle();
    this.poke();
  }

  private async handleFault(
    attempt: Attempt,
    error: { code: string; message: string },
    durationMs: number,
  ): Promise<void> {
    const { reference } = attempt;
    if (error.code === 'ABORTED') {
      await this.setBack([reference], (held) => giveBackDeliveries(this.options.database, held));
      return;
    }
    this.options.metrics.faults.faultAt('send');
    const postponed = faultOfOurs(reference, error.code, error.message);
    await this.handBack([postponed], () => this.postpone([postponed]));
    // It says nothing of the receiver, and much of how long the next attempt will hold its slot.
    this.options.queues.finished(reference, { durationMs, success: false, answered: false });
    this.options.queues.release(reference);
  }

  private report(
    attempt: Attempt,
    trace: AttemptTrace,
    outcome: Exclude<OutboundResult, { kind: 'fault' }>,
    endedAtMonotonicMs: number,
    tookMs: number,
  ): void {
    const { queues, results, random } = this.options;
    const { reference, input, policy } = attempt;
    const success = outcome.outcome === 'success';
    const failuresInCycle = input.attemptCount + 1 - input.attemptsBeforeCycle;
    results.add({
      endedAtMonotonicMs,
      contract: input.contract,
      result: {
        ...reference,
        endpointEpoch: input.endpointEpoch,
        number: input.attemptCount + 1,
        cycle: input.cycle,
        trigger: input.trigger,
        publicId: attempt.publicId,
        url: input.url,
        remoteAddress: outcome.remoteAddress,
        outcome: outcome.outcome,
        httpStatus: outcome.httpStatus,
        errorCode: outcome.error?.code ?? null,
        errorMessage: outcome.error?.message ?? null,
        responseSummary: masked(outcome.responseSummary, attempt.secrets),
        requestHeaders: keptRequestHeaders(trace.headers, attempt.secrets),
        responseHeaders:
          outcome.kind === 'answered' ? keptResponseHeaders(outcome.responseHeaders, attempt.secrets) : null,
        retryAfterSeconds: outcome.retryAfterMs === null ? null : Math.ceil(outcome.retryAfterMs / SECOND_MS),
        durationMs: Math.round(outcome.durationMs),
        retryInMs: success
          ? null
          : waitAfterFailure(policy, input.cycle, failuresInCycle, outcome.retryAfterMs, random),
        exhausted: policy.exhausted,
        breakerThreshold: policy.breakerThreshold,
        countsForBreaker: this.detector.counts(
          reference.endpointId,
          { success, answered: outcome.kind === 'answered' },
          endedAtMonotonicMs,
        ),
      },
      settled: (recorded) => {
        queues.release(reference);
        if (recorded) {
          logAttempt(this.options.logger, attempt, trace.context, outcome, recorded, tookMs);
        } else {
          const fault = ownFault(
            reference,
            input,
            'RESULT_NOT_STORABLE',
            'The result of an attempt cannot be stored.',
          );
          void this.postpone([fault.postponed]).catch((error: unknown) =>
            this.options.logger.warn({ err: error }, 'references.not-given-back'),
          );
        }
      },
    });
  }

  private signalIdle(): void {
    if (this.options.queues.running > 0) return;
    const waiting = this.idle;
    this.idle = [];
    for (const resolve of waiting) resolve();
  }
}
