import { promises as dns } from 'node:dns';
import { SECOND_MS } from '#domain/durations.js';
import { HostsFile } from './hosts-file.js';

/** What a host name stands for. `unresolved` is the name's fault, `fault` is our resolver's. */
export type Resolution =
  | {
      readonly kind: 'resolved';
      readonly addresses: readonly string[];
      readonly source: 'localhost' | 'hosts-file' | 'dns';
    }
  | { readonly kind: 'unresolved' | 'fault'; readonly code: string; readonly message: string };

export interface NameResolverOptions {
  /** `DNS_SERVERS`: addresses of the name servers, with or without a port. Null or absent: those of the system. */
  readonly dnsServers?: readonly string[] | null;
  readonly hostsFile?: string;
}

// One name server that does not answer is asked three times, two of them twice, within the whole lookup's time,
// which in turn lies within the connect deadline (5 s), so that the attempt can say what it waited for.
const QUERY_TIMEOUT_MS = 1 * SECOND_MS;
const QUERY_TRIES = 3;
const QUERY_TIMEOUT_CAP_MS = 2 * SECOND_MS;
const LOOKUP_TIMEOUT_MS = 4.5 * SECOND_MS;
// Some name servers drop AAAA questions: once one family is here, the other is not waited out.
const OTHER_FAMILY_GRACE_MS = 300;

// Each is judged before every dial and kept with its name, and a zone may list thousands.
const MAX_ADDRESSES_OF_A_NAME = 100;

const CACHE_MAX_NAMES = 10_000;
const CACHE_MAX_TTL_SECONDS = 30;

/** So many different names without an answer, and none answered in between, are the resolver's fault. */
const SILENT_NAMES_UNTIL_FAULT = 3;
const RENEWAL_INTERVAL_MS = 5 * SECOND_MS;

// What c-ares reports when a name server answered that there is nothing: the resolver itself works.
const NEGATIVE_ANSWERS: ReadonlySet<string> = new Set([dns.NOTFOUND, dns.NODATA]);
// What it reports before a name server had a chance to answer, whatever the name.
const NEVER_THE_NAMES_FAULT: ReadonlySet<string> = new Set([
  dns.CONNREFUSED,
  dns.NOTINITIALIZED,
  dns.NOMEM,
  dns.FILE,
  dns.CANCELLED,
]);

interface FamilyAnswer {
  readonly records: readonly { readonly address: string; readonly ttl: number }[];
  /** c-ares's code, null when there are records. */
  readonly code: string | null;
}

/**
 * Names to addresses without the thread pool: `dns.lookup` shares four threads with the file system, so that
 * two dead name servers would stall every attempt. c-ares knows neither `localhost` nor the hosts file, which
 * therefore come first. Never rejects.
 */
export class NameResolver {
  private readonly hostsFile: HostsFile;
  private readonly dnsServers: readonly string[] | null;
  private readonly cache = new Map<string, { addresses: readonly string[]; expiresAtMs: number }>();
  private readonly inFlight = new Map<string, Promise<Resolution>>();
  private resolver: dns.Resolver;
  private renewedAtMs = -Infinity;
  /** Names that no name server answered for since the last answer of any kind. */
  private readonly silentNames = new Set<string>();
  private lastGoodName: string | null = null;

  constructor(options: NameResolverOptions = {}) {
    this.hostsFile = new HostsFile(options.hostsFile);
    this.dnsServers = options.dnsServers ?? null;
    this.resolver = this.newResolver();
  }

  /** @param hostname as the URL parser leaves it: ASCII, lower case, no brackets, not an address */
  async resolve(hostname: string): Promise<Resolution> {
    const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
    if (name === 'localhost' || name.endsWith('.localhost')) {
      return { kind: 'resolved', addresses: ['127.0.0.1', '::1'], source: 'localhost' };
    }
    const fromHostsFile = this.hostsFile.addressesOf(name);
    if (fromHostsFile.length > 0) {
      return { kind: 'resolved', addresses: fromHostsFile, source: 'hosts-file' };
    }
    const cached = this.cache.get(name);
    if (cached !== undefined && cached.expiresAtMs > performance.now()) {
      return { kind: 'resolved', addresses: cached.addresses, source: 'dns' };
    }
    const running = this.inFlight.get(name);
    if (running !== undefined) return running;
    const lookup = this.lookUp(name).finally(() => this.inFlight.delete(name));
    this.inFlight.set(name, lookup);
    return lookup;
  }

  /** Ends the lookups that run; they come back as faults. */
  close(): void {
    this.resolver.cancel();
  }

