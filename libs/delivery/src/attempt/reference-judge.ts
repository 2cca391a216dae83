import type { Contract } from '#contracts/contract.js';
import { type ApplicationSettings, resolvePolicy } from '#contracts/delivery-policy.js';
import { contractNamed } from '#contracts/registry.js';
import type { Clock } from '#domain/clock.js';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import { SECOND_MS } from '#domain/durations.js';
import { type AttemptDeadlines, leaseNeededMs } from '#domain/lease.js';
import type { DeliveryPolicy } from '#domain/retry-policy.js';
import { type SecretBox, UnknownEncryptionKey } from '#storage/secret-box.js';
import type { AttemptInput } from '#storage/sql/attempt-inputs.js';
import type { PostponedDelivery } from '#storage/sql/due-deliveries.js';
import type { EndpointQueues } from './endpoint-queues.js';
import { attemptToSign, secretsIn } from './attempt-to-sign.js';
import { OpenedSecrets } from './opened-secrets.js';

const FAULT_WAIT_MS = 5 * SECOND_MS;
const MAX_FAULT_WAIT_MS = 60 * SECOND_MS;

export interface ReferenceJudgeOptions {
  readonly secretBox: SecretBox;
  readonly queues: Pick<EndpointQueues, 'allows'>;
  readonly clock: Clock;
  readonly deadlines: AttemptDeadlines;
}

/** One delivery that is ours to send, with everything decided but the outcome. */
export interface Attempt {
  readonly reference: DeliveryReference;
  readonly input: AttemptInput;
  readonly contract: Contract;
  readonly policy: DeliveryPolicy;
  /** From the request being sent to the end of the response's headers. */
  readonly responseTimeoutMs: number;
  readonly headers: ReturnType<Contract['headers']>;
  readonly body: Buffer;
  readonly publicId: string;
  /** What must not come back in what is kept of the answer. */
  readonly secrets: readonly string[];
}

/** Why a reference that was read is not sent now. */
export type Verdict =
  | { readonly kind: 'send'; readonly attempt: Attempt }
  | { readonly kind: 'lost' | 'canceled' | 'give-back' | 'put-back' }
  | { readonly kind: 'fault'; readonly postponed: PostponedDelivery };

/**
 * Decides by the last look at a delivery whether it is ours to send now, and makes the request: it must still carry our
 * token, its endpoint must still want it, and enough of the lease must be left for the longest attempt.
 */
export class ReferenceJudge {
  private readonly secrets: OpenedSecrets;
  private readonly policies = new Map<string, DeliveryPolicy>();

  constructor(private readonly options: ReferenceJudgeOptions) {
    this.secrets = new OpenedSecrets(options.secretBox);
  }

  /** @param elapsedMs since before the input was read: the lease has gone on since */
  verdict(reference: DeliveryReference, input: AttemptInput | undefined, elapsedMs: number): Verdict {
    if (!input || input.state !== 'pending' || input.token !== reference.token) return { kind: 'lost' };
    if (input.endpointState === 'revoked') return { kind: 'canceled' };
    if (input.endpointState === 'paused') return { kind: 'give-back' };
    try {
      const contract = contractNamed(input.contract);
      const policy = this.policyOf(contract, input.settings);
      if (!this.options.queues.allows(reference.endpointId, policy.concurrencyPerWorker))
        return { kind: 'put-back' };
      // Never longer than what the lease was measured for.
      const responseTimeoutMs = Math.min(policy.timeoutMs, this.options.deadlines.maxResponseTimeoutMs);
      const needed = leaseNeededMs(this.options.deadlines, responseTimeoutMs);
      if ((input.leaseLeftMs ?? 0) - elapsedMs < needed) return { kind: 'give-back' };
      const attempt = this.compose(reference, input, contract, policy, responseTimeoutMs);
      if (!attempt) {
        return ownFault(reference, input, 'BODY_NOT_KEPT', 'The body of the event is no longer kept.');
      }
      return { kind: 'send', attempt };
    } catch (error) {
      if (error instanceof UnknownEncryptionKey) {
        // The process lacks a key, and says nothing about the delivery: another may have it, and so may we later.
        return {
          kind: 'fault',
          postponed: faultOfOurs(reference, 'UNKNOWN_ENCRYPTION_KEY', error.message),
        };
      }
      return ownFault(reference, input, 'INTERNAL', error instanceof Error ? error.message : String(error));
    }
  }

  private compose(
    reference: DeliveryReference,
    input: AttemptInput,
    contract: Contract,
    policy: DeliveryPolicy,
    responseTimeoutMs: number,
  ): Attempt | null {
    const toSign = attemptToSign(input, this.secrets, new Date(this.options.clock.nowMs()));
    if (toSign === null) return null;
    const { publicId, body } = toSign;
    return {
      reference,
      input,
      contract,
      policy,
      responseTimeoutMs,
      headers: contract.headers(toSign),
      body,
      publicId,
      secrets: secretsIn(toSign),
    };
  }

  /** Settings and contract change rarely and their text is at hand: resolved once per text. */
  private policyOf(contract: Contract, settings: string): DeliveryPolicy {
    const key = `${contract.name} ${settings}`;
    let policy = this.policies.get(key);
    if (!policy) {
      if (this.policies.size > 1_000) this.policies.clear();
      policy = resolvePolicy(contract, JSON.parse(settings) as ApplicationSettings);
      this.policies.set(key, policy);
    }
    return policy;
  }
}

/** A fault of this process: it uses up nothing, however often it comes. */
export function faultOfOurs(
  reference: DeliveryReference,
  errorCode: string,
  errorMessage: string,
): PostponedDelivery {
  return { ...reference, waitMs: FAULT_WAIT_MS, ownFault: false, errorCode, errorMessage };
}

export function ownFault(
  reference: DeliveryReference,
  input: AttemptInput,
  errorCode: string,
  errorMessage: string,
): Extract<Verdict, { kind: 'fault' }> {
  return {
    kind: 'fault',
    postponed: {
      ...reference,
      waitMs: Math.min(MAX_FAULT_WAIT_MS, SECOND_MS * 2 ** input.internalFailures),
      ownFault: true,
      errorCode,
      errorMessage,
    },
  };
}
