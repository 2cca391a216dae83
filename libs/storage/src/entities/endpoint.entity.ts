import type { EndpointState } from '#domain/endpoint-state.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A URL of an application. Its one webhook, where the contract has one, is an endpoint like any other. */
@Entity('endpoints')
export class EndpointEntity {
  @PrimaryColumn({ type: 'bigint', default: () => 'next_id()' })
  id!: number;

  @Column({ name: 'application_id', type: 'text' })
  applicationId!: string;

  @Column({ name: 'is_webhook', type: 'boolean' })
  isWebhook!: boolean;

  @Column({ type: 'text' })
  url!: string;

  /** Null: every type. */
  @Column({ name: 'event_types', type: 'text', array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** JSON of all credentials, sealed; not part of any read but the one that asks for it. */
  @Column({ type: 'bytea', select: false })
  credentials!: Buffer;

  /** Which credentials are set, for reads that must not open them. */
  @Column({ name: 'credential_names', type: 'text', array: true })
  credentialNames!: string[];

  /** Take the credentials' place from {@link nextCredentialsAt} on, without anybody writing them. */
  @Column({ name: 'next_credentials', type: 'bytea', nullable: true, select: false })
  nextCredentials!: Buffer | null;

  @Column({ name: 'next_credentials_at', type: 'timestamptz', nullable: true })
  nextCredentialsAt!: Date | null;

  @Column({ type: 'text', default: 'active' })
  state!: EndpointState;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt!: Date | null;

  /** Consecutive failed attempts under this {@link epoch}. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** Rises with every registration, enable and change of URL; results of an earlier one do not count. */
  @Column({ type: 'integer', default: 1 })
  epoch!: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now_ms()' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now_ms()' })
  updatedAt!: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
