import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the audit, the erasure of an event's body, and that of an application.
 *
 * The changes to `events` and `deliveries` are to the catalogue only; each needs its table to itself for a moment,
 * and for no longer than `lock_timeout` (5 s): behind a longer reader the migration fails, changes nothing, and
 * is started again.
 *
 * The previous version keeps working beside it, but for this: what it changes leaves no audit entry; a body that
 * was erased is not found by it, and a delivery of that event which it redelivers is set aside unsent; the answer of
 * an attempt that was under way when its event was erased is kept by it. So do not erase while it still runs.
 */
export class Audit1764806400000 implements MigrationInterface {
  readonly name = 'Audit1764806400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

const UP = `
-- Null: erased.
ALTER TABLE events ALTER COLUMN body DROP NOT NULL, ADD COLUMN body_erased_at timestamptz;

-- Of its event. It stands here too, so that whoever locks the delivery to send it again, or to log what a receiver
-- answered, sees it as of now.
ALTER TABLE deliveries ADD COLUMN body_erased boolean NOT NULL DEFAULT false;

CREATE TABLE erasures (
  application_id text PRIMARY KEY REFERENCES applications (id),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
  phase text NOT NULL DEFAULT 'deliveries'
    CHECK (phase IN ('deliveries', 'events', 'rejections', 'outbox', 'audit', 'application')),
  -- The last id that the phase is past.
  cursor_id bigint NOT NULL DEFAULT 0,
  deliveries bigint NOT NULL DEFAULT 0,
  attempts bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  next_page_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  failure text,
  requested_at timestamptz NOT NULL DEFAULT now_ms(),
  finished_at timestamptz
);
CREATE INDEX erasures_running ON erasures (next_page_at) WHERE state = 'running';

CREATE TABLE audit_entries (
  id bigint PRIMARY KEY DEFAULT next_id(),
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  action text NOT NULL,
  -- Null once the application is erased, where it is an event's, for producers choose those.
  resource_id text,
  application_id text,
  request_id text NOT NULL,
  changes jsonb NOT NULL
);
CREATE INDEX audit_entries_application ON audit_entries (application_id, id);
CREATE INDEX audit_entries_resource ON audit_entries (resource_id, id);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, id);

-- The fields that changed, without what they were before and after.
CREATE FUNCTION changes_without_values(changes jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, '{}'::jsonb), '{}'::jsonb) FROM jsonb_each(changes)
$$;

-- Who did what, and when, never changes. What the fields held goes when the application that they belong to is
-- erased, and by no other way.
CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
     AND EXISTS (SELECT FROM erasures e WHERE e.application_id = OLD.application_id)
     AND NEW IS NOT DISTINCT FROM (OLD.id, OLD.actor_id, OLD.actor_name, OLD.action,
                                   CASE WHEN OLD.action LIKE 'event.%' THEN NULL ELSE OLD.resource_id END,
                                   OLD.application_id, OLD.request_id, changes_without_values(OLD.changes))::audit_entries
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'Entries of the audit are never changed or deleted.' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_kept_whole BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_entry();
-- In sessions that leave out triggers (session_replication_role) too.
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_kept;
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_kept_whole;
`;

const DOWN = `
DROP TABLE audit_entries;
DROP FUNCTION keep_audit_entry();
DROP FUNCTION changes_without_values(jsonb);
DROP TABLE erasures;
ALTER TABLE deliveries DROP COLUMN body_erased;
UPDATE events SET body = '' WHERE body IS NULL;
ALTER TABLE events DROP COLUMN body_erased_at, ALTER COLUMN body SET NOT NULL;
`;
