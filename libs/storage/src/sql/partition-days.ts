import { PARTITIONED_TABLES, type PartitionedTableName } from '#domain/fleet-figures.js';
import type { Queryable, Statement } from '../database.js';

/** A partition and the day that its rows are of. */
export interface PartitionDay {
  readonly table: PartitionedTableName;
  /** As the database knows it: `deliveries_20250131`. */
  readonly partition: string;
  /** Midnight UTC. */
  readonly day: Date;
}

/** From the catalogue, which holds a few hundred. */
const LIST_PARTITION_DAYS: Statement = {
  name: 'list-partition-days',
  text: `
SELECT p.relname AS "table", c.relname AS partition,
       to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS day
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
 WHERE i.inhparent = ANY ($1::regclass[]) AND NOT i.inhdetachpending AND c.relname ~ '_[0-9]{8}$'
 ORDER BY c.relname DESC`,
};

/** The attached partitions, of each table the newest first. */
export async function listPartitionDays(database: Queryable): Promise<PartitionDay[]> {
  return database.query<PartitionDay>(LIST_PARTITION_DAYS, [PARTITIONED_TABLES]);
}

const UNDEFINED_TABLE = '42P01';

/**
 * Reads partitions by name. One that was dropped after they were listed is no fault: they are read again, once.
 *
 * @param read lists them and reads them
 */
export async function readingPartitions<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
    return read();
  }
}
