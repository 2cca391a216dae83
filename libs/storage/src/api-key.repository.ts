import type { Role } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Injectable } from '@nestjs/common';
import { ArrayContainedBy, type FindOptionsWhere, IsNull, LessThan, type Repository } from 'typeorm';
import { Database } from './database.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';

/** A key as people see it: everything but what would let them use it. */
export interface ApiKey {
  readonly id: TimeOrderedId;
  readonly name: string;
  readonly role: Role;
  readonly applications: readonly string[] | null;
  readonly createdAt: Date;
  /** When it stops working by itself; null for never. */
  readonly expiresAt: Date | null;
}

export interface NewApiKey {
  readonly name: string;
  readonly role: Role;
  readonly applications: readonly string[] | null;
  /** SHA-256 of the key. */
  readonly digest: Buffer;
  readonly expiresAt: Date | null;
}

/** Only keys that are limited to these applications, or to some of them; null for all keys. */
export type KeyScope = readonly string[] | null;

@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async create(key: NewApiKey): Promise<ApiKey> {
    const inserted = await this.keys
      .createQueryBuilder()
      .insert()
      .values({ ...key, applications: key.applications && [...key.applications] })
      .returning('id')
      .execute();
    const { id } = (inserted.raw as { id: TimeOrderedId }[])[0]!;
    return toApiKey(await this.keys.findOneByOrFail({ id }));
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
  async revoke(scope: KeyScope, id: TimeOrderedId): Promise<Buffer | null> {
    const updated = await this.keys
      .createQueryBuilder()
      .update()
      .set({ revokedAt: () => 'now_ms()' })
      .where({ id, ...usable(scope) })
      .returning(['digest'])
      .execute();
    return (updated.raw as { digest: Buffer }[])[0]?.digest ?? null;
  }

  private get keys(): Repository<ApiKeyEntity> {
    return this.database.dataSource.getRepository(ApiKeyEntity);
  }
}

function usable(scope: KeyScope): FindOptionsWhere<ApiKeyEntity> {
  return { revokedAt: IsNull(), ...(scope && { applications: ArrayContainedBy([...scope]) }) };
}

function toApiKey({ id, name, role, applications, createdAt, expiresAt }: ApiKeyEntity): ApiKey {
  return { id, name, role, applications, createdAt, expiresAt };
}
