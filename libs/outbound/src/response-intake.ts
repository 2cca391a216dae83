import type { Socket } from 'node:net';
import { errors } from 'undici';

/** What may come before the body, in all: status line, headers, interim responses. */
export const MAX_HEAD_BYTES = 16 * 1024;
/** A header of three characters costs some 200 bytes of memory: without this, 16 KiB on the wire would be 1 MiB. */
export const MAX_HEAD_LINES = 256;
/** What may come beside the bytes of the body: sizes and extensions of chunks, trailers. */
const MAX_FRAMING_BYTES = 2 * 1024;
/** The parser gets no more at once, so that it is known after so many bytes whether they were the head. */
const PIECE_BYTES = 1_024;

const CONTINUE = /^HTTP\/1\.\d 100(?: [^\r\n]*)?\r\n/;
const LONGEST_INTERIM_BYTES = 1_024;
const END_OF_HEADERS = '\r\n\r\n';
const INTERIM_START = 'HTTP/1.x 100';
/** Where the status begins. Only an interim one begins with 1, and every other response is passed at a glance. */
const STATUS_AT = 9;
const DIGIT_ONE = 0x31;
const LINE_FEED = 0x0a;

/**
 * Sits between a socket and undici's parser for three things that undici does not offer. It notes whether any
 * byte of the response has come, for only before the first may a POST be repeated at once. It drops an unasked
 * `100 Continue`, which clients must skip (RFC 9110, 15.2) and undici takes for a broken response. And it bounds
 * what undici reads without counting: the status line, interim responses, the number of headers and trailers,
 * chunk extensions. A receiver that floods with those is cut off, with the error of headers that are too long.
 */
export class ResponseIntake {
  /** A byte of the response to the request at hand has come. */
  hasBegun = false;
  private part: 'start' | 'head' | 'body' = 'body';
  /** Of the head; then those since the head that were not the body's. */
  private bytes = 0;
  private lines = 0;
  /** What of a chunk the parser has not got yet. */
  private unread: Buffer | null = null;
  /** What may yet turn out to be a `100 Continue`. */
  private held: Buffer | null = null;

  constructor(private readonly socket: Socket) {
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    // Sized reads are the stream's own way of asking for more; undici reads all there is.
    socket.read = (size?: number) => (size === undefined ? this.next(read) : read(size));
  }

  expectResponse(): void {
    this.hasBegun = false;
    this.part = 'start';
    this.bytes = 0;
    this.lines = 0;
    this.held = null;
  }

  /** To be called when the parser has read the final headers. */
  expectBody(): void {
    this.part = 'body';
    this.bytes = 0;
  }

  /** To be called with what the parser took for bytes of the body. */
  bodyRead(bytes: number): void {
    this.bytes -= bytes;
  }

  private next(read: () => Buffer | null): Buffer | null {
    for (;;) {
      const piece = this.nextPiece(read);
      if (piece === null) return null;
      if (this.isFlooded) {
        this.socket.destroy(new errors.HeadersOverflowError());
        return null;
      }
      this.bytes += piece.length;
      if (this.part === 'body') return piece;
      this.hasBegun = true;
      this.lines += lineFeedsIn(piece);
      const rest = this.part === 'start' ? this.withoutContinue(piece) : piece;
      if (rest !== null) return rest;
    }
  }

  private nextPiece(read: () => Buffer | null): Buffer | null {
    const chunk = this.unread ?? read();
    this.unread = null;
    if (chunk === null || chunk.length <= PIECE_BYTES) return chunk;
    this.unread = chunk.subarray(PIECE_BYTES);
    return chunk.subarray(0, PIECE_BYTES);
  }

  private get isFlooded(): boolean {
    return this.part === 'body'
      ? this.bytes > MAX_FRAMING_BYTES
      : this.bytes >= MAX_HEAD_BYTES || this.lines > MAX_HEAD_LINES;
  }

  private withoutContinue(piece: Buffer): Buffer | null {
    if (this.held === null && piece.length > STATUS_AT && piece[STATUS_AT] !== DIGIT_ONE) {
      this.part = 'head';
      return piece;
    }
    let bytes = this.held === null ? piece : Buffer.concat([this.held, piece]);
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
    this.part = 'head';
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

function lineFeedsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
