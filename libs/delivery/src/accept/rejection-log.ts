import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#domain/clock.js';
import { MINUTE_MS } from '#domain/durations.js';
import type { ErrorCode } from '#domain/errors.js';
import type { Logger } from '#observability/logger.js';
import type { IngestMetrics } from '#observability/metrics/role-metrics.js';
import type { Queryable } from '#storage/database.js';
import { keepRejections, type RejectionToKeep, type RejectionWay } from '#storage/sql/rejections.js';
import type { EventNames } from './event-envelope.js';

/** A publish that was refused. */
export interface Rejection {
  readonly names: EventNames;
  readonly via: RejectionWay;
  /** The problem code. */
  readonly code: ErrorCode;
  readonly detail: string;
  /** The request's id, in a batch with the event's place; of a record `topic/partition/offset`. */
  readonly origin: string;
}

export interface RejectionLogOptions {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'accept'>;
}

/** Characters of a detail that are kept. */
const MAX_DETAIL_LENGTH = 1_000;

/** Whoever sends nothing but bad events gets a sample of them listed: 400 a second of each process. */
const BATCH = 100;
const PAUSE_MS = 250;
/** As many as one bad batch of a publisher holds. */
const MAX_WAITING = 1_000;

/**
 * Keeps what was refused, for people to look at. It is no promise: nobody waits for it, and what the database
 * does not take at once is dropped, counted and said.
 */
export class RejectionLog {
  private readonly waiting: RejectionToKeep[] = [];
  private writing = false;
  private lastWarningMs = -Infinity;
  private droppedCount = 0;

  constructor(private readonly options: RejectionLogOptions) {}

  /** Rejections since the start that are missing from the list. */
  get dropped(): number {
    return this.droppedCount;
  }

  note({ names, via, code, detail, origin }: Rejection): void {
    this.options.metrics.accept.eventRejected(via, code);
    if (this.waiting.length >= MAX_WAITING) {
      this.drop(1, undefined);
      return;
    }
    this.waiting.push({
      applicationId: names.application && ownText(names.application),
      type: names.type && ownText(names.type),
      publicId: names.id && ownText(names.id),
      via,
      code,
      detail: ownText(detail.slice(0, MAX_DETAIL_LENGTH)),
      origin,
    });
    if (this.writing) return;
    this.writing = true;
    void this.write();
  }

  private async write(): Promise<void> {
    // What is refused together is written together.
    await setImmediate();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      try {
        await keepRejections(this.options.database, batch);
      } catch (error) {
        this.drop(batch.length, error);
      }
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
    this.writing = false;
  }

  private drop(count: number, error: unknown): void {
    this.droppedCount += count;
    const { clock, logger } = this.options;
    if (clock.monotonicMs() - this.lastWarningMs < MINUTE_MS) return;
    this.lastWarningMs = clock.monotonicMs();
    logger.warn({ err: error, dropped: this.droppedCount }, 'rejections.dropped');
  }
}

/**
 * A copy, for a slice would keep the whole body that it was cut from as long as it waits; and without the one
 * character that PostgreSQL cannot hold, which a name of a field may have.
 */
function ownText(text: string): string {
  return Buffer.from(text.replaceAll('\u0000', '\ufffd')).toString('utf8');
}
