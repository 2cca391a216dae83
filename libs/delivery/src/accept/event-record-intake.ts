import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Tracer } from '@opentelemetry/api';
import { DomainError } from '#domain/errors.js';
import type { EventRecord, RejectedRecord } from '#domain/event-record.js';
import type { Logger } from '#observability/logger.js';
import type { IngestMetrics } from '#observability/metrics/role-metrics.js';
import type { EventAcceptor } from './event-acceptor.js';
import {
  type EnvelopeCheck,
  type EventNames,
  type EventToPublish,
  namesIn,
  NO_NAMES,
  readEnvelope,
  readSource,
} from './event-envelope.js';
import { RecordSpans } from './record-spans.js';

/** As long as the body of one publish over HTTP may be. */
const MAX_RECORD_BYTES = 1024 * 1024;

export interface EventRecordIntakeOptions {
  readonly acceptor: EventAcceptor;
  readonly check: EnvelopeCheck;
  /** Puts records on the rejected topic; resolves when they are safe there. */
  readonly reject: (rejected: readonly RejectedRecord[]) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'faults'>;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

interface Refusal {
  readonly record: EventRecord;
  readonly error: DomainError;
}

/**
 * Takes events in from a topic, by the same check, the same keys and the same statement as over HTTP: one for a
 * polled batch.
 *
 * - Nothing of a batch is left when it is done: a record is durable, a duplicate of what is, or on the rejected
 *   topic. Only then may its offset be committed, so a crash before that reads it again, as the same event.
 * - A record that is no valid event never holds up the others. One that our own code stumbles over is set aside
 *   the same way: read again and again it would stop its partition for good.
 * - A database or a broker that is away fails the batch as a whole, and it is to be read again.
 */
export class EventRecordIntake {
  constructor(private readonly options: EventRecordIntakeOptions) {}

  /**
   * @param records of any partitions, in the order in which they lie there
   * @throws what the database threw, or `reject`: no offset of the batch may be committed then
   */
  async take(records: readonly EventRecord[]): Promise<void> {
    const refusals = await this.accept(records);
    if (refusals.length === 0) return;
    await this.options.reject(
      refusals.map(({ record, error }) => ({ record, code: error.code, detail: error.message })),
    );
    // Last, so that a batch that is read again because the topic did not take them lists them once.
    for (const { record, error } of refusals) {
      this.options.acceptor.rejections.note({
        names: namesOf(record),
        via: 'kafka',
        code: error.code,
        detail: error.message,
        origin: originOf(record),
      });
    }
  }

  private async accept(records: readonly EventRecord[]): Promise<Refusal[]> {
    const spans = new RecordSpans(this.options.tracer);
    let durable = false;
    try {
      const refusals = await this.acceptTraced(records, spans);
      for (const { record, error } of refusals) spans.refused(record, error.code);
      durable = true;
      return refusals;
    } finally {
      spans.end(durable);
    }
  }

  /** Makes the valid ones durable and returns the others. */
  private async acceptTraced(records: readonly EventRecord[], spans: RecordSpans): Promise<Refusal[]> {
    const refusals: Refusal[] = [];
    const valid: { record: EventRecord; event: EventToPublish }[] = [];
    for (const record of records) {
      const traceContext = spans.begin(record);
      try {
        valid.push({ record, event: { ...this.read(record), traceContext } });
      } catch (error) {
        refusals.push({ record, error: error instanceof DomainError ? error : this.notRead(record, error) });
      }
    }
    const outcomes = await this.options.acceptor.publishAll(
      valid.map(({ event }) => event),
      { via: 'kafka', records: rangesOf(records), refused: refusals.length },
    );
    outcomes.forEach((outcome, index) => {
      if (!outcome.ok) refusals.push({ record: valid[index]!.record, error: outcome.error });
    });
    return refusals;
  }

  /** Reading asks nobody, so what it throws it would throw for ever. */
  private notRead(record: EventRecord, error: unknown): DomainError {
    this.options.logger.error({ err: error, origin: originOf(record) }, 'record.not-read');
    this.options.metrics.faults.faultAt('accept');
    return new DomainError(
      'INTERNAL',
      'The record was not read, through a fault on our side. The log has the reason.',
      { cause: error },
    );
  }

  private read(record: EventRecord): EventToPublish {
    const event = readEnvelope(readSource(textOf(record)), this.options.check);
    return {
      ...event,
      defaults: {
        id: idOf(record),
        // The producer's acceptance is the broker's, which put this time on the record or let it stand. By the
        // time of reading, all events of an outage would seem to have happened at its end. It is no part of
        // what tells a duplicate.
        acceptedAt: record.timestampMs < 0 ? null : new Date(record.timestampMs),
      },
    };
  }
}

/**
 * The id of an event whose producer gave none. A record read again is the same event; one at the same place of a
 * topic that was deleted and made anew has another time, and is another.
 */
function idOf({ topic, partition, offset, timestampMs }: EventRecord): string {
  const place = [topic, partition, offset, timestampMs].join('\n');
  return `k-${createHash('sha256').update(place).digest('hex').slice(0, 32)}`;
}

function originOf({ topic, partition, offset }: EventRecord): string {
  return `${topic}/${partition}/${offset}`;
}

/** `topic/partition/first-last` of each partition. */
function rangesOf(records: readonly EventRecord[]): string[] {
  const ranges = new Map<string, { first: string; last: string }>();
  for (const { topic, partition, offset } of records) {
    const place = `${topic}/${partition}`;
    const range = ranges.get(place);
    if (range) range.last = offset;
    else ranges.set(place, { first: offset, last: offset });
  }
  return [...ranges].map(([place, { first, last }]) => `${place}/${first}-${last}`);
}

/** @throws DomainError NOT_JSON, PAYLOAD_TOO_LARGE */
function textOf({ value }: EventRecord): string {
  if (value === null) {
    throw new DomainError(
      'NOT_JSON',
      'The record has no value. Send a JSON object; a tombstone deletes no event.',
    );
  }
  if (value.length > MAX_RECORD_BYTES) {
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `The record has ${value.length} bytes, and ${MAX_RECORD_BYTES} are taken. Send a link to what is large.`,
    );
  }
  if (!isUtf8(value)) {
    throw new DomainError('NOT_JSON', 'The record is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  return value.toString('utf8');
}

function namesOf(record: EventRecord): EventNames {
  try {
    return namesIn(textOf(record));
  } catch {
    return NO_NAMES;
  }
}
