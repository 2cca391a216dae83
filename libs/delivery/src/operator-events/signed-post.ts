import { createHash, createHmac } from 'node:crypto';
import type { OperatorEvent } from './operator-event.js';

/** One POST to the operator's URL. */
export interface SignedPost {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/**
 * The events as one message of Standard Webhooks 1.0: the receiver verifies it with any library for those. The
 * message's id follows from the events in it, so that the same ones, sent again, are the same message, and others,
 * which came to them meanwhile, are another.
 *
 * @param secret null: it is not signed
 */
export function signedPost(events: readonly OperatorEvent[], secret: Buffer | null, at: Date): SignedPost {
  const body = JSON.stringify({ events });
  const ids = events.map(({ id }) => id).join(',');
  const id = `msg_${createHash('sha256').update(ids).digest('hex').slice(0, 32)}`;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const headers: (readonly [string, string])[] = [
    ['content-type', 'application/json'],
    ['user-agent', 'entrega'],
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
  ];
  if (secret !== null) {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    headers.push(['webhook-signature', `v1,${signature}`]);
  }
  return { headers, body: Buffer.from(body) };
}
