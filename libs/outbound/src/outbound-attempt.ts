import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { outcomeOfStatus } from '#domain/attempt-outcome.js';
import type { Connection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';
import { OutboundFailure, describeTarget, exchangeFailure, isConnectionLoss } from './outbound-failure.js';
import type { ConnectionUse, OutboundRequest, OutboundResult } from './outbound-result.js';
import { SUMMARY_BYTES, summarise } from './response-summary.js';
import { parseRetryAfterMs } from './retry-after.js';

/** A smaller body always fits the socket's own buffer, and the question whether it was taken is not asked. */
const BODY_THAT_MAY_CONGEST_BYTES = 16 * 1024;
/** What is read of a response body before its connection is dropped. */
const MAX_BODY_BYTES = 16 * 1024;
const RETRY_AFTER = 'retry-after';
const ASCII = /^[\x00-\x7f]*$/;

/**
 * One POST, as the handler of its undici request.
 *
 * The phases, with one timer over all of them:
 * - `connecting`: from the start until the request is written, within the connect deadline.
 * - `sending`: only for a body that the receiver does not read at once; what is left of the connect deadline.
 * - `awaiting-headers`: the response deadline, from the request being sent (TF-32).
 * - `reading-body`: what is left of the response deadline. The outcome stands, whatever the body does.
 * - `settled`: the result was given; later callbacks change nothing.
 *
 * A reused connection that dies before any response byte is a failure of ours (the receiver closed it as
 * idle): the POST is repeated on a fresh one. That is paid from the connect deadline, which the reused
 * connection left unspent; so no attempt ever takes longer than both deadlines together, which its lease
 * covers. Once that is used up, the loss is the receiver's.
 */
export class OutboundAttempt implements Dispatcher.DispatchHandler {
  private phase: 'connecting' | 'sending' | 'awaiting-headers' | 'reading-body' | 'settled' = 'connecting';
  private timer: NodeJS.Timeout | undefined;
  private connection: Connection;
  private use: ConnectionUse = 'none';
  private readonly startedAtMs = performance.now();
  private headersAtMs = 0;
  private httpStatus = 0;
  private responseHeaders: (readonly [name: string, value: string])[] = [];
  private retryAfterMs: number | null = null;
  private readonly summaryChunks: Buffer[] = [];
  private bodyBytes = 0;

  constructor(
    readonly request: OutboundRequest,
    private readonly url: URL,
    private readonly pool: ConnectionPool,
    private readonly settled: (attempt: OutboundAttempt, result: OutboundResult) => void,
  ) {
    this.connection = pool.acquire(url);
  }

  start(): void {
    this.dispatch(this.request.connectTimeoutMs);
  }

  /** Ends the attempt without a verdict. */
  abort(): void {
    this.drop(
      new OutboundFailure('fault', 'ABORTED', 'The attempt was broken off by this process and says nothing.'),
    );
  }

  onRequestStart(): void {
    if (this.phase === 'settled') return;
    const { reused } = this.connection.beginRequest();
    if (this.use !== 'reused-then-new') this.use = reused ? 'reused' : 'new';
    if (this.request.body.length <= BODY_THAT_MAY_CONGEST_BYTES) return this.awaitHeaders();
    this.phase = 'sending';
    // undici writes the request right after this call.
    process.nextTick(() => {
      if (this.connection.isCongested) this.connection.onceDrained(() => this.awaitHeaders());
      else this.awaitHeaders();
    });
  }

  onResponseStart(controller: Dispatcher.DispatchController, httpStatus: number): void {
    // Interim responses (103 Early Hints) say nothing about the delivery.
    if (this.phase === 'settled' || httpStatus < 200) return;
    if (this.phase !== 'awaiting-headers') this.awaitHeaders();
    this.phase = 'reading-body';
    this.connection.beginBody();
    this.headersAtMs = performance.now();
    this.httpStatus = httpStatus;
    this.takeHeaders(controller.rawHeaders as readonly Buffer[]);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.phase === 'settled') return;
    if (this.bodyBytes < SUMMARY_BYTES) this.summaryChunks.push(chunk);
    this.bodyBytes += chunk.length;
    this.connection.bodyRead(chunk.length);
    if (this.bodyBytes > MAX_BODY_BYTES) this.answeredAndDropped();
  }

  onResponseEnd(): void {
    if (this.phase === 'settled') return;
    this.answered();
    this.pool.release(this.connection);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.phase === 'settled') return;
    if (this.phase === 'reading-body') return this.answeredAndDropped();
    if (error instanceof OutboundFailure) return this.drop(error);
    const { target, remoteAddress, responseHasBegun } = this.connection;
    const leftToConnectMs = this.request.connectTimeoutMs - (performance.now() - this.startedAtMs);
    if (this.use === 'reused' && !responseHasBegun && isConnectionLoss(error) && leftToConnectMs > 0) {
      this.use = 'reused-then-new';
      this.connection.destroy();
      this.connection = this.pool.fresh(this.url);
      return this.dispatch(leftToConnectMs);
    }
    this.drop(exchangeFailure(target, remoteAddress, error));
  }

  private dispatch(connectTimeoutMs: number): void {
    this.phase = 'connecting';
    this.arm(connectTimeoutMs);
    const headers: string[] = [];
    for (const [name, value] of this.request.headers) headers.push(name, value);
    this.connection.dispatch(
      { method: 'POST', path: this.url.pathname + this.url.search, headers, body: this.request.body },
      this,
    );
  }

  private awaitHeaders(): void {
    if (this.phase !== 'connecting' && this.phase !== 'sending') return;
    this.phase = 'awaiting-headers';
    this.arm(this.request.responseTimeoutMs);
  }

  private arm(timeoutMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(onTimer, timeoutMs, this);
  }

  /** @internal */
  expire(): void {
    switch (this.phase) {
      case 'connecting':
        return this.drop(this.connectTimeout());
      case 'sending':
        // The receiver does not read. Its time runs from now all the same.
        return this.awaitHeaders();
      case 'awaiting-headers':
        return this.drop(this.responseTimeout());
      case 'reading-body':
        return this.answeredAndDropped();
      case 'settled':
    }
  }

  private connectTimeout(): OutboundFailure {
    const where = describeTarget(this.connection.target, this.connection.remoteAddress);
    const within = `within ${this.request.connectTimeoutMs} ms`;
    switch (this.connection.dialStage) {
      case 'resolving': {
        const name = this.connection.target.hostname;
        const message = `No name server answered for ${name} ${within}. Check the name servers of its zone.`;
        return new OutboundFailure('dns', 'DNS_TIMEOUT', message);
      }
      case 'connecting': {
        const message = `${where} did not accept a connection ${within}. Check that it is running and that no firewall drops the packets.`;
        return new OutboundFailure('timeout', 'CONNECT_TIMEOUT', message);
      }
      case 'securing': {
        const message = `${where} did not finish the TLS handshake ${within}. Check that it speaks TLS on this port.`;
        return new OutboundFailure('timeout', 'CONNECT_TIMEOUT', message);
      }
    }
  }

  private responseTimeout(): OutboundFailure {
    const { target, remoteAddress } = this.connection;
    return new OutboundFailure(
      'timeout',
      'RESPONSE_TIMEOUT',
      `${describeTarget(target, remoteAddress)} sent no response headers within ${this.request.responseTimeoutMs} ms. ` +
        'The receiver should acknowledge first and work afterwards.',
    );
  }

  private takeHeaders(rawHeaders: readonly Buffer[]): void {
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = latin1(rawHeaders[index]);
      const value = headerValue(rawHeaders[index + 1]);
      this.responseHeaders.push([name, value]);
      if (name.length === RETRY_AFTER.length && name.toLowerCase() === RETRY_AFTER) {
        this.retryAfterMs ??= parseRetryAfterMs(value, Date.now());
      }
    }
  }

  private answeredAndDropped(): void {
    this.answered();
    this.connection.destroy();
  }

  private answered(): void {
    this.settle({
      kind: 'answered',
      outcome: outcomeOfStatus(this.httpStatus),
      httpStatus: this.httpStatus,
      error: null,
      responseHeaders: this.responseHeaders,
      responseSummary: this.summary(),
      retryAfterMs: this.retryAfterMs,
      remoteAddress: this.connection.remoteAddress,
      durationMs: this.headersAtMs - this.startedAtMs,
      connection: this.use,
    });
  }

  private summary(): string {
    const [only, ...more] = this.summaryChunks;
    if (only === undefined) return '';
    const bytes = more.length === 0 ? only : Buffer.concat(this.summaryChunks);
    return summarise(bytes.toString('utf8', 0, Math.min(bytes.length, SUMMARY_BYTES)));
  }

  /** Settles without a response; nothing of the connection is kept. */
  private drop(failure: OutboundFailure): void {
    if (this.phase === 'settled') return;
    const error = { code: failure.code, message: failure.message };
    if (failure.outcome === 'fault') {
      this.settle({ kind: 'fault', error });
    } else {
      this.settle({
        kind: 'failed',
        outcome: failure.outcome,
        httpStatus: null,
        error,
        responseSummary: summarise(failure.details.received ?? ''),
        retryAfterMs: null,
        remoteAddress: this.connection.remoteAddress ?? failure.details.remoteAddress ?? null,
        durationMs: performance.now() - this.startedAtMs,
        connection: this.use,
      });
    }
    this.connection.destroy();
  }

  private settle(result: OutboundResult): void {
    clearTimeout(this.timer);
    this.phase = 'settled';
    this.settled(this, result);
  }
}

// When this process was busy as the timer fell due, the response may lie unread in the kernel: what one more
// turn of the event loop brings still counts.
function onTimer(attempt: OutboundAttempt): void {
  setImmediate(expireNow, attempt);
}

function expireNow(attempt: OutboundAttempt): void {
  attempt.expire();
}

/** UTF-8 where it is that, for receivers write it though HTTP says ISO 8859-1. */
function headerValue(bytes: Buffer | undefined): string {
  const text = latin1(bytes);
  return ASCII.test(text) || bytes === undefined || !isUtf8(bytes) ? text : bytes.toString('utf8');
}

function latin1(bytes: Buffer | undefined): string {
  return bytes?.toString('latin1') ?? '';
}
