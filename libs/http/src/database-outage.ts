import { LOCK_NOT_AVAILABLE, sqlState } from '#storage/database.js';

/**
 * SQLSTATEs and classes of them with which PostgreSQL says "not now": connection exceptions, insufficient
 * resources, a shut-down or a start under way, a lock or a statement that took too long, a standby that has
 * not been promoted, and a conflict that was tried again in vain.
 */
const OUTAGE_STATES: ReadonlySet<string> = new Set([
  LOCK_NOT_AVAILABLE,
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '57014',
  '25006',
  '25P03',
  '40001',
  '40P01',
]);
const OUTAGE_CLASSES: readonly string[] = ['08', '53'];

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What node-postgres and its pool throw for a connection that is lost or late: they have a text and no code. */
const CODELESS_MESSAGES: ReadonlySet<string> = new Set([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);

/** Whether the database, and not the request, is at fault, so that the same request may succeed soon. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const state = sqlState(error);
  if (state !== undefined && (OUTAGE_STATES.has(state) || OUTAGE_CLASSES.includes(state.slice(0, 2))))
    return true;
  if (syscall !== undefined && code !== undefined && NETWORK_CODES.has(code)) return true;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isDatabaseOutage);
  return CODELESS_MESSAGES.has(error.message) || isDatabaseOutage(error.cause);
}
