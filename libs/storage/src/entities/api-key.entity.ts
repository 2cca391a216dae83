import type { Role } from '#domain/principal.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key to the API. The key itself is not kept: its digest recognises it. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'bigint', default: () => 'next_id()' })
  id!: TimeOrderedId;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  role!: Role;

  /** The only applications that it covers; null for all. */
  @Column({ type: 'text', array: true, nullable: true })
  applications!: string[] | null;

  /** SHA-256 of the key. A key has 256 random bits, so there is nothing to guess and no salt is needed. */
  @Column({ type: 'bytea' })
  digest!: Buffer;

  /** Null where it has the limit of the process it calls, or none. */
  @Column({ name: 'rate_limit_per_second', type: 'integer', nullable: true })
  rateLimitPerSecond!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now_ms()' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
