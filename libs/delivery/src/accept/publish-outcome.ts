import { DomainError, type FieldProblem } from '#domain/errors.js';
import type { AcceptedEvent, EventToAccept } from '#storage/sql/accept-events.js';

const RETRY_AFTER_SECONDS = 1;

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

export function firstAnswer(event: EventToAccept, accepted: AcceptedEvent): PublishAnswer {
  return {
    application: event.applicationId,
    id: event.publicId,
    duplicate: false,
    reserved: event.reserved,
    deliveryCount: accepted.deliveryCount,
    suppressedCount: accepted.suppressedCount,
  };
}

/**
 * To a publish whose id is taken.
 *
 * @param publish.comparesContent whether another content under the same id is a conflict, not a duplicate
 * @param firstContentHash of the event that took it
 */
export function repeatOf(
  { event, comparesContent }: { readonly event: EventToAccept; readonly comparesContent: boolean },
  firstContentHash: Buffer,
): PublishOutcome {
  if (comparesContent && !event.contentHash.equals(firstContentHash)) {
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

export function refused(problems: readonly FieldProblem[]): DomainError {
  const detail = problems.map((problem) => problem.message).join(' ');
  return new DomainError('VALIDATION_FAILED', detail, { errors: problems });
}

export function unknownApplication(id: string): DomainError {
  const message = `There is no application "${id}". Create it first, or correct the id.`;
  return new DomainError('UNKNOWN_APPLICATION', message, {
    errors: [{ pointer: '/application', code: 'UNKNOWN_APPLICATION', message }],
  });
}

export function notStorable(publicId: string, cause: unknown): DomainError {
  return new DomainError(
    'VALIDATION_FAILED',
    `The event "${publicId}" holds a value that the database cannot keep, such as a NUL character in its type.`,
    { cause },
  );
}

export function overloaded(): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'More events arrive than the database takes. The event was not kept; publish it again after a pause.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

export function tooManyTrials(): DomainError {
  return new DomainError('UNAVAILABLE', 'Too many dry runs wait here already. Try it again after a pause.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
