import { connect, type Socket } from 'node:net';
import type { AddressError } from './outbound-failure.js';

/** The next address is tried when the one before has not connected after this long (RFC 8305). */
const STAGGER_MS = 250;
const TCP_KEEP_ALIVE_AFTER_MS = 60_000;

interface Outcome {
  connected(socket: Socket, address: string): void;
  failed(tried: readonly AddressError[]): void;
}

/**
 * Connects to the first of several checked addresses that answers, each dialled as the literal that was
 * checked. Node's own `autoSelectFamily` gives an address up when its turn is over; here it stays in the race,
 * so that one slow address is not lost to a dead one behind it.
 */
export class TcpRace {
  private readonly running = new Set<Socket>();
  private readonly errors: AddressError[] = [];
  private nextIndex = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly addresses: readonly string[],
    private readonly port: number,
    private readonly outcome: Outcome,
  ) {
    this.dialNext();
  }

  /** Ends every try; neither outcome is told. */
  abort(): void {
    clearTimeout(this.timer);
    for (const socket of this.running) socket.destroy();
    this.running.clear();
  }

  private dialNext(): void {
    clearTimeout(this.timer);
    const address = this.addresses[this.nextIndex++];
    if (address === undefined) {
      if (this.running.size === 0) this.outcome.failed(this.errors);
      return;
    }
    const socket = connect({
      host: address,
      port: this.port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_AFTER_MS,
    });
    this.running.add(socket);
    const onError = (error: Error) => {
      // A socket that lost the race may still report an error after it was destroyed.
      if (!this.running.delete(socket)) return;
      this.errors.push({ address, error });
      this.dialNext();
    };
    socket.on('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      this.running.delete(socket);
      this.abort();
      this.outcome.connected(socket, address);
    });
    if (this.nextIndex < this.addresses.length) {
      this.timer = setTimeout(() => this.dialNext(), STAGGER_MS);
    }
  }
}
