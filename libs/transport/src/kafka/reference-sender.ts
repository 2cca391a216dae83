import type { Message } from 'kafkajs';
import type { DeliveryReference } from '#domain/delivery-reference.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { SupervisedProducer } from './supervised-producer.js';
import { TOPICS } from './topics.js';

/** What waits or is on its way; beyond this, references go back at once. */
const MAX_REFERENCES = 10_000;
const MAX_PER_SEND = 1_000;
/** Sends under way at once: while one waits for its answer the next gathers. */
const MAX_SENDS = 4;
/** A broker that hangs delays a delivery by this at most, and by the second until the sweep. */
const SEND_LIMIT_MS = 2_000;

interface Waiting {
  readonly references: readonly DeliveryReference[];
  readonly settle: (unsent: readonly DeliveryReference[]) => void;
}

/** Sends references in few, large requests and a bounded memory: what does not fit is not sent. */
export class ReferenceSender {
  private waiting: Waiting[] = [];
  private held = 0;
  private sends = 0;

  constructor(private readonly producer: Pick<SupervisedProducer, 'send'>) {}

  /** Resolves with those that were not sent, or are not known to be. */
  send(references: readonly DeliveryReference[]): Promise<readonly DeliveryReference[]> {
    if (this.held + references.length > MAX_REFERENCES) return Promise.resolve(references);
    return new Promise((resolve) => {
      this.held += references.length;
      this.waiting.push({ references, settle: resolve });
      this.sendNext();
    });
  }

  private sendNext(): void {
    while (this.sends < MAX_SENDS && this.waiting.length > 0) {
      const batch: Waiting[] = [];
      for (let size = 0; size < MAX_PER_SEND && this.waiting.length > 0;) {
        const next = this.waiting.shift()!;
        batch.push(next);
        size += next.references.length;
      }
      this.sends++;
      void this.sendBatch(batch).finally(() => {
        this.sends--;
        this.sendNext();
      });
    }
  }

  private async sendBatch(batch: readonly Waiting[]): Promise<void> {
    const messages = encodeReferences(batch.flatMap(({ references }) => references));
    const sent = await this.producer
      .send(TOPICS.deliveries, messages, { acks: 1, limitMs: SEND_LIMIT_MS })
      .then(
        () => true,
        () => false,
      );
    for (const { references, settle } of batch) {
      this.held -= references.length;
      settle(sent ? [] : references);
    }
  }
}

/** A message holds what belongs to one endpoint, `[[deliveryId, token], …]`, under the endpoint's id as its key. */
export function encodeReferences(references: readonly DeliveryReference[]): Message[] {
  const byEndpoint = new Map<TimeOrderedId, [TimeOrderedId, number][]>();
  for (const { deliveryId, endpointId, token } of references) {
    const pairs = byEndpoint.get(endpointId);
    if (pairs) pairs.push([deliveryId, token]);
    else byEndpoint.set(endpointId, [[deliveryId, token]]);
  }
  return Array.from(byEndpoint, ([endpointId, pairs]) => ({
    key: String(endpointId),
    value: JSON.stringify(pairs),
  }));
}

/** What is no reference of ours gives none: another's message must not stop the topic. */
export function decodeReferences(key: Buffer | null, value: Buffer | null): DeliveryReference[] {
  const endpointId = Number(key?.toString());
  if (!Number.isSafeInteger(endpointId) || value === null) return [];
  let pairs: unknown;
  try {
    pairs = JSON.parse(value.toString());
  } catch {
    return [];
  }
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown) => {
    if (!Array.isArray(pair)) return [];
    const [deliveryId, token] = pair as unknown[];
    if (!Number.isSafeInteger(deliveryId) || !Number.isSafeInteger(token)) return [];
    return [
      {
        deliveryId: deliveryId as TimeOrderedId,
        endpointId,
        token: token as number,
      },
    ];
  });
}
