import { isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { DestinationCheck } from './destination-check.js';
import { OutboundFailure, connectFailure, tlsFailure, type Target } from './outbound-failure.js';
import { TcpRace } from './tcp-race.js';

/** A connection to an address that was checked, ready for HTTP/1.1. */
export interface Dialled {
  readonly socket: Socket;
  readonly remoteAddress: string;
}

const MAX_TLS_SESSIONS = 1_000;

/** Makes connections: resolve, check, connect, and for https the handshake. */
export class Dialer {
  // Made once, for each would load the certificate authorities anew.
  private secureContext: SecureContext | undefined;
  private readonly tlsSessions = new Map<string, Buffer>();

  constructor(private readonly destinations: DestinationCheck) {}

  /** Calls back exactly once unless the dial is aborted before. */
  dial(target: Target, callback: (failure: OutboundFailure | null, dialled: Dialled | null) => void): Dial {
    return new Dial(target, this.destinations, this, callback);
  }

  /** Certificates are verified whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
  startTls(target: Target, socket: Socket): ReturnType<typeof connectTls> {
    this.secureContext ??= createSecureContext();
    const key = `${target.hostname}:${target.port}`;
    const session = this.tlsSessions.get(key);
    const name = target.hostname.endsWith('.') ? target.hostname.slice(0, -1) : target.hostname;
    const secure = connectTls({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
      secureContext: this.secureContext,
      ...(session !== undefined && { session }),
    });
    return secure.on('session', (fresh: Buffer) => this.rememberSession(key, fresh));
  }

  private rememberSession(key: string, session: Buffer): void {
    this.tlsSessions.delete(key);
    const oldest = this.tlsSessions.size >= MAX_TLS_SESSIONS ? this.tlsSessions.keys().next() : undefined;
    if (oldest?.done === false) this.tlsSessions.delete(oldest.value);
    this.tlsSessions.set(key, session);
  }
}

/** One connection in the making. */
export class Dial {
  /** What it waits for, as the message of a timeout says it. */
  stage: 'resolving' | 'connecting' | 'securing' = 'resolving';
  private race: TcpRace | undefined;
  private socket: Socket | undefined;
  private ended = false;

  constructor(
    private readonly target: Target,
    destinations: DestinationCheck,
    private readonly dialer: Dialer,
    private readonly callback: (failure: OutboundFailure | null, dialled: Dialled | null) => void,
  ) {
    void destinations.check(target.hostname).then((verdict) => {
      if (this.ended) return;
      if (verdict.kind === 'allowed') return this.connect(verdict.addresses);
      const { kind, message } = verdict;
      if (kind === 'forbidden')
        return this.end(new OutboundFailure('address_forbidden', 'ADDRESS_FORBIDDEN', message));
      this.end(new OutboundFailure(kind === 'fault' ? 'fault' : 'dns', verdict.code, message));
    });
  }

  abort(): void {
    this.ended = true;
    this.race?.abort();
    this.socket?.destroy();
  }

  private connect(addresses: readonly string[]): void {
    this.stage = 'connecting';
    this.race = new TcpRace(addresses, this.target.port, {
      connected: (socket, address) => {
        if (this.target.tls) this.secure(socket, address);
        else this.end(null, { socket, remoteAddress: address });
      },
      failed: (tried) => this.end(connectFailure(this.target, tried)),
    });
  }

  private secure(plain: Socket, address: string): void {
    this.stage = 'securing';
    const socket = this.dialer.startTls(this.target, plain);
    this.socket = socket;
    const onError = (error: Error) => this.end(tlsFailure(this.target, address, error));
    socket.on('error', onError);
    socket.once('secureConnect', () => {
      socket.off('error', onError);
      this.end(null, { socket, remoteAddress: address });
    });
  }

  private end(failure: OutboundFailure | null, dialled: Dialled | null = null): void {
    if (this.ended) return;
    this.ended = true;
    this.callback(failure, dialled);
  }
}
