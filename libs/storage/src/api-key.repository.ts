import type { AuditEntry } from '#domain/audit.js';
import type { Role } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { ArrayContainedBy, type FindOptionsWhere, IsNull, LessThan, type Repository } from 'typeorm';
import { Database, statementsIn } from './database.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { type EntryOf, recordAudit } from './sql/audit-entries.js';

/** A key as people see it: everything but what would let them use it. */
export interface ApiKey {
  readonly id: TimeOrderedId;
  readonly name: string;
  readonly role: Role;
  readonly applications: readonly string[] | null;
  /** Requests; null where it has the limit of the process it calls, or none. */
  readonly rateLimitPerSecond: number | null;
  readonly createdAt: Date;
  /** When it stops working by itself; null for never. */
  readonly expiresAt: Date | null;
}

export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  readonly applications: readonly string[] | null;
  readonly rateLimitPerSecond: number | null;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
  readonly expiresAt: Date | null;
}

/** Only keys that are limited to these applications, or to some of them; null for all keys. */
export type KeyScope = readonly string[] | null;

@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async create(key: NewApiKey, entryOf: EntryOf<ApiKey>): Promise<ApiKey> {
    return this.database.dataSource.transaction(async (manager) => {
      const inserted = await manager
        .createQueryBuilder()
        .insert()
        .into(ApiKeyEntity)
        .values({ ...key, applications: key.applications && [...key.applications] })
        .returning('id')
        .execute();
      const { id } = (inserted.raw as { id: TimeOrderedId }[])[0]!;
      const created = toApiKey(await manager.findOneByOrFail(ApiKeyEntity, { id }));
      await recordAudit(statementsIn(manager), entryOf(null, created));
      return created;
    });
  }

  /** Up to `limit` keys that are not revoked, newest first; expired ones are among them. Served by the primary key. */
  async list(scope: KeyScope, after: TimeOrderedId | null, limit: number): Promise<ApiKey[]> {
    const rows = await this.keys.find({
      where: { ...usable(scope), ...(after !== null && { id: LessThan(after) }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map(toApiKey);
  }

  async find(id: TimeOrderedId): Promise<ApiKey | null> {
    const row = await this.keys.findOneBy({ id, ...usable(null) });
    return row && toApiKey(row);
  }

  /** The key of that digest, unless it is revoked; whether it has expired is for the caller to judge. */
  async findByDigest(digest: Buffer): Promise<ApiKey | null> {
    const row = await this.keys.findOneBy({ digest, ...usable(null) });
    return row && toApiKey(row);
  }

  /** Revokes a key and returns its digest; null when there is no such key, or no longer. */
  async revoke(scope: KeyScope, id: TimeOrderedId, entry: AuditEntry): Promise<Buffer | null> {
    return this.database.dataSource.transaction(async (manager) => {
      const updated = await manager
        .createQueryBuilder()
        .update(ApiKeyEntity)
        .set({ revokedAt: () => 'now_ms()' })
        .where({ id, ...usable(scope) })
        .returning(['digest'])
        .execute();
      const [revoked] = updated.raw as { digest: Buffer }[];
      if (!revoked) return null;
      await recordAudit(statementsIn(manager), entry);
      return revoked.digest;
    });
  }

  private get keys(): Repository<ApiKeyEntity> {
    return this.database.dataSource.getRepository(ApiKeyEntity);
  }
}

function usable(scope: KeyScope): FindOptionsWhere<ApiKeyEntity> {
  return { revokedAt: IsNull(), ...(scope && { applications: ArrayContainedBy([...scope]) }) };
}

function toApiKey(entity: ApiKeyEntity): ApiKey {
  const { id, name, role, applications, rateLimitPerSecond, createdAt, expiresAt } = entity;
  return { id, name, role, applications, rateLimitPerSecond, createdAt, expiresAt };
}
