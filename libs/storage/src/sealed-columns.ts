import type { SecretPurpose } from './secret-box.js';

/** A column of sealed values. The key of its table is `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly name: string;
  readonly idType: 'text' | 'bigint';
  readonly purpose: SecretPurpose;
  /** SQL: rows that may still be asked for what is sealed in them. */
  readonly inUse: string;
}

const APPLICATIONS = {
  table: 'applications',
  idType: 'text',
  purpose: 'application-secret',
  inUse: 'deleted_at IS NULL',
} as const;

const ENDPOINTS = {
  table: 'endpoints',
  idType: 'bigint',
  purpose: 'endpoint-credentials',
  inUse: `state <> 'revoked'`,
} as const;

/** Everything that a `SecretBox` seals, and so all that another key must be brought to. A test holds it to the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { ...APPLICATIONS, name: 'secret' },
  { ...APPLICATIONS, name: 'next_secret' },
  { ...ENDPOINTS, name: 'credentials' },
  { ...ENDPOINTS, name: 'next_credentials' },
];
