import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withShortLocks } from './locks.js';

/**
 * Lets an event carry the trace that it was published in, so that its first attempt and every retry join it, whoever
 * makes them. The previous version keeps working beside it: it neither reads nor writes the column, and what it
 * accepts begins traces of its own.
 *
 * A column without a default touches no row, but takes each partition exclusively for a moment. Behind a long reader
 * (a backup) that moment would be long, and every insert would wait behind it in turn: so it asks for a second, and
 * again, outside a transaction.
 */
export class TraceContext1765152000000 implements MigrationInterface {
  readonly name = 'TraceContext1765152000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await withShortLocks(queryRunner, UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await withShortLocks(queryRunner, DOWN);
  }
}

// The column holds traceparent, then a space and tracestate where there is one. A partition that was made and is not
// attached yet must have it too, or it could never be attached.
const UP = `
DO $$
DECLARE
  unattached text;
BEGIN
  ALTER TABLE events ADD COLUMN IF NOT EXISTS trace_context text;
  FOR unattached IN
    SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind = 'r' AND NOT c.relispartition AND c.relname ~ '^events_[0-9]{8}$'
  LOOP
    EXECUTE 'ALTER TABLE ' || unattached || ' ADD COLUMN IF NOT EXISTS trace_context text';
  END LOOP;
END $$`;

const DOWN = `ALTER TABLE events DROP COLUMN IF EXISTS trace_context`;
