import { connect, type Socket } from 'node:net';

export interface PublishAnswer {
  readonly status: number;
  readonly body: string;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const NO_CONTENT = 204;

/**
 * One keep-alive connection with one request at a time. It costs the machine less than a real HTTP client, and
 * understands just what the answers of publishing need: a status and a `Content-Length`.
 */
export class PublishConnection {
  busy = false;
  private readonly socket: Socket;
  private kept: Buffer | null = null;
  private ended = false;

  /** @param onAnswer called when the connection is free again */
  constructor(
    port: number,
    host: string,
    private readonly onAnswer: (connection: PublishConnection, answer: PublishAnswer) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.socket = connect({ port, host, noDelay: true });
    this.socket.on('data', (chunk) => this.take(chunk));
    this.socket.on('error', onFailure);
    this.socket.on('close', () => {
      if (!this.ended) onFailure(new Error('The publishing connection was closed.'));
    });
  }

  send(request: Buffer): void {
    this.busy = true;
    this.socket.write(request);
  }

  end(): void {
    this.ended = true;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    const bytes = this.kept === null ? chunk : Buffer.concat([this.kept, chunk]);
    this.kept = bytes;
    const headerEnd = bytes.indexOf(HEADER_END);
    if (headerEnd === -1) return;
    const header = bytes.toString('latin1', 0, headerEnd);
    const status = Number(header.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const length = status === NO_CONTENT ? '0' : CONTENT_LENGTH.exec(header)?.[1];
    if (length === undefined) return this.onFailure(new Error(`An answer without a length: ${header}`));
    const bodyStart = headerEnd + HEADER_END.length;
    if (bytes.length < bodyStart + Number(length)) return;
    this.kept = null;
    this.busy = false;
    this.onAnswer(this, { status, body: bytes.toString('utf8', bodyStart) });
  }
}
