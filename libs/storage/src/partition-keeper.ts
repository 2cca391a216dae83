import { DAY_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { type Database, LOCK_NOT_AVAILABLE, sqlState } from './database.js';

/** Days made ahead, today not counted: two days of an idle keeper pass unnoticed, a third is an alert. */
const DAYS_AHEAD = 3;
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TRIES = 5;
/** Taken while partitions are dropped, so that one process does it. */
const RETENTION_LOCK = 7_205_100;

interface PartitionedTable {
  readonly name: string;
  /** Rows stay this many days longer than deliveries: a delivery may be born after its event's midnight. */
  readonly extraDays: number;
  readonly bound: 'id' | 'time';
}

const TABLES: readonly PartitionedTable[] = [
  { name: 'events', extraDays: 1, bound: 'id' },
  { name: 'deliveries', extraDays: 0, bound: 'id' },
  { name: 'attempts', extraDays: 0, bound: 'id' },
  { name: 'endpoint_minutes', extraDays: 0, bound: 'time' },
];

const STORAGE: Readonly<Record<string, string>> = {
  /** Updates of `due_at` and `state` are never HOT, so free space in a page buys nothing; dead rows must go early. */
  deliveries:
    'WITH (fillfactor = 100, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0)',
  /**
   * A receiver behind a proxy sends a kilobyte of headers and more. Where a row of over 2 kB would be compressed and moved
   * out, which it hardly gets smaller by, writing it costs 54 µs, and 39 where it stays in its page.
   */
  attempts: 'WITH (toast_tuple_target = 8160)',
};

export interface RetentionReport {
  readonly dropped: readonly string[];
  /** Past retention and kept, for deliveries of it are still pending. */
  readonly kept: readonly string[];
}

/**
 * Makes daily partitions ahead and drops those past retention.
 *
 * `PARTITION OF` and `DROP` of an attached partition wait behind a long reader and stop every insert behind
 * them. So a partition is created beside its parent (`LIKE`) and attached, and is detached concurrently before
 * it is dropped: each in a statement of its own with a lock timeout, tried again. A detach that was cut off is
 * finished by the next run.
 */
export class PartitionKeeper {
  constructor(private readonly database: Database) {}

  /** Makes what is missing from yesterday (clocks differ) to some days ahead; safe beside another keeper. */
  async makeAhead(now: Date): Promise<string[]> {
    const made: string[] = [];
    const present = await this.attached();
    for (const table of TABLES) {
      for (let offset = -1; offset <= DAYS_AHEAD; offset++) {
        const day = new Date(Math.floor(now.getTime() / DAY_MS + offset) * DAY_MS);
        const partition = partitionName(table, day);
        if (present.has(partition)) continue;
        await this.make(table, partition, day);
        made.push(partition);
      }
    }
    return made;
  }

  /** Drops whole days past retention. One process at a time; others return an empty report. */
  async dropExpired(now: Date, retentionDays: number): Promise<RetentionReport> {
    return this.database.withClient(async (client) => {
      const lock = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
        RETENTION_LOCK,
      ]);
      if (!lock.rows[0]?.locked) return { dropped: [], kept: [] };
      try {
        return await this.dropExpiredAlone(now, retentionDays);
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [RETENTION_LOCK]);
      }
    });
  }

  private async dropExpiredAlone(now: Date, retentionDays: number): Promise<RetentionReport> {
    const dropped: string[] = [];
    const kept: string[] = [];
    const heldDays = new Set<string>();
    await this.finishDetaches();
    // Deliveries first: a day of theirs that is held by pending rows holds its events and attempts too.
    const order = [...TABLES].sort(
      (a, b) => Number(b.name === 'deliveries') - Number(a.name === 'deliveries'),
    );
    const present = await this.attached();
    for (const table of order) {
      const keepFrom = Math.floor(now.getTime() / DAY_MS) - retentionDays - table.extraDays;
      for (const partition of [...present].filter((name) => name.startsWith(`${table.name}_`)).sort()) {
        const day = partitionDay(partition);
        if (day === null || day.getTime() / DAY_MS >= keepFrom) continue;
        const dayText = partition.slice(-8);
        const nextDayText = dayStamp(new Date(day.getTime() + DAY_MS));
        const held =
          table.name === 'deliveries'
            ? await this.hasPending(partition)
            : heldDays.has(dayText) || (table.name === 'events' && heldDays.has(nextDayText));
        if (held) {
          if (table.name === 'deliveries') heldDays.add(dayText);
          kept.push(partition);
          continue;
        }
        if (table.name === 'events') await this.trimEventKeys(partition);
        await this.drop(table, partition);
        dropped.push(partition);
      }
    }
    return { dropped, kept };
  }

  private async make(table: PartitionedTable, partition: string, day: Date): Promise<void> {
    const next = new Date(day.getTime() + DAY_MS);
    const [from, to] =
      table.bound === 'id'
        ? [String(firstIdAt(day)), String(firstIdAt(next))]
        : [`'${day.toISOString()}'`, `'${next.toISOString()}'`];
    const storage = STORAGE[table.name] ?? '';
    await this.retried(
      `CREATE TABLE IF NOT EXISTS ${partition} (LIKE ${table.name} INCLUDING ALL) ${storage}`,
    );
    await this.retried(
      `ALTER TABLE ${table.name} ATTACH PARTITION ${partition} FOR VALUES FROM (${from}) TO (${to})`,
    ).catch(async (error: unknown) => {
      // Another keeper attached it between our look and our statement.
      if (!(await this.attached()).has(partition)) throw error;
    });
  }

  private async drop(table: PartitionedTable, partition: string): Promise<void> {
    try {
      await this.withShortLockTimeout(`ALTER TABLE ${table.name} DETACH PARTITION ${partition} CONCURRENTLY`);
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      // Cut off between its two steps: the partition takes part in nothing new, and only the end is missing.
      await this.retried(`ALTER TABLE ${table.name} DETACH PARTITION ${partition} FINALIZE`);
    }
    await this.retried(`DROP TABLE IF EXISTS ${partition}`);
  }

  private async finishDetaches(): Promise<void> {
    const pending = await this.database.pool.query<{ parent: string; partition: string }>(
      `SELECT inhparent::regclass::text AS parent, inhrelid::regclass::text AS partition
         FROM pg_inherits WHERE inhdetachpending AND inhparent::regclass::text = ANY($1)`,
      [TABLES.map((table) => table.name)],
    );
    for (const { parent, partition } of pending.rows) {
      await this.retried(`ALTER TABLE ${parent} DETACH PARTITION ${partition} FINALIZE`);
    }
    for (const partition of await this.leftBehind()) await this.retried(`DROP TABLE IF EXISTS ${partition}`);
  }

  /** Tables named like a day's partition that hang on no parent: detached but not dropped. */
  private async leftBehind(): Promise<string[]> {
    const rows = await this.database.pool.query<{ partition: string }>(
      `SELECT c.relname AS partition FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind = 'r'
          AND c.relname ~ ('^(' || array_to_string($1::text[], '|') || ')_[0-9]{8}$')
          AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
          AND right(c.relname, 8) < to_char(now() - interval '2 days', 'YYYYMMDD')`,
      [TABLES.map((table) => table.name)],
    );
    return rows.rows.map((row) => row.partition);
  }

  private async attached(): Promise<Set<string>> {
    const rows = await this.database.pool.query<{ partition: string }>(
      `SELECT inhrelid::regclass::text AS partition FROM pg_inherits
        WHERE inhparent::regclass::text = ANY($1) AND NOT inhdetachpending`,
      [TABLES.map((table) => table.name)],
    );
    return new Set(rows.rows.map((row) => row.partition));
  }

  private async hasPending(partition: string): Promise<boolean> {
    const rows = await this.database.pool.query(`SELECT FROM ${partition} WHERE state = 'pending' LIMIT 1`);
    return rows.rows.length > 0;
  }

  /** Removes the keys of one day's events in small steps, so that no publish waits behind it. */
  private async trimEventKeys(partition: string): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.database.pool.query<{ last: number | null }>(
        `WITH page AS (SELECT id, application_id, public_id FROM ${partition} WHERE id > $1 ORDER BY id LIMIT 1000),
              gone AS (DELETE FROM event_keys k USING page p
                        WHERE k.application_id = p.application_id AND k.event_id = p.id
                          AND k.digest = substring(sha256(convert_to(p.public_id, 'UTF8')) FROM 1 FOR 16))
         SELECT max(id) AS last FROM page`,
        [after],
      );
      const last = rows.rows[0]?.last;
      if (last === null || last === undefined) return;
      after = last;
    }
  }

  private async retried(statement: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.withShortLockTimeout(statement);
      } catch (error) {
        if (attempt >= LOCK_TRIES || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      }
    }
  }

  private async withShortLockTimeout(statement: string): Promise<void> {
    await this.database.withClient(async (client) => {
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
      try {
        await client.query(statement);
      } finally {
        await client.query('RESET lock_timeout');
      }
    });
  }
}

function dayStamp(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

function partitionName(table: PartitionedTable, day: Date): string {
  return `${table.name}_${dayStamp(day)}`;
}

function partitionDay(partition: string): Date | null {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(partition);
  return match ? new Date(`${match[1]}-${match[2]}-${match[3]}T00:00:00Z`) : null;
}
