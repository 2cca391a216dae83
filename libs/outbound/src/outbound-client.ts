import { AddressGuard } from './address-guard.js';
import { ConnectionPool, targetOf } from './connection-pool.js';
import { descriptorLimit } from './descriptor-limit.js';
import { DestinationCheck } from './destination-check.js';
import { Dialer } from './dialer.js';
import { NameResolver, type NameResolverOptions } from './name-resolver.js';
import { OutboundAttempt } from './outbound-attempt.js';
import type { OutboundRequest, OutboundResult } from './outbound-result.js';

export interface OutboundClientOptions {
  /** `ALLOW_PRIVATE_CIDRS`: ranges that the address guard lets through. */
  readonly allowPrivateCidrs: readonly string[];
  readonly resolver?: NameResolverOptions;
  /** Idle connections kept to one origin; those in use are bounded by who calls `post`. */
  readonly maxIdleConnectionsPerOrigin?: number;
  /** Idle connections kept in all. */
  readonly maxIdleConnections?: number;
}

/** What registration makes of a URL. `unresolved` is registered with the message as a warning (TF-03). */
export interface DestinationReport {
  readonly verdict: 'allowed' | 'forbidden' | 'unresolved';
  /** The first address that would be dialled, or the one that forbids it. */
  readonly address?: string;
  readonly message?: string;
}

const MAX_IDLE_CONNECTIONS_PER_ORIGIN = 128;
const MAX_IDLE_CONNECTIONS = 1_024;
/** Of the descriptors that this process may have. The others are for connections in use, the database and clients. */
const IDLE_SHARE_OF_DESCRIPTORS = 0.25;

/**
 * Makes the POSTs of a worker. Holds kept-alive connections: one per process, closed at its end.
 *
 * Every connection goes to an address that {@link AddressGuard} let pass a moment before, so that a name that
 * changes its mind (rebinding) changes nothing. Redirects are not followed, nothing is decompressed.
 */
export class OutboundClient {
  private readonly resolver: NameResolver;
  private readonly destinations: DestinationCheck;
  private readonly pool: ConnectionPool;
  private readonly inFlight = new Set<OutboundAttempt>();
  private readonly watchedSignals = new WeakSet<AbortSignal>();
  private closed = false;

  /** @throws RangeError when `allowPrivateCidrs` holds something else than CIDRs */
  constructor(options: OutboundClientOptions) {
    this.resolver = new NameResolver(options.resolver);
    this.destinations = new DestinationCheck(new AddressGuard(options.allowPrivateCidrs), this.resolver);
    this.pool = new ConnectionPool(new Dialer(this.destinations), {
      maxIdlePerOrigin: options.maxIdleConnectionsPerOrigin ?? MAX_IDLE_CONNECTIONS_PER_ORIGIN,
      maxIdle:
        options.maxIdleConnections ??
        Math.min(MAX_IDLE_CONNECTIONS, Math.floor(descriptorLimit() * IDLE_SHARE_OF_DESCRIPTORS)),
    });
  }

  /** Never rejects: whatever the receiver does is in the result. */
  post(request: OutboundRequest): Promise<OutboundResult> {
    const url = URL.parse(request.url);
    if (url === null || !isHttp(url)) {
      return fault('INVALID_URL', 'The URL of the endpoint is not an http or https URL. Register it anew.');
    }
    if (this.closed || request.signal?.aborted === true) {
      return fault('ABORTED', 'The attempt was not begun, for this process is shutting down.');
    }
    if (request.signal !== undefined) this.watch(request.signal);
    return new Promise((resolve) => {
      const attempt = new OutboundAttempt(request, url, this.pool, (done, result) => {
        this.inFlight.delete(done);
        resolve(result);
      });
      this.inFlight.add(attempt);
      attempt.start();
    });
  }

  /** The same judgement as before each dial. A URL that is none is `forbidden`. Never rejects. */
  async checkDestination(text: string): Promise<DestinationReport> {
    const url = URL.parse(text);
    if (url === null || !isHttp(url)) {
      return { verdict: 'forbidden', message: 'This is not an http or https URL.' };
    }
    const { hostname } = targetOf(url);
    const verdict = await this.destinations.check(hostname);
    switch (verdict.kind) {
      case 'allowed':
        return {
          verdict: 'allowed',
          ...(verdict.addresses[0] !== undefined && { address: verdict.addresses[0] }),
        };
      case 'forbidden':
        return { verdict: 'forbidden', address: verdict.address, message: verdict.message };
      case 'unresolved':
        return { verdict: 'unresolved', message: verdict.message };
      case 'fault':
        // What is wrong here, and which name servers this machine asks, is not for those who register URLs.
        return { verdict: 'unresolved', message: `The name ${hostname} could not be looked up just now.` };
    }
  }

  /** For metrics: attempts that run, and connections that wait for one. */
  get stats(): { inFlight: number; idleConnections: number } {
    return { inFlight: this.inFlight.size, idleConnections: this.pool.idleCount };
  }

  /** Breaks off what still runs (each attempt ends as a fault, uncounted) and drops every connection. */
  close(): Promise<void> {
    this.closed = true;
    for (const attempt of this.inFlight) attempt.abort();
    this.pool.close();
    this.resolver.close();
    return Promise.resolve();
  }

  // One listener per signal, not per attempt: hundreds of attempts share the worker's.
  private watch(signal: AbortSignal): void {
    if (this.watchedSignals.has(signal)) return;
    this.watchedSignals.add(signal);
    const abortThose = () => {
      for (const attempt of this.inFlight) {
        if (attempt.request.signal === signal) attempt.abort();
      }
    };
    signal.addEventListener('abort', abortThose, { once: true });
  }
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function fault(code: string, message: string): Promise<OutboundResult> {
  return Promise.resolve({ kind: 'fault', error: { code, message } });
}
