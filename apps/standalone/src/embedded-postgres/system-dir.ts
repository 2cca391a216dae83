/** Where a root process keeps what the account of PostgreSQL must reach and `DATA_DIR` cannot offer. */
export const SYSTEM_DIR = '/var/lib/entrega';
