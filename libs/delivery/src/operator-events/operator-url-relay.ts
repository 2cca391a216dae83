import type { OperatorUrlConfig } from '#config/operator-url-config.js';
import type { Clock } from '#domain/clock.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import type { Logger } from '#observability/logger.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { Database } from '#storage/database.js';
import { endFleetTurn, type FleetTurn, takeFleetTurn } from '#storage/sql/fleet-turns.js';
import {
  deleteOperatorPosts,
  dropStaleOperatorPosts,
  nextOperatorPostInMs,
  readOperatorPosts,
} from '#storage/sql/operator-events.js';
import { announcedOperatorEvent } from './operator-event.js';
import { signedPost } from './signed-post.js';

/** Events of one POST: a flood of 10,000 takes a hundred. */
export const MAX_EVENTS = 100;
const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
const RESPONSE_TIMEOUT_MS = 10 * SECOND_MS;
/** Longer than a POST and the statements around it take together: a killed process keeps its turn for so long. */
const TURN_MS = 45 * SECOND_MS;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = MINUTE_MS;
/** How long an event waits for a URL that does not take it. */
export const KEPT_MS = DAY_MS;

export interface OperatorUrlRelayOptions {
  readonly database: Database;
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly target: OperatorUrlConfig;
}

/**
 * POSTs operator events to the operator's URL, in the order of their ids, up to a hundred at once, each at least once.
 *
 * - One process at a time, by a turn that holds no connection of the database while the URL is waited for.
 * - What was not acknowledged with a 2xx stays and goes first the next time, after a wait that doubles for all processes
 *   together. What has waited for a day is dropped, and the log says how many.
 * - Nothing waits for it: the rows are its own, and neither the outbox nor deliveries know of them.
 */
export class OperatorUrlRelay {
  private readonly ending = new AbortController();

  constructor(private readonly options: OperatorUrlRelayOptions) {}

  /** Breaks off the POST that is under way; its events are sent again by whoever has the next turn. */
  abort(): void {
    this.ending.abort();
  }

  /** While nothing waits it costs one small statement. @returns in how many ms the next round is wanted */
  async round(): Promise<number> {
    const { database, logger } = this.options;
    const owedInMs = await nextOperatorPostInMs(database);
    if (owedInMs === null) return Infinity;
    if (owedInMs > 0) return owedInMs;
    const turn = await takeFleetTurn(database, 'operator-url', TURN_MS);
    if (!turn) return Infinity;
    const dropped = await dropStaleOperatorPosts(database, KEPT_MS);
    if (dropped > 0) logger.warn({ events: dropped }, 'operator-url.events-dropped');
    return this.post(turn);
  }

  private async post(turn: FleetTurn): Promise<number> {
    const { database, outbound, clock, logger, target } = this.options;
    const stored = await readOperatorPosts(database, MAX_EVENTS);
    if (stored.length === 0) {
      // All were too old: whether the URL is back is for the next one to find out.
      await endFleetTurn(database, turn, { nextInMs: 0, failures: turn.failures });
      return Infinity;
    }
    const refusal = refusalIn(
      await outbound.post({
        url: target.url,
        ...signedPost(stored.map(announcedOperatorEvent), target.secret, new Date(clock.nowMs())),
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        responseTimeoutMs: RESPONSE_TIMEOUT_MS,
        signal: this.ending.signal,
      }),
    );
    if (refusal === null) {
      await database.transaction(async (connection) => {
        await deleteOperatorPosts(
          connection,
          stored.map(({ id }) => id),
        );
        await endFleetTurn(connection, turn, { nextInMs: 0, failures: 0 });
      });
      if (turn.failures > 0) logger.info({ failures: turn.failures }, 'operator-url.back');
      return stored.length === MAX_EVENTS ? 0 : Infinity;
    }
    if (this.ending.signal.aborted) {
      await endFleetTurn(database, turn, { nextInMs: 0, failures: turn.failures });
      return Infinity;
    }
    const nextInMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** turn.failures);
    await endFleetTurn(database, turn, { nextInMs, failures: turn.failures + 1 });
    // Once per outage, whichever process it was.
    if (turn.failures === 0) logger.warn({ reason: refusal }, 'operator-url.away');
    return nextInMs;
  }
}

/** Null when it was acknowledged. Names the host at most, for the rest of the URL may be a secret. */
function refusalIn(result: Awaited<ReturnType<OutboundClient['post']>>): string | null {
  if (result.kind !== 'answered') return result.error.message;
  return result.outcome === 'success' ? null : `OPERATOR_URL answered ${result.httpStatus}.`;
}

/** Where there is no operator's URL, what was kept for one is dropped in silence. */
export async function dropForNobody(database: Database): Promise<number> {
  await dropStaleOperatorPosts(database, KEPT_MS);
  return Infinity;
}
