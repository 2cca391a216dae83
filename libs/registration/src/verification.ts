import { randomUUID } from 'node:crypto';
import type { Contract } from '#contracts/contract.js';
import { type ApplicationSettings, resolvePolicy } from '#contracts/delivery-policy.js';
import type { AttemptError, AttemptOutcome } from '#domain/attempt-outcome.js';
import type { Clock } from '#domain/clock.js';
import type { AttemptTrigger } from '#domain/delivery-state.js';
import { SECOND_MS } from '#domain/durations.js';
import { DomainError } from '#domain/errors.js';
import { masked } from '#domain/masked.js';
import type { OutboundClient } from '#outbound/outbound-client.js';
import type { Database } from '#storage/database.js';
import { nextId } from '#storage/sql/database-clock.js';
import type { Credentials } from './secrets-in-force.js';

/** The one attempt of a test delivery, in the words of any attempt. */
export interface TestAttempt {
  readonly number: 1;
  readonly cycle: 1;
  readonly trigger: AttemptTrigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly url: string;
  readonly remoteAddress: string | null;
  readonly outcome: AttemptOutcome;
  readonly httpStatus: number | null;
  readonly error: AttemptError | null;
  readonly responseSummary: string;
  readonly retryAfterSeconds: number | null;
  readonly nextAttemptAt: null;
}

export interface VerificationTarget {
  readonly contract: Contract;
  readonly settings: ApplicationSettings;
  readonly url: string;
  readonly credentials: Credentials;
  readonly applicationSecret: string | null;
}

export interface EndpointVerificationOptions {
  readonly database: Database;
  readonly outbound: Pick<OutboundClient, 'post'>;
  readonly clock: Clock;
  /** DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
}

/**
 * Sends the contract's test event once, signed like any delivery (TF-05). It is stored nowhere, never retried,
 * and counts for no breaker.
 */
export class EndpointVerification {
  constructor(private readonly options: EndpointVerificationOptions) {}

  /**
   * @throws DomainError NO_TEST_EVENT where the contract has none, UNAVAILABLE where the fault is ours and says
   *   nothing about the receiver
   */
  async run(target: VerificationTarget): Promise<{ ok: boolean; attempt: TestAttempt }> {
    const { contract, url, credentials, applicationSecret } = target;
    const { testEvent } = contract;
    if (testEvent === null) {
      throw new DomainError(
        'NO_TEST_EVENT',
        `${contract.name} has no test event, so an endpoint of it cannot be verified. Register it without verify.`,
      );
    }
    const { database, outbound, clock, connectTimeoutMs } = this.options;
    const publicId = randomUUID();
    const at = new Date(clock.nowMs());
    const body = testEvent.build(publicId, at);
    const headers = contract.headers({
      url,
      body,
      eventType: testEvent.type,
      publicId,
      deliveryId: String(await nextId(database)),
      at,
      credentials,
      applicationSecret,
    });
    const result = await outbound.post({
      url,
      headers,
      body,
      connectTimeoutMs,
      responseTimeoutMs: resolvePolicy(contract, target.settings).timeoutMs,
    });
    if (result.kind === 'fault') {
      // What is wrong with this machine is for its log, not for those who register URLs.
      const { code, message } = result.error;
      throw new DomainError(
        'UNAVAILABLE',
        'The test delivery could not be sent by a fault of the sender, which says nothing about the receiver. Try again.',
        { retryAfterSeconds: 5, cause: new Error(`${code}: ${message}`) },
      );
    }
    return {
      ok: result.outcome === 'success',
      attempt: {
        number: 1,
        cycle: 1,
        trigger: 'first',
        startedAt: at,
        durationMs: Math.round(result.durationMs),
        url,
        remoteAddress: result.remoteAddress,
        outcome: result.outcome,
        httpStatus: result.httpStatus,
        error: result.error,
        responseSummary: masked(result.responseSummary, [
          ...Object.values(credentials),
          applicationSecret ?? '',
        ]),
        retryAfterSeconds: result.retryAfterMs === null ? null : Math.ceil(result.retryAfterMs / SECOND_MS),
        nextAttemptAt: null,
      },
    };
  }
}
