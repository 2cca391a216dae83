import { Connection } from './connection.js';
import type { Dialer } from './dialer.js';
import type { Target } from './outbound-failure.js';

export interface ConnectionPoolOptions {
  /** Idle connections kept to one origin. */
  readonly maxIdlePerOrigin: number;
  /** Idle connections kept in all: the oldest makes room. */
  readonly maxIdle: number;
}

/**
 * Keeps connections alive between attempts. Connections in use are not limited here, for that is the worker's
 * concurrency; an attempt never queues for a connection, which would count our wait against its receiver.
 *
 * Ours instead of undici's `Agent`, because that cannot promise a *fresh* connection when a kept-alive one
 * dies, does not say which of the two a request got, and bounds idle sockets only together with those in use.
 * The most recently used is taken first, so that what a burst opened goes idle and closes.
 */
export class ConnectionPool {
  private readonly idleByOrigin = new Map<string, Connection[]>();
  /** The same connections, longest idle first. */
  private readonly idle = new Set<Connection>();

  constructor(
    private readonly dialer: Dialer,
    private readonly options: ConnectionPoolOptions,
  ) {}

  /** An idle connection, or one yet to be made. */
  acquire(url: URL): Connection {
    const { origin } = url;
    for (let idle = this.takeIdle(origin); idle !== undefined; idle = this.takeIdle(origin)) {
      if (idle.isReusable) return idle;
      idle.destroy();
    }
    return this.fresh(url);
  }

  /** A connection yet to be made. */
  fresh(url: URL): Connection {
    return new Connection(url.origin, targetOf(url), this.dialer, (connection) => this.forget(connection));
  }

  /** Takes a connection back whose response has been read to its end. */
  release(connection: Connection): void {
    const ofOrigin = this.idleByOrigin.get(connection.origin);
    if (!connection.isReusable || (ofOrigin?.length ?? 0) >= this.options.maxIdlePerOrigin) {
      connection.destroy();
      return;
    }
    if (ofOrigin === undefined) this.idleByOrigin.set(connection.origin, [connection]);
    else ofOrigin.push(connection);
    this.idle.add(connection);
    if (this.idle.size <= this.options.maxIdle) return;
    for (const oldest of this.idle) {
      this.forget(oldest);
      oldest.destroy();
      return;
    }
  }

  get idleCount(): number {
    return this.idle.size;
  }

  close(): void {
    for (const connection of this.idle) connection.destroy();
    this.idle.clear();
    this.idleByOrigin.clear();
  }

  private takeIdle(origin: string): Connection | undefined {
    const ofOrigin = this.idleByOrigin.get(origin);
    const latest = ofOrigin?.pop();
    if (ofOrigin?.length === 0) this.idleByOrigin.delete(origin);
    if (latest !== undefined) this.idle.delete(latest);
    return latest;
  }

  /** The socket of an idle connection closed; one in use is its attempt's business. */
  private forget(connection: Connection): void {
    if (!this.idle.delete(connection)) return;
    const ofOrigin = this.idleByOrigin.get(connection.origin) ?? [];
    const others = ofOrigin.filter((other) => other !== connection);
    if (others.length === 0) this.idleByOrigin.delete(connection.origin);
    else this.idleByOrigin.set(connection.origin, others);
  }
}

/** What a URL stands for once the parser has normalised it: decimal, octal, hex and full-width spellings are gone. */
export function targetOf(url: URL): Target {
  const tls = url.protocol === 'https:';
  const bracketed = url.hostname.startsWith('[');
  const hostname = bracketed ? url.hostname.slice(1, -1) : url.hostname;
  return { hostname, port: url.port === '' ? (tls ? 443 : 80) : Number(url.port), tls };
}
