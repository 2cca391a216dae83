import { randomBytes } from 'node:crypto';
import { contractNamed } from '#contracts/registry.js';
import type { Clock } from '#domain/clock.js';
import type { EndpointState } from '#domain/endpoint-state.js';
import { keptRequestHeaders, type ShownHeaders, shownHeaders } from '#domain/kept-headers.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Database, Queryable } from '#storage/database.js';
import type { SecretBox } from '#storage/secret-box.js';
import {
  type AcceptedEvent,
  acceptEvents,
  DIGEST_BYTES,
  type EventToAccept,
} from '#storage/sql/accept-events.js';
import { type AcceptedDeliveryState, readAcceptedDeliveries } from '#storage/sql/accepted-deliveries.js';
import { type AttemptInput, readAttemptInputs } from '#storage/sql/attempt-inputs.js';
import { attemptToSign, secretsIn } from '../attempt/attempt-to-sign.js';
import { OpenedSecrets } from '../attempt/opened-secrets.js';

/** One delivery that an event would become. */
export interface TrialTarget {
  readonly endpointId: TimeOrderedId;
  readonly endpointState: EndpointState;
  readonly url: string;
  readonly state: AcceptedDeliveryState['state'];
  /** Null where nothing would be sent. */
  readonly firstAttemptAt: Date | null;
  /** As an attempt of now would send them, credentials masked. */
  readonly headers: ShownHeaders['headers'];
}

export interface TrialAcceptance {
  readonly accepted: AcceptedEvent;
  readonly targets: readonly TrialTarget[];
}

/** Each input of an attempt brings the body with it. */
const MAX_BODIES_BYTES = 4 * 1024 * 1024;

/**
 * Accepts an event as it is always accepted, reads its deliveries as they are always read before they are sent, and
 * rolls all of it back. Its key is another, so that a publish of the same event waits for nothing here.
 *
 * @returns null where its application is gone
 */
export function tryAcceptance(
  { database, secretBox, clock }: { database: Database; secretBox: SecretBox; clock: Clock },
  event: EventToAccept,
): Promise<TrialAcceptance | null> {
  const unique = { ...event, digest: randomBytes(DIGEST_BYTES) };
  return database.rolledBack(async (connection) => {
    const begun = {
      query: connection.query,
      transaction: <Result>(work: (on: Queryable) => Promise<Result>) => work(connection),
    };
    const [accepted] = await acceptEvents(begun, [[unique]], null);
    if (!accepted) return null;
    const ids = accepted.deliveries.map(({ id }) => id);
    const states = new Map(
      (await readAcceptedDeliveries(connection, ids)).map((row) => [row.deliveryId, row]),
    );
    const secrets = new OpenedSecrets(secretBox);
    const targets: TrialTarget[] = [];
    const atOnce = Math.max(1, Math.floor(MAX_BODIES_BYTES / event.body.length));
    for (let first = 0; first < ids.length; first += atOnce) {
      for (const input of await readAttemptInputs(connection, ids.slice(first, first + atOnce))) {
        targets.push(targetOf(input, states.get(input.deliveryId)!, secrets, new Date(clock.nowMs())));
      }
    }
    return { accepted, targets: targets.sort((a, b) => a.endpointId - b.endpointId) };
  });
}

function targetOf(
  input: AttemptInput,
  { state, scheduledAt }: AcceptedDeliveryState,
  secrets: OpenedSecrets,
  at: Date,
): TrialTarget {
  const toSign = attemptToSign(input, secrets, at)!;
  const headers = contractNamed(input.contract).headers(toSign);
  return {
    endpointId: input.endpointId,
    endpointState: input.endpointState,
    url: input.url,
    state,
    firstAttemptAt: scheduledAt,
    headers: shownHeaders(keptRequestHeaders(headers, secretsIn(toSign))).headers,
  };
}
