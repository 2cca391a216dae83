import { isIP } from 'node:net';
import type { AddressGuard, AddressRefusal } from './address-guard.js';
import type { NameResolver } from './name-resolver.js';

/** What may be dialled for a host, or why nothing may. */
export type DestinationVerdict =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'forbidden'; readonly address: string; readonly message: string }
  | { readonly kind: 'unresolved' | 'fault'; readonly code: string; readonly message: string };

// A name may list hundreds of addresses; a connect deadline has time for a few.
const MAX_ADDRESSES = 8;

/** The one judgement over a host, asked when an endpoint is registered and again before every dial (TF-03). */
export class DestinationCheck {
  constructor(
    private readonly guard: AddressGuard,
    private readonly resolver: NameResolver,
  ) {}

  /** @param hostname as `URL.hostname` gives it, without brackets. Never rejects. */
  async check(hostname: string): Promise<DestinationVerdict> {
    if (isIP(hostname) !== 0) {
      const refusal = this.guard.refusalOf(hostname);
      return refusal === null ? { kind: 'allowed', addresses: [hostname] } : forbidden(hostname, refusal);
    }
    const resolution = await this.resolver.resolve(hostname);
    if (resolution.kind !== 'resolved') return resolution;
    const refusals = resolution.addresses.map((address) => this.guard.refusalOf(address));
    const refusal = refusals.find((candidate) => candidate !== null);
    if (refusal === undefined) {
      return { kind: 'allowed', addresses: bothFamiliesInTurn(resolution.addresses).slice(0, MAX_ADDRESSES) };
    }
    // One forbidden address among the answers of others refuses them all. The two of `localhost` are ours:
    // whoever allows 127.0.0.0/8 alone means the first.
    const fit = resolution.addresses.filter((_, index) => refusals[index] === null);
    if (resolution.source === 'localhost' && fit.length > 0) return { kind: 'allowed', addresses: fit };
    return forbidden(hostname, refusal);
  }
}

function forbidden(hostname: string, refusal: AddressRefusal): DestinationVerdict {
  const what =
    hostname === refusal.address
      ? `The address ${hostname}`
      : `${hostname} stands for ${refusal.address}, which`;
  return {
    kind: 'forbidden',
    address: refusal.address,
    message:
      `${what} is not to be dialled (${refusal.addressClass}). ` +
      'If it is meant, add its range to the setting ALLOW_PRIVATE_CIDRS.',
  };
}

/** IPv4 first, then turn by turn, so that a family that leads nowhere costs one try. */
function bothFamiliesInTurn(addresses: readonly string[]): readonly string[] {
  const ipv4 = addresses.filter((address) => isIP(address) === 4);
  const ipv6 = addresses.filter((address) => isIP(address) !== 4);
  const turns = Math.max(ipv4.length, ipv6.length);
  return Array.from({ length: turns }, (_, turn) => [ipv4[turn], ipv6[turn]])
    .flat()
    .filter((address) => address !== undefined);
}
