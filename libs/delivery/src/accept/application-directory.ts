import { type ApplicationSettings, resolvePolicy } from '#contracts/delivery-policy.js';
import type { Contract } from '#contracts/contract.js';
import { contractNamed } from '#contracts/registry.js';
import { SECOND_MS } from '#domain/durations.js';
import type { Clock } from '#domain/clock.js';
import type { DeliveryPolicy } from '#domain/retry-policy.js';
import type { Queryable } from '#storage/database.js';
import { findApplicationFacts } from '#storage/sql/application-facts.js';

export interface KnownApplication {
  readonly id: string;
  readonly environment: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly contract: Contract;
  readonly policy: DeliveryPolicy;
  /** About how many deliveries an event becomes: what a batch is weighed by. */
  readonly endpointCount: number;
  /** Which version of the application this is, as epoch milliseconds. */
  readonly updatedAtMs: number;
}

/** How long an entry is believed at most; only the weights that its endpoints give a batch age so far. */
const FRESH_MS = 30 * SECOND_MS;
const MAX_ENTRIES = 10_000;

/**
 * Applications as acceptance sees them, remembered until the accept statement meets another version. What must
 * never be stale is not here: whether the application still exists and which endpoints it has are read by that
 * statement, secrets by the attempt. Contract and attributes never change; a changed `firstAttemptDelay` counts
 * from the batch after the first that met it. An application that is not found is looked up again each time.
 */
export class ApplicationDirectory {
  private readonly entries = new Map<
    string,
    { found: Promise<KnownApplication | undefined>; freshUntil: number }
  >();

  constructor(
    private readonly database: Queryable,
    private readonly clock: Clock,
  ) {}

  find(id: string): Promise<KnownApplication | undefined> {
    const now = this.clock.monotonicMs();
    const entry = this.entries.get(id);
    if (entry && entry.freshUntil > now) return entry.found;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    const found = this.load(id);
    this.entries.set(id, { found, freshUntil: now + FRESH_MS });
    return found;
  }

  forget(id: string): void {
    this.entries.delete(id);
  }

  /** Forgets an application that is not as it was when an event was built for it. */
  forgetIfOutdated(built: KnownApplication, updatedAtMs: number): void {
    if (built.updatedAtMs !== updatedAtMs) this.entries.delete(built.id);
  }

  private async load(id: string): Promise<KnownApplication | undefined> {
    try {
      const [facts] = await findApplicationFacts(this.database, [id]);
      if (!facts) {
        this.entries.delete(id);
        return undefined;
      }
      const contract = contractNamed(facts.contract);
      const policy = resolvePolicy(contract, JSON.parse(facts.settings) as ApplicationSettings);
      const { environment, attributes, endpointCount, updatedAtMs } = facts;
      return { id, environment, attributes, contract, policy, endpointCount, updatedAtMs };
    } catch (error) {
      this.entries.delete(id);
      throw error;
    }
  }
}
