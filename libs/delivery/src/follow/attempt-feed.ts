import type { AttemptOutcome } from '#domain/attempt-outcome.js';
import { DomainError } from '#domain/errors.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '#storage/database.js';
import { setWriteMark } from '#storage/sql/write-horizon.js';
import {
  type FollowedAttemptRow,
  listWrittenAttempts,
  readFollowedAttempts,
  type WrittenAttempt,
} from '#storage/sql/written-attempts.js';
import { WriteHorizon } from './write-horizon.js';

export interface FollowFilter {
  /** The only applications looked at; null for all. */
  readonly applications: readonly string[] | null;
  readonly endpoints?: readonly TimeOrderedId[] | undefined;
  readonly outcomes?: readonly AttemptOutcome[] | undefined;
}

export interface FollowRequest {
  readonly filter: FollowFilter;
  /** Where the page before ended; null for now. */
  readonly after: TimeOrderedId | null;
  readonly limit: number;
  /** How long to wait for a first attempt where there is none. */
  readonly waitMs: number;
  /** Ends the wait: nobody is there any more. */
  readonly signal: AbortSignal;
}

export interface FollowedPage {
  readonly attempts: readonly FollowedAttemptRow[];
  /** Where the next page begins; everything up to it was looked at. */
  readonly position: TimeOrderedId;
}

/** Somebody who has seen everything up to a position and waits for what comes. */
interface Waiter {
  readonly filter: FollowFilter;
  position: TimeOrderedId;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/** How often the database is asked while anybody waits; what comes is seen after two of them at most, mostly one. */
const POLL_EVERY_MS = 250;
/** Attempts that one look examines: with their deliveries some ten milliseconds. */
const LOOK = 1_000;
/** Waiting requests of a process. Each holds a connection and little else. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/**
 * Attempts of all deliveries in the order in which they were written, for those who follow them: none comes twice and
 * none is missed but one whose write took over 30 s to commit, whichever process is asked (`write-horizon.ts`).
 *
 * Who finds nothing waits. One poll serves all who wait, and there is none while nobody does: it looks at what was
 * written since the earliest position among them, wakes those whose filters it meets, and moves the others on. The woken
 * read their pages themselves.
 */
export class AttemptFeed {
  private readonly horizon: WriteHorizon;
  private readonly waiting = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  private polling = false;
  private closed = false;

  constructor(private readonly database: Queryable) {
    this.horizon = new WriteHorizon(database);
  }

  /** Requests that wait now. */
  get waiters(): number {
    return this.waiting.size;
  }

  /** @throws DomainError UNAVAILABLE when too many wait */
  async follow({ filter, after, limit, waitMs, signal }: FollowRequest): Promise<FollowedPage> {
    const endsAt = performance.now() + waitMs;
    let position = after ?? (await setWriteMark(this.database)).id;
    for (;;) {
      const upTo = await this.horizon.read();
      const page = await this.readPage(filter, position, upTo, limit);
      position = page.position;
      const leftMs = endsAt - performance.now();
      if (page.attempts.length > 0 || position < upTo || leftMs <= 0) return page;
      if (!this.closed && !signal.aborted) position = await this.wait(filter, position, leftMs, signal);
      if (this.closed || signal.aborted) return { attempts: [], position };
    }
  }

  /** Ends every wait with what there is, which is nothing, and lets nobody wait any more. */
  close(): void {
    this.closed = true;
    for (const waiter of this.waiting) waiter.wake();
  }

  private async readPage(
    filter: FollowFilter,
    after: TimeOrderedId,
    upTo: TimeOrderedId,
    limit: number,
  ): Promise<FollowedPage> {
    if (upTo <= after) return { attempts: [], position: after };
    const { attempts, examinedTo } = await listWrittenAttempts(this.database, after, upTo, LOOK);
    const wanted = attempts.filter((attempt) => isWanted(attempt, filter));
    const page = wanted.slice(0, limit);
    return {
      attempts: await readFollowedAttempts(this.database, page),
      position: wanted.length > limit ? page.at(-1)!.id : examinedTo,
    };
  }

  /** Resolves with the position up to which nothing has come, when something has, or the time or the caller is gone. */
  private async wait(
    filter: FollowFilter,
    position: TimeOrderedId,
    forMs: number,
    signal: AbortSignal,
  ): Promise<TimeOrderedId> {
    if (this.waiting.size >= MAX_WAITING) {
      throw new DomainError(
        'UNAVAILABLE',
        `${MAX_WAITING} requests wait for attempts here already. Come back in a moment, or ask without wait.`,
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { filter, position, wake: resolve, fail: reject };
    const timer = setTimeout(resolve, forMs);
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort);
    this.waiting.add(waiter);
    this.schedulePoll();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.waiting.delete(waiter);
      if (this.waiting.size === 0) this.unschedulePoll();
    }
    return waiter.position;
  }

  private schedulePoll(): void {
    if (this.polling || this.timer !== undefined || this.waiting.size === 0) return;
    this.timer = setTimeout(() => void this.pollAndGoOn(), POLL_EVERY_MS);
  }

  private unschedulePoll(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async pollAndGoOn(): Promise<void> {
    this.timer = undefined;
    this.polling = true;
    try {
      await this.poll();
    } catch (error) {
      // They ask again when the database is back, as after any other call that it failed.
      for (const waiter of this.waiting) waiter.fail(error);
    }
    this.polling = false;
    this.schedulePoll();
  }

  private async poll(): Promise<void> {
    const from = [...this.waiting].reduce((least, { position }) => Math.min(least, position), Infinity);
    const upTo = await this.horizon.read();
    if (upTo <= from) return;
    const { attempts, examinedTo } = await listWrittenAttempts(this.database, from, upTo, LOOK);
    for (const waiter of this.waiting) {
      // Who came meanwhile with an earlier position is of the next poll.
      if (waiter.position < from) continue;
      const isMet = attempts.some(
        ({ id, ...attempt }) => id > waiter.position && isWanted(attempt, waiter.filter),
      );
      if (isMet || examinedTo < upTo) waiter.wake();
      else waiter.position = Math.max(waiter.position, upTo);
    }
  }
}

function isWanted(
  { applicationId, endpointId, outcome }: Omit<WrittenAttempt, 'id'>,
  { applications, endpoints, outcomes }: FollowFilter,
): boolean {
  return (
    (applications?.includes(applicationId) ?? true) &&
    (endpoints?.includes(endpointId) ?? true) &&
    (outcomes?.includes(outcome) ?? true)
  );
}
