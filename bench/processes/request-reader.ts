/** What the bench wants to know of a request: which of its events it carries; -1 for one that carries none. */
export interface ReadRequest {
  readonly round: number;
  readonly place: number;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const EVENT_ID = /\r\nx-tffiscal-event-id: *b(\d{4})-(\d{8})\r/i;

/** Cuts the bytes of a connection into requests with a `Content-Length`, wherever the chunks end. */
export class RequestReader {
  private kept: Buffer | null = null;

  constructor(private readonly onRequest: (request: ReadRequest) => void) {}

  take(chunk: Buffer): void {
    let bytes = this.kept === null ? chunk : Buffer.concat([this.kept, chunk]);
    this.kept = null;
    while (bytes.length > 0) {
      const headerEnd = bytes.indexOf(HEADER_END);
      if (headerEnd === -1) break;
      const header = bytes.toString('latin1', 0, headerEnd + 2);
      const end = headerEnd + HEADER_END.length + Number(CONTENT_LENGTH.exec(header)?.[1] ?? 0);
      if (bytes.length < end) break;
      const id = EVENT_ID.exec(header);
      this.onRequest(id ? { round: Number(id[1]), place: Number(id[2]) } : { round: -1, place: -1 });
      bytes = bytes.subarray(end);
    }
    if (bytes.length > 0) this.kept = bytes;
  }
}
