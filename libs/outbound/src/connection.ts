import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import type { Dial, Dialer } from './dialer.js';
import type { Target } from './outbound-failure.js';
import { MAX_HEAD_BYTES, ResponseIntake } from './response-intake.js';

/** Shorter than the 5 s after which common servers close an idle connection. */
const IDLE_TIMEOUT_MS = 4 * SECOND_MS;
/** For receivers that promise more in `Keep-Alive: timeout=`. */
const IDLE_TIMEOUT_CAP_MS = 60 * SECOND_MS;
const IDLE_TIMEOUT_MARGIN_MS = 1 * SECOND_MS;
/** A busy connection is renewed now and then, so that a receiver that moves is followed. */
const MAX_AGE_MS = 5 * MINUTE_MS;

/**
 * One connection to one origin, serving one request at a time through an undici client of its own. undici
 * redials by itself when an idle socket turns out to be closed before the request is written.
 */
export class Connection {
  /** Null until connected. */
  remoteAddress: string | null = null;
  private readonly client: Client;
  private socket: Socket | null = null;
  private intake: ResponseIntake | null = null;
  private dial: Dial | null = null;
  private requestsOnSocket = 0;
  private connectedAtMs = 0;

  constructor(
    readonly origin: string,
    readonly target: Target,
    private readonly dialer: Dialer,
    onDisconnect: (connection: Connection) => void,
  ) {
    this.client = new Client(origin, {
      connect: (_options, callback) => this.connect(callback),
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: IDLE_TIMEOUT_CAP_MS,
      keepAliveTimeoutThreshold: IDLE_TIMEOUT_MARGIN_MS,
      // Each attempt has one precise timer of its own; undici's tick is half a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => onDisconnect(this));
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** To be called as the request is written. Says whether the socket has served one before. */
  beginRequest(): { reused: boolean } {
    this.intake?.expectResponse();
    return { reused: this.requestsOnSocket++ > 0 };
  }

  /** To be called when the final headers have come: what follows is counted as a body. */
  beginBody(): void {
    this.intake?.expectBody();
  }

  /** To be called with each piece of the body. */
  bodyRead(bytes: number): void {
    this.intake?.bodyRead(bytes);
  }

  get dialStage(): Dial['stage'] {
    return this.dial?.stage ?? 'connecting';
  }

  get responseHasBegun(): boolean {
    return this.intake?.hasBegun ?? false;
  }

  /** Bytes of the request wait in this process because the receiver does not read. */
  get isCongested(): boolean {
    return this.socket?.writableNeedDrain ?? false;
  }

  onceDrained(callback: () => void): void {
    this.socket?.once('drain', callback);
  }

  get isReusable(): boolean {
    return this.socket?.destroyed === false && performance.now() - this.connectedAtMs < MAX_AGE_MS;
  }

  /** Ends whatever it does: dialling, a request, idling. */
  destroy(): void {
    this.dial?.abort();
    this.client.destroy(null, () => {});
  }

  private connect(callback: (...result: [null, Socket] | [Error, null]) => void): void {
    this.dial = this.dialer.dial(this.target, (failure, dialled) => {
      this.dial = null;
      if (dialled === null) return callback(failure ?? new Error('no connection'), null);
      this.socket = dialled.socket;
      this.remoteAddress = dialled.remoteAddress;
      this.intake = new ResponseIntake(dialled.socket);
      this.requestsOnSocket = 0;
      this.connectedAtMs = performance.now();
      callback(null, dialled.socket);
    });
  }
}
