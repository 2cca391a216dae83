import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [base: Address, prefixLength: number];

/** Why an address is not dialled. */
export interface AddressRefusal {
  readonly address: string;
  /** For people: `loopback`, `private`, `IPv4-mapped form of 127.0.0.1, loopback`. */
  readonly addressClass: string;
}

/**
 * Decides which IP addresses may be dialled (TF-03): no special-purpose address of the IANA registries,
 * except inside `ALLOW_PRIVATE_CIDRS`. The classes come from ipaddr.js; what it leaves open fails closed: IPv6
 * outside 2000::/3 is refused, and a form that carries an IPv4 address is judged by the address it carries,
 * for that is where a translator or tunnel would take the packets.
 */
export class AddressGuard {
  private readonly allowed: readonly Cidr[];

  /** @throws RangeError naming the entry that is not a CIDR or an address */
  constructor(allowPrivateCidrs: readonly string[]) {
    this.allowed = allowPrivateCidrs.map(parseCidr);
  }

  /** Null when the address may be dialled. Text that is no IP address is refused. */
  refusalOf(text: string): AddressRefusal | null {
    if (isIP(text) === 0) return { address: text, addressClass: 'not an IP address' };
    const addressClass = this.forbiddenClass(ipaddr.parse(text));
    return addressClass === null ? null : { address: text, addressClass };
  }

  private forbiddenClass(address: Address): string | null {
    if (this.allowed.some((cidr) => contains(cidr, address))) return null;
    if (address instanceof ipaddr.IPv4) return forbiddenIPv4Class(address);
    const carrier = carriedIPv4(address);
    if (carrier === null) return forbiddenIPv6Class(address);
    for (const carried of carrier.addresses) {
      const carriedClass = this.forbiddenClass(carried);
      if (carriedClass !== null) return `${carrier.form} form of ${carried.toString()}, ${carriedClass}`;
    }
    return null;
  }
}

/** ipaddr.js's names for ranges, in the words people use. `unicast` is the one range that is allowed. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  unspecified: 'this network',
  broadcast: 'broadcast',
  multicast: 'multicast',
  linkLocal: 'link-local',
  loopback: 'loopback',
  carrierGradeNat: 'carrier-grade NAT',
  private: 'private',
  uniqueLocal: 'unique local',
  deprecatedSiteLocal: 'site-local',
  discard: 'discard-only',
  benchmarking: 'benchmarking',
};

// The host's own agent in every Azure machine: a global address by registry, a local one in fact.
const AZURE_HOST_AGENT = '168.63.129.16';
const GLOBAL_UNICAST_IPV6: Cidr = [ipaddr.IPv6.parse('2000::'), 3];
// The prefix lengths in use inside the local-use block place the IPv4 address at different bits (RFC 8215), so
// it cannot be judged by what it carries.
const LOCAL_USE_NAT64: Cidr = [ipaddr.IPv6.parse('64:ff9b:1::'), 48];
const IPV4_COMPATIBLE: Cidr = [ipaddr.IPv6.parse('::'), 96];

function forbiddenIPv4Class(address: ipaddr.IPv4): string | null {
  const range = address.range();
  if (range !== 'unicast') return CLASS_NAMES[range] ?? 'reserved';
  return address.toString() === AZURE_HOST_AGENT ? 'cloud host agent' : null;
}

function forbiddenIPv6Class(address: ipaddr.IPv6): string | null {
  if (contains(LOCAL_USE_NAT64, address)) return 'local-use NAT64';
  const range = address.range();
  if (range !== 'unicast') return CLASS_NAMES[range] ?? 'reserved';
  return contains(GLOBAL_UNICAST_IPV6, address) ? null : 'unallocated';
}

/** The IPv4 addresses inside an IPv6 address, or null when it is not a form that carries one. */
function carriedIPv4(address: ipaddr.IPv6): { form: string; addresses: ipaddr.IPv4[] } | null {
  const parts = address.parts;
  const at = (index: number, mask = 0) => ipv4Of((parts[index] ?? 0) ^ mask, (parts[index + 1] ?? 0) ^ mask);
  switch (address.range()) {
    case 'ipv4Mapped':
      return { form: 'IPv4-mapped', addresses: [at(6)] };
    case 'rfc6145':
      return { form: 'SIIT', addresses: [at(6)] };
    case 'rfc6052':
      return contains(LOCAL_USE_NAT64, address) ? null : { form: 'NAT64', addresses: [at(6)] };
    case '6to4':
      return { form: '6to4', addresses: [at(1)] };
    case 'teredo':
      // Packets pass the server (bits 32 to 63) and reach the client (the last 32, inverted): both must be fit.
      return { form: 'Teredo', addresses: [at(6, 0xffff), at(2)] };
    case 'unicast':
      if (contains(IPV4_COMPATIBLE, address)) return { form: 'IPv4-compatible', addresses: [at(6)] };
      if (isIsatap(parts)) return { form: 'ISATAP', addresses: [at(6)] };
      return null;
    default:
      return null;
  }
}

/** The interface identifier `::0:5efe:a.b.c.d` or `::200:5efe:a.b.c.d` under any prefix (RFC 5214). */
function isIsatap(parts: readonly number[]): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

function ipv4Of(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function contains([base, prefixLength]: Cidr, address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, prefixLength);
  return base instanceof ipaddr.IPv6 && address.match(base, prefixLength);
}

/** Strict where ipaddr.js is not: it would read `10/8` as 0.0.0.10/8 and leave the rest of 10.0.0.0/8 shut. */
function parseCidr(text: string): Cidr {
  const [base = '', prefix, ...rest] = text.trim().split('/');
  const family = isIP(base);
  const maxLength = family === 4 ? 32 : 128;
  const prefixLength = prefix === undefined ? maxLength : Number(prefix);
  const wellFormed = family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix ?? '0');
  if (!wellFormed || prefixLength > maxLength) {
    throw new RangeError(
      `ALLOW_PRIVATE_CIDRS holds "${text}", which is not a CIDR. Write it like 10.0.0.0/8 or fd00::/8.`,
    );
  }
  return [ipaddr.parse(base), prefixLength];
}
