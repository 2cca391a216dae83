import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/**
 * The machine's own name table, which c-ares does not read. Looked at on every question, for one `stat` is
 * cheaper than a stale answer, and read again only when it has changed. A missing file is an empty one.
 */
export class HostsFile {
  private version = '';
  private addressesByName: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(private readonly path = '/etc/hosts') {}

  /** In the order of the file; empty when the name is not in it. `name` is lower case. */
  addressesOf(name: string): readonly string[] {
    this.refresh();
    return this.addressesByName.get(name) ?? [];
  }

  private refresh(): void {
    try {
      const stat = statSync(this.path, { throwIfNoEntry: false });
      const version = stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
      if (version === this.version) return;
      this.addressesByName = stat === undefined ? new Map() : parseHosts(readFileSync(this.path, 'utf8'));
      this.version = version;
    } catch {
      // Unreadable for the moment (being replaced, no permission): what was read last still holds.
    }
  }
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addressesByName = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const addresses = addressesByName.get(key);
      if (addresses === undefined) addressesByName.set(key, [address]);
      else if (!addresses.includes(address)) addresses.push(address);
    }
  }
  return addressesByName;
}
