import { Column, DeleteDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Who the webhooks are for: a tenant under one contract. */
@Entity('applications')
export class ApplicationEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  /** Never changes: stored bodies and derived ids are the contract's. */
  @Column({ type: 'text' })
  contract!: string;

  @Column({ type: 'text' })
  environment!: string;

  /** As the contract asks; each is fixed once set. */
  @Column({ type: 'jsonb' })
  attributes!: Record<string, unknown>;

  /** What overrides the contract's policy, as it was written; what is absent is the contract's default. */
  @Column({ type: 'jsonb' })
  settings!: Record<string, unknown>;

  /** Sealed; not part of any read but the one that asks for it. */
  @Column({ type: 'bytea', nullable: true, select: false })
  secret!: Buffer | null;

  /** Takes the secret's place from {@link nextSecretAt} on, without anybody writing it. */
  @Column({ name: 'next_secret', type: 'bytea', nullable: true, select: false })
  nextSecret!: Buffer | null;

  @Column({ name: 'next_secret_at', type: 'timestamptz', nullable: true })
  nextSecretAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now_ms()' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now_ms()' })
  updatedAt!: Date;

  /**
   * Since when it is gone. The row stays, for its events and deliveries are read until retention and its id is not
   * given again; every read through this entity leaves it out unless it says `withDeleted`.
   */
  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
