import { DomainError } from '#domain/errors.js';
import { type Caller, coversApplication } from '#domain/principal.js';
import type { DeliveryMetrics } from '#observability/metrics/delivery-metrics.js';
import type { Database } from '#storage/database.js';
import type { EventRepository } from '#storage/event.repository.js';
import { recordAudit } from '#storage/sql/audit-entries.js';
import { eraseEventBody } from '#storage/sql/event-body-erasure.js';
import { retryingDeadlocks } from '../bisect.js';

/** Erases what one event said, where somebody has a right to that. */
export class EventBodyEraser {
  constructor(
    private readonly database: Database,
    private readonly events: Pick<EventRepository, 'findIds'>,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /**
   * Erases the body of an event and what receivers answered to it, and cancels what waits of it; an attempt in flight
   * may finish, and its answer is not kept. Of the event stays what it was called and what became of it, so that the
   * same id is a duplicate as before. Done already, it changes nothing.
   *
   * @throws DomainError NOT_FOUND
   */
  async erase(applicationId: string, publicId: string, caller: Caller): Promise<void> {
    const [eventId] = coversApplication(caller, applicationId)
      ? await this.events.findIds([applicationId], [publicId])
      : [];
    if (eventId === undefined) {
      throw new DomainError('NOT_FOUND', `The application "${applicationId}" has no event "${publicId}".`);
    }
    const finished = await retryingDeadlocks(() =>
      this.database.transaction(async (connection) => {
        const { erased, finished } = await eraseEventBody(connection, eventId);
        if (!erased) return finished;
        await recordAudit(connection, {
          by: caller,
          action: 'event.body_erased',
          resourceId: publicId,
          applicationId,
          changes: { body: {} },
        });
        return finished;
      }),
    );
    for (const { contract, state } of finished) this.metrics.deliveriesFinished(contract, state);
  }
}
