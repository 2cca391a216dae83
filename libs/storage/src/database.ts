import { MINUTE_MS, SECOND_MS } from '#domain/durations.js';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { ENTITIES } from './entities/entities.js';
import { withLiterals } from './literals.js';
import { MIGRATIONS } from './migrations.js';

/**
 * A statement that the server keeps prepared under its name on every connection, with one plan for all values. Without
 * a name (`''`) it is planned anew each time, for its values and for the partitions that they leave.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * Of one without a name: rows come from an index that has them in order, and a page of them is read. Where an owner
   * has more rows than the planner believes it would rather read and sort them all.
   */
  readonly inIndexOrder?: true;
  /** Of one without a name: under which its times are counted. */
  readonly measuredAs?: string;
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
  /** Told of each of our statements when it has ended, failed ones too. */
  readonly onStatement?: (name: string, tookMs: number) => void;
  /** A statement's longest time; 0 for none, which only migrations need. */
  readonly statementTimeoutMs?: number;
}

const PLANNING = {
  // Left to itself the server plans what it holds prepared anew for each set of values: with a month of partitions
  // 3 ms where the work takes 0.1 ms.
  plan_cache_mode: 'force_generic_plan',
  // The one plan of a statement over a new day is made when that day is nearly empty, and reading it whole looks cheap.
  enable_seqscan: 'off',
  // A plan with workers of its own costs small statements more than they take.
  max_parallel_workers_per_gather: 0,
  // Looks cheap to the planner under a LIMIT, and reads all of an owner where an index in the right order reads a page.
  enable_incremental_sort: 'off',
};

