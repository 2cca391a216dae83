import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withPatience, withShortLocks } from './locks.js';

/**
 * Lets an attempt keep the headers of its request and of its response, and adds the index by which attempts are followed
 * across deliveries, in the order in which they were written. The previous version keeps working beside it: it neither
 * reads nor writes the columns, and what it writes is followed like any other.
 *
 * Goes up outside a transaction. A column without a default touches no row, but takes each partition exclusively for a
 * moment: behind a long reader (a backup) every insert would wait behind that moment in turn, so it asks for a second,
 * and again. Each partition's index is built concurrently, as those of the lists are. What was cut off is finished by the
 * next start. It goes down in one transaction, behind which results wait.
 */
export class AttemptHeaders1764979200000 implements MigrationInterface {
  readonly name = 'AttemptHeaders1764979200000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await withShortLocks(queryRunner, ADD_COLUMNS);
    await createIndex(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX IF EXISTS ${INDEX}`);
    await queryRunner.query(
      'ALTER TABLE attempts DROP COLUMN IF EXISTS request_headers, DROP COLUMN IF EXISTS response_headers',
    );
  }
}

// A header a line, "name: value". A partition that was made and is not attached yet must have the columns too, or it
// could never be attached; the parent goes first, so that none is being made of it as it was.
const ADD_COLUMNS = `
DO $$
DECLARE
  unattached text;
BEGIN
  ALTER TABLE attempts ADD COLUMN IF NOT EXISTS request_headers text, ADD COLUMN IF NOT EXISTS response_headers text;
  FOR unattached IN
    SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind = 'r' AND NOT c.relispartition AND c.relname ~ '^attempts_[0-9]{8}$'
  LOOP
    EXECUTE 'ALTER TABLE ' || unattached || ' ADD COLUMN IF NOT EXISTS request_headers text, '
         || 'ADD COLUMN IF NOT EXISTS response_headers text';
  END LOOP;
END $$`;

const INDEX = 'attempts_written';

/** Partition by partition; valid as soon as every part is attached. */
async function createIndex(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY attempts (id)`);
  const partitions = (await queryRunner.query(
    `SELECT i.inhrelid::regclass::text AS partition,
            (SELECT x.indisvalid FROM pg_index x
              WHERE x.indexrelid = to_regclass(i.inhrelid::regclass || '_${INDEX}')) AS valid
       FROM pg_inherits i
      WHERE i.inhparent = 'attempts'::regclass AND NOT i.inhdetachpending
        AND NOT EXISTS (SELECT FROM pg_index x JOIN pg_inherits part ON part.inhrelid = x.indexrelid
                         WHERE x.indrelid = i.inhrelid AND part.inhparent = '${INDEX}'::regclass)
      ORDER BY 1`,
  )) as { partition: string; valid: boolean | null }[];
  for (const { partition, valid } of partitions) {
    const part = `${partition}_${INDEX}`;
    if (valid === false) await withPatience(queryRunner, `DROP INDEX CONCURRENTLY ${part}`);
    await withPatience(queryRunner, `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${part} ON ${partition} (id)`);
    await queryRunner.query(`ALTER INDEX ${INDEX} ATTACH PARTITION ${part}`);
  }
}
