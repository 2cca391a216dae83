import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities/entities.js';
import { MIGRATIONS } from './migrations.js';

/** A statement that the server keeps prepared under its name on every connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The part of a pool or of one connection that statements need. */
export interface Queryable {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of this process. */
  readonly poolSize: number;
  readonly applicationName: string;
}

/** Partitioned tables lock each partition and index: a database with less fails at its thirtieth day. */
export const MIN_LOCKS_PER_TRANSACTION = 1024;
/** The result statement tells old rows from new ones in RETURNING. */
export const MIN_SERVER_VERSION = 18;

// Ids stay below 2^53 (`time-ordered-id.ts`), counts below it too: numbers, not strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * The one way to PostgreSQL: TypeORM's data source for entities and migrations, and hand-written statements on
 * the same pool. Every wait is bounded: for a connection, for a lock, for a statement, for a silent server.
 */
export class Database implements Queryable {
  private constructor(readonly dataSource: DataSource) {}

  static async connect(options: DatabaseOptions): Promise<Database> {
    const dataSource = new DataSource({
      type: 'postgres',
      applicationName: options.applicationName,
      entities: ENTITIES,
      migrations: MIGRATIONS,
      migrationsTableName: 'migrations',
      migrationsTransactionMode: 'each',
      poolSize: options.poolSize,
      extra: {
        connectionString: options.url,
        connectionTimeoutMillis: 5 * SECOND_MS,
        lock_timeout: 5 * SECOND_MS,
        statement_timeout: MINUTE_MS,
        idle_in_transaction_session_timeout: MINUTE_MS,
        query_timeout: MINUTE_MS + 5 * SECOND_MS,
        keepAlive: true,
      },
    });
    await dataSource.initialize();
    const database = new Database(dataSource);
    // A connection that dies while idle is replaced at its next use; unheard, its error would end the process.
    database.pool.on('error', () => undefined);
    return database;
  }

  get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const result = await this.pool.query({ ...statement, values: values as unknown[] });
    return result.rows as Row[];
  }

  /** Runs `work` in one transaction on one connection; its error rolls back and is thrown on. */
  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        query: async <Row>(statement: Statement, values: readonly unknown[]) =>
          (await client.query({ ...statement, values: values as unknown[] })).rows as Row[],
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Refuses a server that is too old, or whose lock table is too small for the partitions; says the cure. */
  async assertServerSettings(): Promise<void> {
    const rows = await this.query<{ locks: number; version: number }>(
      {
        name: 'server-settings',
        text: `SELECT current_setting('max_locks_per_transaction')::int AS locks,
                      current_setting('server_version_num')::int / 10000 AS version`,
      },
      [],
    );
    const { locks, version } = rows[0]!;
    if (version < MIN_SERVER_VERSION) {
      throw new Error(
        `PostgreSQL ${version} is too old: PostgreSQL ${MIN_SERVER_VERSION} or newer is needed.`,
      );
    }
    if (locks < MIN_LOCKS_PER_TRANSACTION) {
      throw new Error(
        `PostgreSQL has max_locks_per_transaction = ${locks}, and the daily partitions need at least ` +
          `${MIN_LOCKS_PER_TRANSACTION}. Set max_locks_per_transaction = ${MIN_LOCKS_PER_TRANSACTION} in ` +
          `postgresql.conf and restart PostgreSQL.`,
      );
    }
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/** SQLSTATE of an error that PostgreSQL reported, or undefined for any other. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

export const DEADLOCK_DETECTED = '40P01';
export const SERIALIZATION_FAILURE = '40001';
export const LOCK_NOT_AVAILABLE = '55P03';
const CHECK_VIOLATION = '23514';
export const UNIQUE_VIOLATION = '23505';

/**
 * Whether one row of a batch is at fault (data exceptions and constraint violations), not the server. A row that
 * finds no partition is not at fault: the partitions are ours to make.
 */
export function isDataError(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined || !(state.startsWith('22') || state.startsWith('23'))) return false;
  return state !== CHECK_VIOLATION || (error as { constraint?: string }).constraint !== undefined;
}