/** Callers have given up by then, and no statement of ours takes longer. */
const STATEMENT_TIMEOUT_MS = 10 * SECOND_MS;
const ROLL_BACK = new Error('The transaction was only to see what would be.');
/** Statements under way have this long when the pool is closed. */
const CLOSE_MS = 500;

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
  /** Connections in use or idle, for the close that does not wait. */
  private readonly clients = new Set<pg.Client>();

  private constructor(
    readonly dataSource: DataSource,
    private readonly onStatement: NonNullable<DatabaseOptions['onStatement']>,
    /** What each session was asked to have, as `pg_settings` shows it: times in milliseconds. */
    private readonly sessionSettings: Readonly<Record<string, string | number>>,
  ) {}

  static async connect(options: DatabaseOptions): Promise<Database> {
    const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, onStatement = () => undefined } = options;
    const timeouts = {
      lock_timeout: 5 * SECOND_MS,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: MINUTE_MS,
    };
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
        ...timeouts,
        // A server that is silent cannot time out by itself.
        query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SECOND_MS,
        keepAlive: true,
        options: Object.entries(PLANNING)
          .map(([name, value]) => `-c ${name}=${value}`)
          .join(' '),
      },
    });
    await dataSource.initialize();
    const database = new Database(dataSource, onStatement, { ...timeouts, ...PLANNING });
    // A connection that dies while idle is replaced at its next use; unheard, its error would end the process.
    database.pool.on('error', () => undefined);
    const track = (client: pg.PoolClient) => database.clients.add(client);
    database.pool.on('connect', track).on('acquire', track);
    database.pool.on('remove', (client) => database.clients.delete(client as unknown as pg.Client));
    return database;
  }

  get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.run(this.pool, statement, values);
  }

  /** Runs `work` in one transaction on one connection; its error rolls back and is thrown on. */
  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    return this.withClient(async (client) => {
      await client.query('BEGIN');
      try {
        const result = await work({
          query: <Row>(statement: Statement, values: readonly unknown[]) =>
            this.run<Row>(client, statement, values),
        });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // Where this fails too the connection is lost.
        await client.query('ROLLBACK').catch((rollbackError: Error) => client.emit('error', rollbackError));
        throw error;
      }
    });
  }

  /** Connections of the pool, and who waits for one: for metrics. */
  get connections(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pool;
    return { total, idle, waiting };
  }

  /** Runs `work` in a transaction that is rolled back whatever comes of it: to see what would be, and keep nothing. */
  async rolledBack<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    const done: Result[] = [];
    try {
      await this.transaction(async (connection) => {
        done.push(await work(connection));
        throw ROLL_BACK;
      });
    } catch (error) {
      if (error !== ROLL_BACK) throw error;
    }
    return done[0]!;
  }

  /**
   * Lends one connection of the pool. The pool does not listen for its errors meanwhile, and unheard, a connection
   * that is lost would end the process: it is heard here, fails the statement under way, and is not used again.
   */
  async withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let lost: Error | undefined;
    const onError = (error: Error) => (lost = error);
    client.on('error', onError);
    try {
      return await use(client);
    } finally {
      client.off('error', onError);
      client.release(lost);
    }
  }

  /** Runs `work` on one connection, outside a transaction, each of its statements ending after `timeoutMs` at the latest. */
  async withStatementTimeout<Result>(
    timeoutMs: number,
    work: (connection: Queryable) => Promise<Result>,
  ): Promise<Result> {
    return this.withClient(async (client) => {
      await client.query(`SET statement_timeout = ${timeoutMs}`).catch((error: Error) => {
        // It may yet take effect, for whoever has the connection next: so nobody does.
        client.emit('error', error);
        throw error;
      });
      try {
        return await work({
          query: <Row>(statement: Statement, values: readonly unknown[]) =>
            this.run<Row>(client, statement, values),
        });
      } finally {
        // Where this fails the connection is lost.
        await client.query('RESET statement_timeout').catch((error: Error) => client.emit('error', error));
      }
    });
  }

  private async run<Row>(
    on: Pick<pg.Pool, 'query'>,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const startedAt = performance.now();
    try {
      return rowsOf(await on.query(queryConfig(statement, values)));
    } finally {
      this.onStatement(statement.measuredAs ?? statement.name, performance.now() - startedAt);
    }
  }

  /**
   * Refuses a server that is too old, whose lock table is too small for the partitions, or that is reached through
   * something that drops the settings of a session; says the cure.
   */
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
    await this.assertSessionSettings();
  }

  /** Without them nothing fails at first: statements wait without end, and get slower with each day of partitions. */
  private async assertSessionSettings(): Promise<void> {
    const rows = await this.query<{ name: string; setting: string }>(
      { name: 'session-settings', text: 'SELECT name, setting FROM pg_settings WHERE name = ANY($1)' },
      [Object.keys(this.sessionSettings)],
    );
    const dropped = rows.filter(({ name, setting }) => setting !== String(this.sessionSettings[name]));
    if (dropped.length === 0) return;
    const found = dropped.map(({ name, setting }) => `${name} = ${setting}`).join(', ');
    const cure = dropped
      .map(({ name }) => `ALTER ROLE … SET ${name} = ${this.sessionSettings[name]};`)
      .join(' ');
    throw new Error(
      `The session has ${found}: a pooler before PostgreSQL, or options in DATABASE_URL, drop the settings that ` +
        `entrega asks for. Connect to PostgreSQL itself, or give them to the role: ${cure}`,
    );
  }

  /** Ends the pool: politely for a moment, then by cutting off what is still at work. Bounded, also when the server is silent. */
  async close(): Promise<void> {
    const ended = this.dataSource.destroy();
    const cutOff = setTimeout(() => {
      for (const client of this.clients) void client.end().catch(() => undefined);
    }, CLOSE_MS);
    try {
      await ended;
    } finally {
      clearTimeout(cutOff);
    }
  }
}

/** Values are written into a statement without a name: as parameters they would get the one plan for all. */
function queryConfig({ name, text, inIndexOrder }: Statement, values: readonly unknown[]): pg.QueryConfig {
  if (name !== '') return { name, text, values: values as unknown[] };
  const planned = withLiterals(text, values);
  return { text: inIndexOrder ? withoutSorting(planned) : planned };
}

function withoutSorting(text: string): string {
  return `SET LOCAL enable_sort = off; ${text}; SET LOCAL enable_sort = on`;
}

/** Several results come from {@link withoutSorting}: its statement's is the second. */
function rowsOf<Row>(results: pg.QueryResult | pg.QueryResult[]): Row[] {
  return (Array.isArray(results) ? results[1]! : results).rows as Row[];
}

/** Statements of ours within a transaction of TypeORM's. */
export function statementsIn(manager: EntityManager): Queryable {
  return {
    query: <Row>({ text }: Statement, values: readonly unknown[]) =>
      manager.query<Row[]>(text, values as unknown[]),
  };
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

/** Whether a row belongs into a partition that does not exist. */
export function isWithoutPartition(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION && (error as { constraint?: string }).constraint === undefined;
}

/**
 * Whether one row of a batch is at fault (data exceptions and constraint violations), not the server. A row that
 * finds no partition is not at fault: the partitions are ours to make.
 */
export function isDataError(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined || !(state.startsWith('22') || state.startsWith('23'))) return false;
  return !isWithoutPartition(error);
}