  private async lookUp(name: string): Promise<Resolution> {
    const answers = await this.askBothFamilies(name);
    const records = answers.flatMap((answer) => answer.records);
    if (records.length > MAX_ADDRESSES_OF_A_NAME) {
      return {
        kind: 'unresolved',
        code: 'DNS_TOO_MANY_ADDRESSES',
        message:
          `The name ${name} has ${records.length} addresses. A receiver may have ${MAX_ADDRESSES_OF_A_NAME}. ` +
          'Check its A and AAAA records.',
      };
    }
    if (records.length > 0) {
      const addresses = records.map((record) => record.address);
      this.remember(name, addresses, Math.min(...records.map((record) => record.ttl)));
      return { kind: 'resolved', addresses, source: 'dns' };
    }
    return this.whyNot(name, answers);
  }

  private askBothFamilies(name: string): Promise<readonly FamilyAnswer[]> {
    return new Promise((resolve) => {
      const answers: FamilyAnswer[] = [];
      const finish = () => {
        clearTimeout(timer);
        resolve(answers);
      };
      let timer = setTimeout(finish, LOOKUP_TIMEOUT_MS);
      const take = (answer: FamilyAnswer) => {
        answers.push(answer);
        if (answers.length === 2) return finish();
        if (answer.records.length === 0) return;
        clearTimeout(timer);
        timer = setTimeout(finish, OTHER_FAMILY_GRACE_MS);
      };
      void this.ask(name, 4).then(take);
      void this.ask(name, 6).then(take);
    });
  }

  private async ask(name: string, family: 4 | 6): Promise<FamilyAnswer> {
    try {
      const records = await (family === 4
        ? this.resolver.resolve4(name, { ttl: true })
        : this.resolver.resolve6(name, { ttl: true }));
      this.silentNames.clear();
      this.lastGoodName = name;
      return { records, code: null };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
      if (NEGATIVE_ANSWERS.has(code)) this.silentNames.clear();
      return { records: [], code };
    }
  }

  private whyNot(name: string, answers: readonly FamilyAnswer[]): Resolution {
    const codes = answers.map((answer) => answer.code);
    if (codes.length === 2 && codes.every((code) => code !== null && NEGATIVE_ANSWERS.has(code))) {
      return {
        kind: 'unresolved',
        code: 'DNS_NOT_FOUND',
        message: `The name ${name} has no address. Check its spelling and its A or AAAA record.`,
      };
    }
    const never = codes.find((code) => code !== null && NEVER_THE_NAMES_FAULT.has(code));
    if (never !== undefined || this.isSilentForEveryName(name, codes)) {
      this.renew();
      return {
        kind: 'fault',
        code: 'DNS_UNAVAILABLE',
        message:
          `The name servers of this machine answer for no name (last asked: ${name}, ` +
          `${never ?? codes[0] ?? 'no answer'}). Check the setting DNS_SERVERS or, without it, those of the system.`,
      };
    }
    if (codes.length < 2 || codes.includes(dns.TIMEOUT)) {
      return {
        kind: 'unresolved',
        code: 'DNS_TIMEOUT',
        message: `No name server answered for ${name} in time. Check the name servers of its zone.`,
      };
    }
    return {
      kind: 'unresolved',
      code: 'DNS_FAILED',
      message: `The name ${name} could not be resolved (${codes.join(', ')}). Check the zone it belongs to.`,
    };
  }

  private isSilentForEveryName(name: string, codes: readonly (string | null)[]): boolean {
    if (codes.some((code) => code !== null && NEGATIVE_ANSWERS.has(code))) return false;
    this.silentNames.add(name);
    if (this.silentNames.size < SILENT_NAMES_UNTIL_FAULT) return false;
    // Three broken zones in a quiet hour look the same as a dead resolver. A name that resolved before tells
    // them apart: its answer clears the count, so that the next failure is the name's own again.
    if (this.lastGoodName !== null) void this.ask(this.lastGoodName, 4);
    return true;
  }

  private remember(name: string, addresses: readonly string[], ttlSeconds: number): void {
    this.cache.delete(name);
    if (ttlSeconds <= 0) return;
    const oldest = this.cache.size >= CACHE_MAX_NAMES ? this.cache.keys().next() : undefined;
    if (oldest?.done === false) this.cache.delete(oldest.value);
    const lifetimeMs = Math.min(ttlSeconds, CACHE_MAX_TTL_SECONDS) * SECOND_MS;
    this.cache.set(name, { addresses, expiresAtMs: performance.now() + lifetimeMs });
  }

  private newResolver(): dns.Resolver {
    const resolver = new dns.Resolver({
      timeout: QUERY_TIMEOUT_MS,
      tries: QUERY_TRIES,
      maxTimeout: QUERY_TIMEOUT_CAP_MS,
    });
    if (this.dnsServers !== null) resolver.setServers(this.dnsServers);
    return resolver;
  }

  /** c-ares reads the machine's settings once: when it fails, they may have changed since. */
  private renew(): void {
    if (performance.now() - this.renewedAtMs < RENEWAL_INTERVAL_MS) return;
    this.renewedAtMs = performance.now();
    this.resolver = this.newResolver();
  }
}
