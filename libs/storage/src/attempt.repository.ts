import type { AttemptOutcome } from '#domain/attempt-outcome.js';
import type { AttemptTrigger } from '#domain/delivery-state.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from './database.js';

export interface AttemptRow {
  readonly id: TimeOrderedId;
  readonly number: number;
  readonly cycle: number;
  /** Its result came when the delivery was no longer its sender's: logged, and otherwise without effect. */
  readonly superseded: boolean;
  readonly trigger: AttemptTrigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly url: string;
  readonly remoteAddress: string | null;
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly responseSummary: string;
  readonly retryAfterSeconds: number | null;
  readonly nextAttemptAt: Date | null;
}

/** With what only one attempt at a time is shown with. */
export interface WholeAttemptRow extends AttemptRow {
  /** As `kept-headers.ts` writes them; null where the attempt is from before they were kept, or they were erased. */
  readonly requestHeaders: string | null;
  /** The same, and null where no response came. */
  readonly responseHeaders: string | null;
}

/** Of the table `attempts`. */
export const ATTEMPT_COLUMNS = `
       id, number, cycle, superseded, trigger, started_at AS "startedAt", duration_ms AS "durationMs", url,
       remote_address AS "remoteAddress", outcome, http_status AS "httpStatus", error_code AS "errorCode",
       error_message AS "errorMessage", response_summary AS "responseSummary",
       retry_after_seconds AS "retryAfterSeconds", next_attempt_at AS "nextAttemptAt"`;

/** By the primary key, which lies in one partition. */
const LIST_ATTEMPTS: Statement = {
  name: 'list-attempts',
  text: `SELECT ${ATTEMPT_COLUMNS} FROM attempts WHERE delivery_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
};

/** By the primary key. A superseded attempt may bear the number of the one that counted. */
const FIND_ATTEMPT: Statement = {
  name: 'find-attempt',
  text: `
SELECT ${ATTEMPT_COLUMNS}, request_headers AS "requestHeaders", response_headers AS "responseHeaders"
  FROM attempts WHERE delivery_id = $1 AND number = $2 ORDER BY superseded, id LIMIT 1`,
};

@Injectable()
export class AttemptRepository {
  constructor(private readonly database: Database) {}

  /** Up to `limit` attempts of a delivery in the order in which they ended, after the id `after`. */
  async list(deliveryId: TimeOrderedId, after: TimeOrderedId | null, limit: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(LIST_ATTEMPTS, [deliveryId, after ?? 0, limit]);
  }

  async find(deliveryId: TimeOrderedId, number: number): Promise<WholeAttemptRow | null> {
    const rows = await this.database.query<WholeAttemptRow>(FIND_ATTEMPT, [deliveryId, number]);
    return rows[0] ?? null;
  }
}
