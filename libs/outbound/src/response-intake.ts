import type { Socket } from 'node:net';

const CONTINUE = /^HTTP\/1\.\d 100(?: [^\r\n]*)?\r\n/;
const LONGEST_INTERIM_BYTES = 1_024;
const END_OF_HEADERS = '\r\n\r\n';
const INTERIM_START = 'HTTP/1.x 100';
/** Where the status begins. Only an interim one begins with 1, and every other response is passed at a glance. */
const STATUS_AT = 9;
const DIGIT_ONE = 0x31;

/**
 * Sits between a socket and undici's parser for two things that undici does not offer. It notes whether any
 * byte of the response has come, for only before the first may a POST be repeated at once. And it drops an
 * unasked `100 Continue`, which clients must skip (RFC 9110, 15.2) and undici takes for a broken response.
 */
export class ResponseIntake {
  /** A byte of the response to the request at hand has come. */
  hasBegun = false;
  private inBody = true;
  private held: Buffer | null = null;

  constructor(socket: Socket) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      // Sized reads are the stream's own way of asking for more; undici reads all there is.
      if (size !== undefined) return read(size);
      const chunk = read() as Buffer | null;
      return this.inBody || chunk === null ? chunk : this.take(chunk);
    };
  }

  expectResponse(): void {
    this.hasBegun = false;
    this.inBody = false;
    this.held = null;
  }

  private take(chunk: Buffer): Buffer | null {
    this.hasBegun = true;
    if (this.held === null && chunk.length > STATUS_AT && chunk[STATUS_AT] !== DIGIT_ONE) {
      this.inBody = true;
      return chunk;
    }
    let bytes = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    this.held = null;
    for (;;) {
      const text = bytes.toString('latin1', 0, Math.min(bytes.length, LONGEST_INTERIM_BYTES));
      if (!mayBeContinue(text)) break;
      const end = text.indexOf(END_OF_HEADERS);
      if (end === -1) {
        if (text.length === LONGEST_INTERIM_BYTES) break;
        this.held = bytes;
        return null;
      }
      if (!CONTINUE.test(text)) break;
      bytes = bytes.subarray(end + END_OF_HEADERS.length);
      if (bytes.length === 0) return null;
    }
    this.inBody = true;
    return bytes;
  }
}

/** Whether the bytes so far can still turn out to be an interim response with status 100. */
function mayBeContinue(text: string): boolean {
  for (let index = 0; index < INTERIM_START.length && index < text.length; index++) {
    if (INTERIM_START[index] !== text[index] && INTERIM_START[index] !== 'x') return false;
  }
  return true;
}
