import { hash, timingSafeEqual } from 'node:crypto';
import { SECOND_MS } from '#domain/durations.js';
import { DomainError } from '#domain/errors.js';
import type { Principal } from '#domain/principal.js';
import type { ApiKey, ApiKeyRepository } from '#storage/api-key.repository.js';

/** How long another process may go on accepting a key that was deleted here. */
const KNOWN_KEY_MS = 5 * SECOND_MS;
/** How long a key made elsewhere may stay unknown here after somebody tried it. */
const UNKNOWN_KEY_MS = SECOND_MS;
/** Keys remembered at most. Beyond it the oldest is forgotten: unknown ones cost callers nothing to invent. */
const MAX_REMEMBERED = 10_000;

/** Who calls, and how often they may. */
export interface KnownKey {
  readonly principal: Principal;
  /** Requests; null for no limit. */
  readonly rateLimitPerSecond: number | null;
}

/** Whoever has it could lift every limit, and needs it when others are in trouble. */
const BOOTSTRAP_KEY: KnownKey = {
  principal: { id: 'bootstrap', name: 'ADMIN_KEY', role: 'admin', applications: null },
  rateLimitPerSecond: null,
};

interface Remembered {
  /** Null for a key that is not known. */
  readonly key: (KnownKey & { readonly expiresAtMs: number }) | null;
  readonly untilMs: number;
}

/** Tells who calls from the `Authorization` header. Most requests are answered from memory, without waiting. */
export class ApiKeyAuthenticator {
  private readonly remembered = new Map<string, Remembered>();
  private readonly lookups = new Map<string, Promise<Remembered>>();
  private readonly bootstrapDigest: Buffer | null;

  /**
   * @param bootstrapKey the key of ADMIN_KEY, which stands in no table
   * @param defaultRateLimitPerSecond of keys that have none of their own; null for no limit
   * @param now epoch milliseconds
   */
  constructor(
    private readonly repository: Pick<ApiKeyRepository, 'findByDigest'>,
    bootstrapKey: string | null,
    private readonly defaultRateLimitPerSecond: number | null,
    private readonly now: () => number = Date.now,
  ) {
    this.bootstrapDigest = bootstrapKey === null ? null : digestOf(bootstrapKey);
  }

  /** @throws DomainError UNAUTHENTICATED, or what the database threw */
  authenticate(authorization: string | undefined): KnownKey | Promise<KnownKey> {
    const name = hash('sha256', bearerKey(authorization), 'base64');
    const remembered = this.remembered.get(name);
    if (remembered !== undefined && this.now() < remembered.untilMs) return this.accepted(remembered);
    const digest = Buffer.from(name, 'base64');
    if (this.bootstrapDigest !== null && timingSafeEqual(digest, this.bootstrapDigest)) return BOOTSTRAP_KEY;
    return this.lookUp(name, digest).then((found) => this.accepted(found));
  }

  /** Makes this process refuse a deleted key at once, one whose look-up is under way included. */
  forget(digest: Buffer): void {
    const name = digest.toString('base64');
    this.remembered.delete(name);
    this.lookups.delete(name);
  }

  private accepted({ key }: Remembered): KnownKey {
    if (key === null || this.now() >= key.expiresAtMs) {
      throw new DomainError(
        'UNAUTHENTICATED',
        'The API key is not known, has expired or was deleted. Ask an administrator for another.',
      );
    }
    return key;
  }

  private lookUp(name: string, digest: Buffer): Promise<Remembered> {
    const underWay = this.lookups.get(name);
    if (underWay) return underWay;
    const lookup = this.repository.findByDigest(digest).then(
      (key) => {
        const found = this.remember(key);
        if (this.lookups.get(name) === lookup) {
          this.lookups.delete(name);
          this.store(name, found);
        }
        return found;
      },
      (error: unknown) => {
        if (this.lookups.get(name) === lookup) this.lookups.delete(name);
        throw error;
      },
    );
    this.lookups.set(name, lookup);
    return lookup;
  }

  private remember(key: ApiKey | null): Remembered {
    if (key === null) return { key: null, untilMs: this.now() + UNKNOWN_KEY_MS };
    const { id, name, role, applications, rateLimitPerSecond, expiresAt } = key;
    return {
      key: {
        principal: { id: String(id), name, role, applications },
        rateLimitPerSecond: rateLimitPerSecond ?? this.defaultRateLimitPerSecond,
        expiresAtMs: expiresAt === null ? Infinity : expiresAt.getTime(),
      },
      untilMs: this.now() + KNOWN_KEY_MS,
    };
  }

  private store(name: string, found: Remembered): void {
    this.remembered.delete(name);
    this.remembered.set(name, found);
    if (this.remembered.size <= MAX_REMEMBERED) return;
    const oldest = this.remembered.keys().next().value;
    if (oldest !== undefined) this.remembered.delete(oldest);
  }
}

/** What is kept of a key, and all that is needed to recognise it. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function bearerKey(authorization: string | undefined): string {
  const match = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '');
  if (match) return match[1]!;
  throw new DomainError(
    'UNAUTHENTICATED',
    authorization === undefined
      ? 'The request has no API key. Send it as "Authorization: Bearer KEY".'
      : 'The Authorization header holds no API key. Send it as "Authorization: Bearer KEY".',
  );
}
