import { EVENT_ID_PLACEHOLDER, eventId } from '../rounds/event-id.js';

/** A publishing request made ahead, but for the ids of its events. */
export class PublishRequest {
  /** How many events it publishes. */
  readonly events: number;
  private readonly template: Buffer;
  private readonly idOffsets: readonly number[];

  constructor({ origin, path, apiKey }: { origin: string; path: string; apiKey: string }, body: string) {
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(origin).host}`,
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    this.template = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    this.idOffsets = offsetsOf(EVENT_ID_PLACEHOLDER, this.template);
    this.events = this.idOffsets.length;
  }

  /** The bytes for the events from `place` on. */
  bytes(round: number, place: number): Buffer {
    const bytes = Buffer.from(this.template);
    this.idOffsets.forEach((offset, index) => bytes.write(eventId(round, place + index), offset, 'latin1'));
    return bytes;
  }
}

function offsetsOf(text: string, within: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = within.indexOf(text); at !== -1; at = within.indexOf(text, at + text.length))
    offsets.push(at);
  return offsets;
}
